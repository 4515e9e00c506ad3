/** What ran when and in parallel: a row per piece of work, a bar per session, check and merge. */
import { type ReactNode, useMemo } from 'react';
import type { RunDetails } from '../../../src/api/inspect-run.ts';
import { durationText } from '../../../src/views/figures.ts';
import { Empty, Loading, Said, Trouble } from '../parts/basics.tsx';
import { visible } from '../parts/visible-text.ts';
import type { ViewProps } from '../run/run-view.tsx';
import { useDetails } from './details.ts';

type Span = RunDetails['report']['spans'][number];

interface Lane {
  readonly owner: string;
  /** Bars that overlap stand below each other. */
  readonly rows: readonly (readonly Placed[])[];
}

interface Placed {
  readonly span: Span;
  readonly from: number;
  readonly until: number;
}

export function Timeline(props: ViewProps): ReactNode {
  const { value, failure, reload } = useDetails(props);
  const { page, now } = props;
  const end = page.isLive ? now : Date.parse(value?.report.endedAt ?? page.updatedAt);
  const lanes = useMemo(() => lanesOf(value?.report.spans ?? [], end), [value, Math.floor(end / 5000)]);
  if (failure !== undefined && value === undefined) return <Trouble failure={failure} onRetry={reload} />;
  if (value === undefined) return <Loading />;
  if (lanes.length === 0)
    return <Empty title="Nothing has run yet">Sessions, checks and merges appear here with their times.</Empty>;
  const start = Math.min(...lanes.flatMap(({ rows }) => rows.flatMap((row) => row.map(({ from }) => from))));
  const whole = Math.max(1000, end - start);
  const critical = new Set(value.critical);
  return (
    <div className="timeline" role="group" aria-label="Timeline">
      <Axis start={start} whole={whole} />
      {lanes.map(({ owner, rows }) => (
        <div key={owner} className="lane">
          <div className={`lane-name${[...critical].some((id) => owner.startsWith(`${id} `)) ? ' critical' : ''}`}>
            <Said text={owner} />
          </div>
          <div className="lane-rows">
            {rows.map((row, at) => (
              <div key={at} className="lane-row">
                {row.map(({ span, from, until }) => (
                  <a
                    key={`${span.key} ${span.startedAt}`}
                    data-entry=""
                    href={
                      span.kind === 'agent'
                        ? props.address('transcript', { key: span.key })
                        : props.address('evidence', { key: span.key })
                    }
                    className={`bar-span ${span.kind}${span.isOpen ? ' open' : ''}`}
                    style={{
                      left: `${((from - start) / whole) * 100}%`,
                      width: `${Math.max(0.4, ((until - from) / whole) * 100)}%`,
                    }}
                    title={`${visible(span.role)} (${visible(span.key)}): ${durationText(until - from)}, ${new Date(from).toLocaleTimeString()} to ${span.isOpen ? 'now' : new Date(until).toLocaleTimeString()}`}
                  >
                    <span>{visible(span.role)}</span>
                  </a>
                ))}
              </div>
            ))}
          </div>
        </div>
      ))}
      <p className="legend soft">
        <span className="dot agent" /> agent <span className="dot check" /> check <span className="dot merge" /> merge
      </p>
    </div>
  );
}

function Axis({ start, whole }: { readonly start: number; readonly whole: number }): ReactNode {
  const marks = [0, 0.25, 0.5, 0.75, 1];
  return (
    <div className="axis soft" aria-hidden="true">
      {marks.map((part) => (
        <span key={part} style={{ left: `${part * 100}%` }} title={new Date(start + part * whole).toLocaleString()}>
          {part === 0
            ? new Date(start).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
            : `+${durationText(part * whole)}`}
        </span>
      ))}
    </div>
  );
}

function lanesOf(spans: readonly Span[], end: number): readonly Lane[] {
  const owners = new Map<string, Placed[]>();
  for (const span of spans) {
    const from = Date.parse(span.startedAt);
    const until = Math.max(from, span.endedAt === undefined ? end : Date.parse(span.endedAt));
    const own = owners.get(span.owner) ?? [];
    owners.set(span.owner, own);
    own.push({ span, from, until });
  }
  return [...owners].map(([owner, placed]) => ({ owner, rows: stack(placed) }));
}

function stack(placed: readonly Placed[]): readonly (readonly Placed[])[] {
  const rows: Placed[][] = [];
  for (const one of [...placed].sort((a, b) => a.from - b.from)) {
    const row = rows.find((others) => (others.at(-1)?.until ?? 0) <= one.from);
    if (row === undefined) rows.push([one]);
    else row.push(one);
  }
  return rows;
}
