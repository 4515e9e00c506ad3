/** The tree of the terminal: what was done, what goes on with the last line of each agent, what is to come. Folds. */

import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { clockTime, figureText, moneyText } from '../../../src/views/figures.ts';
import type { FlatNode } from '../model.ts';
import { Empty, Said, Sign } from '../parts/basics.tsx';
import type { ViewProps } from '../run/run-view.tsx';

interface Row {
  readonly node: FlatNode;
  readonly depth: number;
  readonly hasChildren: boolean;
  readonly isOpen: boolean;
}

/** What is done is folded at first where there is much of it. */
const muchNodes = 60;

export function Steps({ state, page, query, address, now }: ViewProps): ReactNode {
  const { nodes, children } = state;
  const wanted = query.get('key');
  const chosen = useMemo(() => (wanted === null ? undefined : nodeFor(nodes, wanted)), [nodes.size, wanted]);
  const [choices, setChoices] = useState<ReadonlyMap<string, boolean>>(new Map());
  const rows = useMemo(() => rowsOf(children, choices, nodes.size > muchNodes), [children, choices, nodes.size]);
  const element = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => element.current,
    estimateSize: () => 34,
    overscan: 20,
    getItemKey: (at) => rows[at]?.node.path ?? at,
  });
  // A link to a step opens what it lies in and goes there.
  useEffect(() => {
    if (chosen !== undefined)
      setChoices((old) => new Map([...old, ...around(nodes, chosen).map((at) => [at, true] as const)]));
  }, [chosen]);
  const at = chosen === undefined ? -1 : rows.findIndex(({ node }) => node.path === chosen);
  useEffect(() => {
    if (at >= 0) virtual.scrollToIndex(at, { align: 'center' });
  }, [at]);
  if (rows.length === 0)
    return <Empty title="Nothing has begun yet">Steps appear here as soon as the run starts to work.</Empty>;
  const fold = (path: string, isOpen: boolean): void => setChoices(new Map(choices).set(path, isOpen));
  const onKey = (event: KeyboardEvent<HTMLElement>, { node, hasChildren, isOpen }: Row): void => {
    const { currentTarget: row, key } = event;
    if (event.target !== row) return;
    if (key === 'ArrowRight' && hasChildren && !isOpen) fold(node.path, true);
    else if (key === 'ArrowLeft' && isOpen) fold(node.path, false);
    else if (key === 'ArrowDown') focusOn(row.nextElementSibling);
    else if (key === 'ArrowUp') focusOn(row.previousElementSibling);
    else if (key === 'Enter') {
      const link = row.querySelector<HTMLElement>('.step-link');
      if (link !== null) link.click();
      else if (hasChildren) fold(node.path, !isOpen);
    } else return;
    event.preventDefault();
  };
  const all = (isOpen: boolean): void => setChoices(new Map([...nodes.keys()].map((path) => [path, isOpen])));
  return (
    <>
      <div className="toolbar">
        <button type="button" className="quiet" onClick={() => all(true)}>
          Unfold all
        </button>
        <button type="button" className="quiet" onClick={() => all(false)}>
          Fold all
        </button>
      </div>
      <div ref={element} className={rows.length > 400 ? 'virtual tall' : 'virtual'} role="tree" aria-label="Steps">
        <div style={{ height: virtual.getTotalSize() }} className="virtual-inner">
          {virtual.getVirtualItems().map((item) => {
            const row = rows[item.index];
            if (row === undefined) return null;
            return (
              <div
                key={item.key}
                ref={virtual.measureElement}
                data-index={item.index}
                className={`step depth-${Math.min(row.depth, 8)} ${row.node.status}${row.node.path === chosen ? ' marked' : ''}`}
                style={{ transform: `translateY(${item.start}px)` }}
                role="treeitem"
                aria-level={row.depth + 1}
                aria-selected={row.node.path === chosen}
                {...(row.hasChildren ? { 'aria-expanded': row.isOpen } : {})}
                tabIndex={0}
                data-entry=""
                onKeyDown={(event) => onKey(event, row)}
              >
                <StepRow
                  row={row}
                  page={page}
                  now={now}
                  address={address}
                  onFold={() => fold(row.node.path, !row.isOpen)}
                />
              </div>
            );
          })}
        </div>
      </div>
    </>
  );
}

