/** When what was worked on, and what it took: one span per session, check and merge, under the work it belongs to. */
import { addUsage, noUsage, type Usage } from '../../policy/usage.ts';
import { isRunOver } from '../../engine/run-state.ts';
import type { Chronicle } from '../chronicle.ts';
import { roleOf } from '../agent-session.ts';
import { ownerPlace, placeOfEffect, placeTitle } from '../outline.ts';
import { workedMs } from '../timeline.ts';
import { openWorkStatus } from '../work-rows.ts';

export interface ReportSpan {
  readonly key: string;
  /** The title of the work it belongs to: a task, or the outermost step. */
  readonly owner: string;
  readonly kind: SpanKind;
  /** The agent's role, or what the engine did. */
  readonly role: string;
  readonly startedAt: string;
  /** Also of what was cut off when the run ended. */
  readonly endedAt: string | undefined;
  /** Somebody is at work on it now. */
  readonly isOpen: boolean;
}

export type SpanKind = 'agent' | 'check' | 'merge';

/** A time in which a person or a process was waited for. */
export interface ReportWait {
  /** Of the question; empty where nobody was at work on the run. */
  readonly key: string;
  readonly owner: string;
  readonly title: string;
  readonly startedAt: string;
  readonly endedAt: string | undefined;
}

export interface SpendRow {
  readonly name: string;
  readonly sessions: number;
  readonly usage: Usage;
  /** At work, not waiting. */
  readonly workedMs: number;
}

const kinds: Readonly<Record<string, SpanKind>> = {
  'agent.run': 'agent',
  'check.run': 'check',
  'contracts.check': 'check',
  'hooks.run': 'check',
  'evidence.measure': 'check',
  'merge.prepare': 'merge',
  'merge.land': 'merge',
};

export function reportSpans(chronicle: Chronicle): ReportSpan[] {
  const { state, timeline } = chronicle;
  const isAtWork = openWorkStatus(state, true) === 'running';
  const runEnd = isRunOver(state) ? timeline.run.endedAt : undefined;
  return [...state.effects].flatMap(([key, effect]): ReportSpan[] => {
    const kind = kinds[effect.kind];
    const timing = timeline.effects.get(key);
    if (kind === undefined || timing === undefined) return [];
    const role = kind === 'agent' ? roleOf(effect.input) : (effect.kind.split('.', 1)[0] ?? kind);
    const isOpen = timing.endedAt === undefined && isAtWork;
    const { startedAt, endedAt = runEnd } = timing;
    return [{ key, owner: ownerName(chronicle, key), kind, role, startedAt, endedAt, isOpen }];
  });
}

const pauseTitles: Readonly<Record<string, string>> = {
  paused: 'Paused',
  limit: 'At its limit',
  error: 'Stopped',
};

/** While a question is open the question itself says it. */
export function reportWaits({ state, timeline }: Chronicle): ReportWait[] {
  const asked = [...state.questions].flatMap(([key, { question, within }]): ReportWait[] => {
    const timing = timeline.questions.get(key);
    if (timing === undefined) return [];
    const owner = ownerPlace(state, within);
    const { startedAt, endedAt } = timing;
    return [
      { key, owner: owner === undefined ? 'run' : placeTitle(state, owner), title: question.title, startedAt, endedAt },
    ];
  });
  const paused = timeline.pauses
    .filter(({ reason }) => reason !== 'waiting')
    .map(({ from, until, reason }) => ({
      key: '',
      owner: 'run',
      title: pauseTitles[reason] ?? reason,
      startedAt: from,
      endedAt: until,
    }));
  return [...asked, ...paused];
}

export function spendByRole(chronicle: Chronicle): SpendRow[] {
  return spendBy(chronicle, (_, input) => roleOf(input));
}

export function spendByOwner(chronicle: Chronicle): SpendRow[] {
  return spendBy(chronicle, (key) => ownerName(chronicle, key));
}

function spendBy(chronicle: Chronicle, name: (key: string, input: unknown) => string): SpendRow[] {
  const { state, timeline, sessions } = chronicle;
  const rows = new Map<string, SpendRow>();
  for (const [key, { kind, input }] of state.effects) {
    if (kind !== 'agent.run') continue;
    const at = name(key, input);
    const known = rows.get(at) ?? { name: at, sessions: 0, usage: noUsage, workedMs: 0 };
    rows.set(at, {
      name: at,
      sessions: known.sessions + 1,
      usage: addUsage(known.usage, sessions.get(key)?.usage ?? noUsage),
      workedMs: known.workedMs + workedMs(timeline.effects.get(key), timeline.seen),
    });
  }
  return [...rows.values()];
}

/** The title of the work that an effect belongs to. */
export function ownerName({ state }: Chronicle, key: string): string {
  const owner = ownerPlace(state, placeOfEffect(state, key));
  return owner === undefined ? 'run' : placeTitle(state, owner);
}
