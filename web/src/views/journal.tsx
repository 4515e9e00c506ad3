/** The journal as it was written: filter, follow, the raw line, and whether its chain of hashes holds. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useRef, useState } from 'react';
import { Said, Trouble } from '../parts/basics.tsx';
import { cut, visible } from '../parts/visible-text.ts';
import type { ViewProps } from '../run/run-view.tsx';
import { type Failure, failureOf, useSource } from '../source/source.ts';
import { type NumberedLine, useLines } from './lines.ts';
import { useStayAtEnd } from './stay-at-end.ts';

const nouns = [
  'run',
  'effect',
  'step',
  'steps',
  'task',
  'tasks',
  'question',
  'signal',
  'plan',
  'ref',
  'note',
  'landing',
];

export function Journal({ run, repository, page }: ViewProps): ReactNode {
  const [search, setSearch] = useState('');
  const [type, setType] = useState('');
  const [follows, setFollows] = useState(false);
  const element = useRef<HTMLDivElement>(null);
  const filter = type === '' ? {} : { type };
  const lines = useLines('read-journal', { run }, { repository, total: page.seq, search, filter });
  const virtual = useVirtualizer({
    count: lines.count,
    getScrollElement: () => element.current,
    estimateSize: () => 36,
    overscan: 20,
  });
  const stay = useStayAtEnd(element, { isOn: follows, size: virtual.getTotalSize() });
  return (
    <>
      <div className="toolbar">
        <input
          type="search"
          placeholder="Search"
          aria-label="Search the journal"
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
        <select aria-label="Facts about" value={type} onChange={({ target }) => setType(target.value)}>
          <option value="">All facts</option>
          {nouns.map((noun) => (
            <option key={noun} value={noun}>
              {noun}
            </option>
          ))}
        </select>
        <button type="button" onClick={() => virtual.scrollToIndex(lines.count - 1)}>
          To the end
        </button>
        {page.isLive ? (
          <label className="check">
            <input type="checkbox" checked={follows} onChange={({ target }) => setFollows(target.checked)} />
            <span>Follow</span>
          </label>
        ) : null}
        <Verify run={run} repository={repository} />
        <span className="soft" role="status">
          {lines.found === undefined ? `${page.seq.toLocaleString()} facts` : `${lines.found.toLocaleString()} fit`}
        </span>
      </div>
      {lines.failure === undefined ? null : <Trouble failure={lines.failure} />}
      <div ref={element} className="virtual tall" role="group" aria-label="Journal" tabIndex={0} {...stay}>
        <div style={{ height: virtual.getTotalSize() }} className="virtual-inner">
          {virtual.getVirtualItems().map((item) => (
            <div
              key={item.key}
              ref={virtual.measureElement}
              data-index={item.index}
              className="virtual-row"
              style={{ transform: `translateY(${item.start}px)` }}
            >
              <FactRow line={lines.at(item.index)} />
            </div>
          ))}
        </div>
      </div>
    </>
  );
}

function FactRow({ line }: { readonly line: NumberedLine | undefined }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  if (line === undefined) return <div className="fact-row soft">…</div>;
  const fact = readFact(line.text);
  return (
    <div className="fact-row">
      <button type="button" className="fact-head" aria-expanded={isOpen} data-entry="" onClick={() => setOpen(!isOpen)}>
        <span className="soft figures fact-number">{line.number}</span>
        <span className="soft figures" title={fact.at}>
          {timeOfDay(fact.at)}
        </span>
        <span className="fact-type">{fact.type}</span>
        <Said text={fact.key} className="mono fact-key" />
        <Said text={fact.short} className="soft fact-short" />
      </button>
      {isOpen ? <pre className="raw">{visible(pretty(line.text))}</pre> : null}
    </div>
  );
}

/** On the clock of whoever looks, as every other time. */
function timeOfDay(at: string): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? '' : date.toTimeString().slice(0, 8);
}

function readFact(text: string): { at: string; type: string; key: string; short: string } {
  try {
    const { at = '', type = '', key = '', data } = JSON.parse(text) as Record<string, unknown>;
    return { at: String(at), type: String(type), key: String(key), short: cut(JSON.stringify(data ?? {}), 300).text };
  } catch {
    return { at: '', type: 'unreadable', key: '', short: cut(text, 300).text };
  }
}

function pretty(text: string): string {
  return cut(text, 100_000).text;
}

function Verify({ run, repository }: { readonly run: string; readonly repository: string | undefined }): ReactNode {
  const source = useSource();
  const [said, setSaid] = useState('');
  const [failure, setFailure] = useState<Failure>();
  if (!source.isLive) return null;
  const verify = async (): Promise<void> => {
    setSaid('Checking…');
    try {
      const { isWhole, facts, hash, problem } = await source.call<{
        isWhole: boolean;
        facts: number;
        hash: string;
        problem?: string;
      }>('verify-journal', { run }, repository);
      setSaid(
        isWhole
          ? `✓ The chain of ${facts.toLocaleString()} facts holds. Its last hash is ${hash.slice(0, 12)}.`
          : `✗ ${problem ?? 'The chain is broken.'}`,
      );
    } catch (error) {
      setFailure(failureOf(error));
    }
  };
  return (
    <>
      <button type="button" onClick={() => void verify()}>
        Verify chain
      </button>
      {said === '' ? null : <span role="status">{said}</span>}
      {failure === undefined ? null : <Trouble failure={failure} />}
    </>
  );
}
