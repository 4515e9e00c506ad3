/** What one agent said and did, entry by entry, however long; followed while it works, searched on the server. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { RunDetails } from '../../../src/api/inspect-run.ts';
import { durationText, tokensText } from '../../../src/views/figures.ts';
import { sessionToShow } from '../../../src/views/session-to-show.ts';
import { repositoryPath } from '../../../src/views/workspace-path.ts';
import { Ago, Empty, isOver, Loading, Path, Pill, Said, Sign, spendText, Trouble } from '../parts/basics.tsx';
import { useShownPart } from '../parts/shown-part.tsx';
import { cut, visible } from '../parts/visible-text.ts';
import { replace } from '../route.ts';
import type { ViewProps } from '../run/run-view.tsx';
import { useSource } from '../source/source.ts';
import { useDetails, workedOf } from './details.ts';
import { type NumberedLine, useLines } from './lines.ts';
import { useStayAtEnd } from './stay-at-end.ts';

type Session = RunDetails['sessions'][number];

export interface TranscriptEntry {
  readonly at: string;
  readonly type: string;
  readonly text: string;
  readonly tool?: {
    readonly name: string;
    readonly kind?: string;
    readonly paths: readonly string[];
    readonly status: string;
  };
}

export function Transcript(props: ViewProps): ReactNode {
  const { value, failure, reload } = useDetails(props);
  const { query, address, now } = props;
  const { rows, button } = useShownPart(value?.sessions ?? [], { size: 200, end: true });
  if (failure !== undefined && value === undefined) return <Trouble failure={failure} onRetry={reload} />;
  if (value === undefined) return <Loading />;
  const { sessions } = value;
  const key = query.get('key') ?? sessionToShow(sessions)?.key;
  const session = sessions.find((one) => one.key === key);
  const listed = session === undefined || rows.includes(session) ? rows : [session, ...rows];
  if (sessions.length === 0 || key === undefined) {
    return isOver(props.page) ? (
      <Empty title="No agent worked in this run" />
    ) : (
      <Empty title="No agent has worked yet">What agents say and do appears here as they work.</Empty>
    );
  }
  return (
    <div className="split">
      <nav className="sessions" aria-label="Agent sessions">
        <label className="field narrow-only">
          <span>Session</span>
          <select value={key} onChange={({ target }) => replace(address('transcript', { key: target.value }))}>
            {listed.map((one) => (
              <option key={one.key} value={one.key}>
                {visible(`${one.role}: ${one.owner}`)}
              </option>
            ))}
          </select>
        </label>
        {button}
        <ul className="wide-only">
          {listed.map((one) => (
            <li key={one.key}>
              <a href={address('transcript', { key: one.key })} aria-current={one.key === key} data-entry="">
                <span className="session-head">
                  <Sign status={one.status} />
                  <Said text={one.role} className="session-role" />
                  <span className="soft figures">{one.usage === undefined ? '' : spendText(one.usage)}</span>
                </span>
                <Said text={one.where || one.owner} className="soft session-where" />
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {session === undefined ? (
        <Empty title="There is no such session" />
      ) : (
        <SessionView key={session.key} {...props} session={session} now={now} />
      )}
    </div>
  );
}

function SessionView({
  session,
  run,
  repository,
  page,
  query,
  address,
  now,
}: ViewProps & { readonly session: Session }): ReactNode {
  const source = useSource();
  const [total, setTotal] = useState<number>();
  const [isOpen, setOpen] = useState(session.status === 'running');
  const [search, setSearch] = useState('');
  const [hidesThoughts, setHidesThoughts] = useState(false);
  useEffect(
    () =>
      source.follow(
        { operation: 'watch-transcript', input: { run, key: session.key }, repository },
        {
          value: (news: { total: number; isOpen: boolean }) => {
            setTotal(news.total);
            setOpen(news.isOpen);
          },
        },
      ),
    [source, run, repository, session.key],
  );
  return (
    <section className="session" aria-label={`Session ${session.key}`}>
      <header className="session-facts">
        <h2>
          <Said text={session.role} /> <span className="soft">{session.agent}</span>
        </h2>
        <p className="soft">
          {[
            session.model,
            session.attempt > 1 ? `attempt ${session.attempt}` : '',
            durationText(workedOf(session, { page, now })),
          ]
            .filter(Boolean)
            .join(' · ')}
          {session.usage === undefined
            ? ''
            : ` · ${[spendText(session.usage), `${tokensText(session.usage.inputTokens)} in, ${tokensText(session.usage.outputTokens)} out`, session.usage.turns > 0 ? `${session.usage.turns} turns` : ''].filter(Boolean).join(' · ')}`}{' '}
          · <Ago at={session.startedAt} now={now} />
        </p>
        {session.summary === '' ? null : (
          <p className="prose">
            <Said text={session.summary} />
          </p>
        )}
        {session.reasons.length === 0 ? null : <p className="soft">Chosen because: {session.reasons.join('; ')}</p>}
        <div className="toolbar">
          {total === 0 ? null : (
            <>
              <input
                type="search"
                placeholder="Search"
                aria-label="Search this transcript"
                value={search}
                onChange={({ target }) => setSearch(target.value)}
              />
              <label className="check">
                <input
                  type="checkbox"
                  checked={hidesThoughts}
                  onChange={({ target }) => setHidesThoughts(target.checked)}
                />
                <span>Hide thoughts</span>
              </label>
            </>
          )}
          {session.files > 0 ? (
            <a className="button" href={address('changes', { work: session.key })}>
              {session.files} changed {session.files === 1 ? 'file' : 'files'}
            </a>
          ) : null}
          {isOpen ? <Pill status="running">at work</Pill> : null}
        </div>
      </header>
      {total === undefined ? (
        <Loading />
      ) : total === 0 ? (
        <Empty title={isOpen ? 'It has said nothing yet' : 'It left no transcript'}>
          {isOpen ? 'What it says and does appears here.' : 'This agent gave its result and said nothing else.'}
        </Empty>
      ) : (
        <Entries
          run={run}
          repository={repository}
          sessionKey={session.key}
          total={total}
          search={search}
          hidesThoughts={hidesThoughts}
          follows={isOpen}
          start={Number(query.get('entry') ?? 0)}
          address={(entry) => address('transcript', { key: session.key, entry: String(entry) })}
        />
      )}
    </section>
  );
}

interface EntriesProps {
  readonly run: string;
  readonly repository: string | undefined;
  readonly sessionKey: string;
  readonly total: number;
  readonly search: string;
  readonly hidesThoughts: boolean;
  /** The agent is at work: stay at the end. */
  readonly follows: boolean;
  /** The entry a link leads to; 0 for none. */
  readonly start: number;
  readonly address: (entry: number) => string;
}

