/**
 * A run's facts as log entries for those who ask for some of them: by module, phase and severity, newest last. One
 * sentence each, cut to size; nothing in them is more than the journal already shows. Pure.
 */
import type { EffectOutput } from '../engine/effect-map.ts';
import type { Fact, FactOf, FactType } from '../engine/facts.ts';
import { ownerOf } from '../engine/reopen.ts';
import { clip } from '../plan/refusal.ts';
import { advanceChronicle, type Chronicle, emptyChronicle } from './chronicle.ts';
import { factLine } from './fact-line.ts';
import { isLens } from './modules-keys.ts';

export const severities = ['info', 'warn', 'error'] as const;
export type Severity = (typeof severities)[number];

export interface LogEvent {
  readonly timestamp: string;
  readonly runId: string;
  readonly phase: string;
  readonly moduleId: string | null;
  readonly event: string;
  readonly severity: Severity;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface LogFilter {
  readonly moduleId?: string | undefined;
  readonly phase?: string | undefined;
  readonly severity?: Severity | undefined;
  readonly limit: number;
}

const longestText = 1000;

export function logEvents(facts: Iterable<Fact>): readonly LogEvent[] {
  const chronicle = emptyChronicle();
  const events: LogEvent[] = [];
  for (const fact of facts) {
    advanceChronicle(chronicle, fact);
    if (fact.type === 'effect.progressed') continue;
    const { state } = chronicle;
    const kind = state.effects.get(fact.key)?.kind;
    const text = clip(factLine(fact, chronicle) ?? '', longestText);
    events.push({
      timestamp: fact.at,
      runId: state.created?.run ?? '',
      phase: phaseOf(fact, chronicle),
      moduleId: moduleOf(fact.key, chronicle),
      event: fact.type,
      severity: severityOf(fact, chronicle),
      data: { key: fact.key, ...(kind === undefined ? {} : { kind }), ...(text === '' ? {} : { text }) },
    });
  }
  return events;
}

/** By its id, wherever it was scheduled; a lens is no module and goes by its key. */
function moduleOf(key: string, { state }: Chronicle): string | null {
  const planned = new Set(state.plan?.tasks.map((task) => task.id));
  const owner = ownerOf(key, { has: (name) => planned.has(name) || state.tasks.has(name) });
  if (owner === undefined) return null;
  return isLens(owner) ? owner : (state.tasks.get(owner)?.task ?? owner);
}

export function filterEvents(events: readonly LogEvent[], filter: LogFilter): readonly LogEvent[] {
  const { moduleId, phase, severity, limit } = filter;
  return events
    .filter(
      (event) =>
        (moduleId === undefined || event.moduleId === moduleId) &&
        (phase === undefined || event.phase === phase) &&
        (severity === undefined || event.severity === severity),
    )
    .slice(-limit);
}

const phases: Readonly<Record<string, string>> = {
  architect: 'planning',
  planner: 'planning',
  worker: 'execution',
  developer: 'execution',
  reviewer: 'review',
  auditor: 'review',
  tester: 'validation',
  overseer: 'retry',
  debugger: 'retry',
  learner: 'memory',
  'check.run': 'validation',
  'contracts.check': 'validation',
  'evidence.measure': 'validation',
  'merge.prepare': 'integration',
  'merge.land': 'integration',
  'branch.publish': 'integration',
  'memory.recall': 'memory',
  'memory.save': 'memory',
  'forecast.make': 'planning',
};

function phaseOf({ type, key }: Fact, { state }: Chronicle): string {
  if (type === 'plan.accepted') return 'planning';
  const effect = state.effects.get(key);
  if (effect !== undefined) {
    const { role } = (effect.input ?? {}) as { readonly role?: unknown };
    return phases[typeof role === 'string' ? role : effect.kind] ?? 'execution';
  }
  return type.startsWith('task.') ? 'execution' : 'session';
}

type Ratings = { readonly [T in FactType]?: (fact: FactOf<T>, chronicle: Chronicle) => Severity };

/** Facts that have no row are good news, or none. */
const ratings: Ratings = {
  'run.ended': ({ data }) => (data.status === 'failed' ? 'error' : data.status === 'cancelled' ? 'warn' : 'info'),
  'run.suspended': ({ data }) => (data.reason === 'error' ? 'error' : data.reason === 'limit' ? 'warn' : 'info'),
  'task.ended': ({ data }) => (data.status === 'failed' ? 'error' : data.status === 'done' ? 'info' : 'warn'),
  'signal.received': ({ data }) => (data.refused === undefined ? 'info' : 'warn'),
  'effect.interrupted': () => 'warn',
  'effect.finished': ({ key, data }, { state, readings }) => {
    const reading = readings.get(key);
    if (reading !== undefined) return reading.status === 'accepted' ? 'info' : 'warn';
    return ofOutput(state.effects.get(key)?.kind, data.output);
  },
};

function severityOf(fact: Fact, chronicle: Chronicle): Severity {
  const rate = ratings[fact.type] as ((fact: Fact, chronicle: Chronicle) => Severity) | undefined;
  return rate?.(fact, chronicle) ?? 'info';
}

function ofOutput(kind: string | undefined, output: unknown): Severity {
  if (kind === 'check.run') {
    const { status } = output as EffectOutput<'check.run'>;
    return status === 'failed' ? 'error' : status === 'passed' ? 'info' : 'warn';
  }
  if (kind === 'contracts.check') {
    const { results } = output as EffectOutput<'contracts.check'>;
    return results.every((result) => result.passed) ? 'info' : 'error';
  }
  if (kind === 'merge.prepare')
    return (output as EffectOutput<'merge.prepare'>).status === 'conflict' ? 'warn' : 'info';
  return 'info';
}
