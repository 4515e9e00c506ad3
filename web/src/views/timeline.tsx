/** What ran when and in parallel, and what was waited for: a row per piece of work, a bar per session, check, merge and wait. */
import { type CSSProperties, type ReactNode, useMemo } from 'react';
import type { RunDetails } from '../../../src/api/inspect-run.ts';
import { durationText } from '../../../src/views/figures.ts';
import { Empty, Loading, Said, Trouble } from '../parts/basics.tsx';
import { useShownPart } from '../parts/shown-part.tsx';
import { visible } from '../parts/visible-text.ts';
import type { ViewProps } from '../run/run-view.tsx';
import { useDetails } from './details.ts';

type Report = RunDetails['report'];

interface Bar {
  readonly key: string;
  readonly owner: string;
  readonly kind: Report['spans'][number]['kind'] | 'wait';
  readonly title: string;
  readonly from: number;
  readonly until: number;
  readonly isOpen: boolean;
}

interface Lane {
  readonly owner: string;
  /** Bars that overlap stand below each other. */
  readonly rows: readonly (readonly Bar[])[];
}

export function Timeline(props: ViewProps): ReactNode {
  const { value, failure, reload } = useDetails(props);
  const { page, now } = props;
  const end = page.isLive ? now : Date.parse(value?.report.endedAt ?? page.updatedAt);
  const lanes = useMemo(() => (value === undefined ? [] : lanesOf(value.report, end)), [value, Math.floor(end / 5000)]);
  const { rows, button } = useShownPart(lanes, { size: 150, end: true });
  const critical = useMemo(() => criticalOwners(value), [value]);
  if (failure !== undefined && value === undefined) return <Trouble failure={failure} onRetry={reload} />;
  if (value === undefined) return <Loading />;
  if (lanes.length === 0)
    return <Empty title="Nothing has run yet">Sessions, checks and merges appear here with their times.</Empty>;
  const start = rows.reduce((least, lane) => Math.min(least, startOf(lane)), end);
  const whole = Math.max(1000, end - start);
  return (
    <div
      className="timeline"
      role="group"
      aria-label="Timeline"
      style={{ '--tick': `${(tickOf(whole) / whole) * 100}%` } as CSSProperties}
    >
      {button}
      <Axis start={start} whole={whole} />
      {rows.map((lane) => (
        <div key={lane.owner} className="lane">
          <div className={`lane-name${critical.has(lane.owner) ? ' critical' : ''}`}>
            <Said text={lane.owner} />
            {critical.has(lane.owner) ? <span className="hidden"> (on the longest path)</span> : null}
          </div>
          <div className="lane-rows">
            {lane.rows.map((row, at) => (
              <div key={at} className="lane-row">
                {row.map((bar) => (
                  <TimeBar
                    key={`${bar.kind} ${bar.key} ${bar.from}`}
                    bar={bar}
                    start={start}
                    whole={whole}
                    {...props}
                  />
                ))}
              </div>
            ))}
          </div>
        </div>
      ))}
      <p className="legend soft">
        {legend.map(([kind, word]) => (
          <span key={kind}>
            <span className={`dot ${kind}`} /> {word}
          </span>
        ))}
        {rows.some(({ owner }) => critical.has(owner)) ? (
          <span>
            <span className="dot path" /> longest path
          </span>
        ) : null}
      </p>
    </div>
  );
}

const legend = [
  ['agent', 'agent'],
  ['check', 'check'],
  ['merge', 'merge'],
  ['wait', 'wait'],
] as const;