function Entries({
  run,
  repository,
  sessionKey,
  total,
  search,
  hidesThoughts,
  follows,
  start,
  address,
}: EntriesProps): ReactNode {
  const element = useRef<HTMLDivElement>(null);
  const lines = useLines('read-transcript', { run, key: sessionKey }, { repository, total, search });
  const virtual = useVirtualizer({
    count: lines.count,
    getScrollElement: () => element.current,
    estimateSize: () => 72,
    overscan: 8,
  });
  const stay = useStayAtEnd(element, {
    isOn: follows && search === '',
    size: virtual.getTotalSize(),
    begins: start === 0,
  });
  // Again when it has come: only then its height is known.
  const target = start > 0 && search === '' ? lines.at(start - 1)?.number : undefined;
  useEffect(() => {
    if (start === 0 || search !== '') return;
    const go = (): void => virtual.scrollToIndex(start - 1, { align: 'center' });
    go();
    const frame = requestAnimationFrame(go);
    return () => cancelAnimationFrame(frame);
  }, [start, target]);
  if (lines.failure !== undefined) return <Trouble failure={lines.failure} />;
  return (
    <>
      {search === '' ? null : (
        <p className="soft" role="status">
          {lines.found === undefined
            ? 'Searching…'
            : `${lines.found} of ${total} entries${lines.found > lines.count ? `, the first ${lines.count} are shown` : ''}`}
        </p>
      )}
      <div ref={element} className="virtual tall entries" role="group" aria-label="Transcript" tabIndex={0} {...stay}>
        <div style={{ height: virtual.getTotalSize() }} className="virtual-inner">
          {virtual.getVirtualItems().map((item) => (
            <div
              key={item.key}
              ref={virtual.measureElement}
              data-index={item.index}
              className="virtual-row"
              style={{ transform: `translateY(${item.start}px)` }}
            >
              <Entry
                line={lines.at(item.index)}
                hidesThoughts={hidesThoughts}
                isMarked={lines.at(item.index)?.number === start}
                address={address}
              />
            </div>
          ))}
        </div>
      </div>
    </>
  );
}