function StepRow({
  row: { node, depth, hasChildren, isOpen },
  page,
  now,
  address,
  onFold,
}: { readonly row: Row; readonly onFold: () => void } & Pick<ViewProps, 'page' | 'now' | 'address'>): ReactNode {
  const isRunning = node.status === 'running' && page.isLive;
  const elapsed = node.elapsedMs + (isRunning ? Math.max(0, now - Date.parse(page.updatedAt)) : 0);
  const sessions = sessionsOf(node);
  // What there is none of is no news.
  const figures = Object.entries(node.figures ?? {}).filter(([, value]) => value !== 0 && value !== false);
  return (
    <div className="step-row" style={{ paddingLeft: `${depth * 1.25}rem` }}>
      {hasChildren ? (
        <button type="button" className="fold" tabIndex={-1} onClick={onFold} aria-label={isOpen ? 'Fold' : 'Unfold'}>
          {isOpen ? '▾' : '▸'}
        </button>
      ) : (
        <span className="fold" />
      )}
      <Sign status={node.status === 'waiting' && node.startedAt === undefined ? 'pending' : node.status} />
      <span className="step-main">
        <Said text={node.label} className="step-label" />
        {node.detail === '' ? null : (
          <Said text={node.detail} className={isRunning ? 'step-detail live' : 'step-detail'} />
        )}
        {(node.lines ?? []).slice(0, 12).map((line) => (
          <Said key={line} text={line} className="step-line" />
        ))}
      </span>
      <span className="step-side">
        {figures.map(([name, value]) => (
          <span key={name} className="figure" title={name}>
            {wordsOf(name)} {figureText(value)}
          </span>
        ))}
        {sessions.map((key) => (
          <a key={key} href={address('transcript', { key })} className="step-link" tabIndex={-1}>
            transcript
          </a>
        ))}
        {node.type === 'task' && (node.commit !== undefined || node.endedAt !== undefined) ? (
          <a href={address('changes', { task: node.id })} className="step-link" tabIndex={-1}>
            changes
          </a>
        ) : null}
        {node.usage !== undefined && node.usage.costUsd > 0 ? (
          <span className="figures">{moneyText(node.usage.costUsd)}</span>
        ) : null}
        {node.startedAt === undefined ? null : <span className="figures time">{clockTime(elapsed)}</span>}
      </span>
    </div>
  );
}

/** `followUps` as people write it. */
function wordsOf(name: string): string {
  return name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function focusOn(row: Element | null): void {
  if (row instanceof HTMLElement) row.focus();
}

/** The node that stands for something or names it: itself, the innermost that links to it, or the one it was asked in. */
function nodeFor(nodes: ReadonlyMap<string, FlatNode>, key: string): string | undefined {
  const all = [...nodes.values()];
  const found =
    all.find(({ id, type }) => id === key && type !== 'run') ?? all.findLast(({ links = [] }) => links.includes(key));
  if (found !== undefined) return found.path;
  // `T1/develop#2` belongs to what is called `T1`.
  return key.includes('/') ? nodeFor(nodes, key.slice(0, key.lastIndexOf('/'))) : undefined;
}

/** Paths of everything a node lies in. */
function around(nodes: ReadonlyMap<string, FlatNode>, path: string): readonly string[] {
  const paths: string[] = [];
  for (let at = nodes.get(path)?.parent; at !== undefined && at !== ''; at = nodes.get(at)?.parent) paths.push(at);
  return paths;
}

/** Keys of agent sessions that a step names, or is. */
function sessionsOf(node: FlatNode): readonly string[] {
  if (node.type === 'effect' && node.kind === 'agent') return [node.id];
  return node.kind === 'agent' || node.kind === 'role' || node.kind === 'session' ? (node.links ?? []).slice(0, 1) : [];
}

function rowsOf(
  children: ReadonlyMap<string, readonly FlatNode[]>,
  choices: ReadonlyMap<string, boolean>,
  isMuch: boolean,
): readonly Row[] {
  const rows: Row[] = [];
  const add = (parent: string, depth: number): void => {
    for (const node of children.get(parent) ?? []) {
      const hasChildren = children.has(node.path);
      const isOpen = hasChildren && (choices.get(node.path) ?? (!isMuch || !['done', 'skipped'].includes(node.status)));
      rows.push({ node, depth, hasChildren, isOpen });
      if (isOpen) add(node.path, depth + 1);
    }
  };
  // The run itself is the page's head.
  for (const root of children.get('') ?? []) add(root.path, 0);
  return rows;
}