function TimeBar({
  bar,
  start,
  whole,
  address,
}: { readonly bar: Bar; readonly start: number; readonly whole: number } & Pick<ViewProps, 'address'>): ReactNode {
  const { key, kind, title, from, until, isOpen } = bar;
  const times = `${new Date(from).toLocaleTimeString()} to ${isOpen ? 'now' : new Date(until).toLocaleTimeString()}`;
  return (
    <a
      data-entry=""
      href={address(viewsOf[kind], key === '' ? {} : { key })}
      className={`bar-span ${kind}${isOpen ? ' open' : ''}`}
      style={{ left: `${((from - start) / whole) * 100}%`, width: `${Math.max(0.4, ((until - from) / whole) * 100)}%` }}
      title={`${visible(title)}${key === '' ? '' : ` (${visible(key)})`}: ${durationText(until - from)}, ${times}`}
    >
      <span>{visible(title)}</span>
    </a>
  );
}

/** Where the most is to be seen of it. */
const viewsOf: Readonly<Record<Bar['kind'], string>> = {
  agent: 'transcript',
  check: 'evidence',
  merge: 'steps',
  wait: 'steps',
};

function Axis({ start, whole }: { readonly start: number; readonly whole: number }): ReactNode {
  const tick = tickOf(whole);
  const marks = Array.from({ length: Math.floor((whole * 0.96) / tick) + 1 }, (_, at) => at * tick);
  return (
    <div className="axis soft" aria-hidden="true">
      {marks.map((ms) => (
        <span key={ms} style={{ left: `${(ms / whole) * 100}%` }} title={new Date(start + ms).toLocaleString()}>
          {ms === 0 ? new Date(start).toTimeString().slice(0, 5) : `+${durationText(ms)}`}
        </span>
      ))}
    </div>
  );
}

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];
const ticks = [
  ...[1, 2, 5, 10, 20, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 20, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12].map((count) => count * hour),
];

/** A round time of which at most five fit: the distance of the marks. */
function tickOf(whole: number): number {
  return ticks.find((tick) => whole / tick <= 5) ?? Math.ceil(whole / 5 / day) * day;
}

/** The work on the longest path, as lanes are called: a planned task may be done in another one's lane. */
function criticalOwners(details: RunDetails | undefined): ReadonlySet<string> {
  if (details === undefined) return new Set();
  const ids = new Set(details.critical);
  const units = details.report.units.filter(({ task }) => ids.has(task));
  const keys = new Set(units.map(({ key }) => key));
  const lanes = details.report.spans.filter(({ key }) => keys.has(key.split('/', 1)[0] ?? ''));
  return new Set([...units.map(({ title }) => title), ...lanes.map(({ owner }) => owner)]);
}

function lanesOf({ spans, waits }: Report, end: number): readonly Lane[] {
  const owners = new Map<string, Bar[]>();
  const add = (bar: Omit<Bar, 'from' | 'until' | 'isOpen'>, startedAt: string, endedAt: string | undefined): void => {
    const from = Date.parse(startedAt);
    const until = Math.max(from, endedAt === undefined ? end : Date.parse(endedAt));
    const own = owners.get(bar.owner) ?? [];
    owners.set(bar.owner, own);
    own.push({ ...bar, from, until, isOpen: endedAt === undefined });
  };
  for (const { key, owner, kind, role, startedAt, endedAt } of spans)
    add({ key, owner, kind, title: role }, startedAt, endedAt);
  for (const { key, owner, title, startedAt, endedAt } of waits)
    add({ key, owner, kind: 'wait', title }, startedAt, endedAt);
  const lanes = [...owners].map(([owner, bars]) => ({ owner, rows: stack(bars) }));
  return lanes.sort((a, b) => startOf(a) - startOf(b));
}

function startOf({ rows }: Lane): number {
  return rows[0]?.[0]?.from ?? 0;
}

function stack(bars: readonly Bar[]): readonly (readonly Bar[])[] {
  const rows: Bar[][] = [];
  for (const bar of [...bars].sort((a, b) => a.from - b.from)) {
    const row = rows.find((others) => (others.at(-1)?.until ?? 0) <= bar.from);
    if (row === undefined) rows.push([bar]);
    else row.push(bar);
  }
  return rows;
}