const signs: Readonly<Record<string, string>> = {
  text: '',
  thought: 'thinks',
  tool: 'tool',
  output: 'output',
  error: 'error',
  note: 'note',
};

function Entry({
  line,
  hidesThoughts,
  isMarked,
  address,
}: {
  readonly line: NumberedLine | undefined;
  readonly hidesThoughts: boolean;
  readonly isMarked: boolean;
  readonly address: (entry: number) => string;
}): ReactNode {
  if (line === undefined) return <div className="entry soft">…</div>;
  const entry = readEntry(line.text);
  if (hidesThoughts && entry.type === 'thought') return <div className="entry thought soft">…</div>;
  const { text, more } = cut(visible(entry.text), 20_000);
  if (entry.type === 'usage') return <UsageEntry number={line.number} text={text} href={address(line.number)} />;
  // An edit is what people look for; it stays open.
  const isFolded = (entry.type === 'tool' || entry.type === 'output') && !isPatch(text);
  return (
    <article className={`entry ${entry.type}${isMarked ? ' marked' : ''}`} aria-label={`Entry ${line.number}`}>
      <a className="entry-number soft" href={address(line.number)} title={entry.at}>
        {line.number}
      </a>
      <div className="entry-main">
        {entry.tool === undefined ? (
          signs[entry.type] ? (
            <span className="entry-type">{signs[entry.type]}</span>
          ) : null
        ) : (
          <p className="entry-tool">
            <span className="entry-type">{entry.tool.kind ?? 'tool'}</span>{' '}
            <Said text={entry.tool.name} className="mono" />{' '}
            {entry.tool.paths.map((path) => (
              <Path key={path} name={repositoryPath(path)} className="path" />
            ))}
            {entry.tool.status === 'done' ? null : <span className="soft"> ({entry.tool.status})</span>}
          </p>
        )}
        {text === '' ? null : isFolded && text.length > 400 ? (
          <details>
            <summary className="soft">{text.slice(0, 120).split('\n', 1)[0]}…</summary>
            <Body text={text} />
          </details>
        ) : (
          <Body text={text} isProse={entry.type === 'text' || entry.type === 'thought'} />
        )}
        {more > 0 ? <p className="soft">{more.toLocaleString()} more characters are not shown.</p> : null}
      </div>
    </article>
  );
}

/** What a turn cost: a line between what was said. */
function UsageEntry({
  number,
  text,
  href,
}: {
  readonly number: number;
  readonly text: string;
  readonly href: string;
}): ReactNode {
  return (
    <article className="entry usage" aria-label={`Entry ${number}`}>
      <a className="entry-number soft" href={href}>
        {number}
      </a>
      <p className="soft figures">{text}</p>
    </article>
  );
}

function isPatch(text: string): boolean {
  return /^(?:---|\+\+\+|@@|diff --git)/m.test(text);
}

/** An edit that an agent reports as a patch is shown as one. */
function Body({ text, isProse = false }: { readonly text: string; readonly isProse?: boolean }): ReactNode {
  if (!isProse && isPatch(text)) {
    return (
      <pre className="patch">
        {text.split('\n').map((line, at) => (
          <span
            key={at}
            className={
              line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : line.startsWith('@@') ? 'hunk' : ''
            }
          >
            {line}
            {'\n'}
          </span>
        ))}
      </pre>
    );
  }
  return isProse ? <p className="prose said">{text}</p> : <pre className="said">{text}</pre>;
}

function readEntry(text: string): TranscriptEntry {
  try {
    const { at = '', type = 'text', text: said = '', tool } = JSON.parse(text) as Partial<TranscriptEntry>;
    return { at, type, text: said, ...(tool === undefined ? {} : { tool }) };
  } catch {
    return { at: '', type: 'note', text };
  }
}
