/**
 * A run's facts as log entries for those who ask for some of them: by task, phase and severity, newest last. One
 * sentence each, cut to size; nothing in them is more than the journal already shows. Pure.
 */
import type { EffectOutput } from '../engine/effect-map.ts';
import type { Fact, FactOf, FactType, Place } from '../engine/facts.ts';
import { clipText } from '../plan/refusal.ts';
import { advanceChronicle, type Chronicle, emptyChronicle } from './chronicle.ts';
import { factLine } from './fact-line.ts';
import { placeOfEffect, placesAround } from './outline.ts';

export const logSeverities = ['info', 'warn', 'error'] as const;
export type Severity = (typeof logSeverities)[number];

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
    const text = clipText(factLine(fact, chronicle) ?? '', longestText);
    events.push({
      timestamp: fact.at,
      runId: state.created?.run ?? '',
      phase: phaseOf(fact, chronicle),
      moduleId: moduleOf(fact, chronicle),
      event: fact.type,
      severity: severityOf(fact, chronicle),
      data: { key: fact.key, ...(kind === undefined ? {} : { kind }), ...(text === '' ? {} : { text }) },
    });
  }
  return events;
}

/** The innermost task around a fact, by its id; one that only reads goes by its key, as its id is often used again. */
function moduleOf(fact: Fact, { state }: Chronicle): string | null {
  const task = placesAround(state, placeOf(fact, state)).findLast(({ type }) => type === 'task')?.key;
  if (task === undefined) return null;
  return state.scheduled.get(task)?.readOnly === true ? task : (state.tasks.get(task)?.task ?? task);
}

/** The step or task a fact is about, or was asked in. */
function placeOf({ type, key }: Fact, state: Chronicle['state']): Place | undefined {
  if (state.steps.has(key) && type.startsWith('step.')) return { type: 'step', key };
  if (type.startsWith('task.')) return { type: 'task', key };
  return state.effects.has(key) ? placeOfEffect(state, key) : state.questions.get(key)?.within;
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

/** By the kind of an effect, or of the outermost step around it. */
const phases: Readonly<Record<string, string>> = {
  plan: 'planning',
  learn: 'memory',
  'check.run': 'validation',
  'contracts.check': 'validation',
  'hooks.run': 'validation',
  'evidence.measure': 'validation',
  'merge.prepare': 'integration',
  'merge.land': 'integration',
  'branch.publish': 'integration',
  'memory.recall': 'memory',
  'memory.save': 'memory',
  'forecast.make': 'planning',
};

function phaseOf(fact: Fact, { state }: Chronicle): string {
  if (fact.type === 'plan.accepted') return 'planning';
  const place = placeOf(fact, state);
  const [outermost] = placesAround(state, place);
  const around = outermost?.type === 'step' ? state.steps.get(outermost.key)?.kind : undefined;
  const known = phases[state.effects.get(fact.key)?.kind ?? ''] ?? phases[around ?? ''];
  return known ?? (place === undefined ? 'session' : 'execution');
}

type Ratings = { readonly [T in FactType]?: (fact: FactOf<T>, chronicle: Chronicle) => Severity };

/** Facts that have no row are good news, or none. */
const ratings: Ratings = {
  'run.ended': ({ data }) => (data.status === 'failed' ? 'error' : data.status === 'cancelled' ? 'warn' : 'info'),
  'run.suspended': ({ data }) => (data.reason === 'error' ? 'error' : data.reason === 'limit' ? 'warn' : 'info'),
  'task.ended': ({ data }) => (data.status === 'failed' ? 'error' : data.status === 'done' ? 'info' : 'warn'),
  'signal.received': ({ data }) => (data.refused === undefined ? 'info' : 'warn'),
  'effect.interrupted': () => 'warn',
  'step.ended': ({ data }) => (data.status === 'failed' ? 'warn' : 'info'),
  'effect.finished': ({ key, data }, { state, sessions }) => {
    const session = sessions.get(key);
    if (session !== undefined) return session.outcome.status === 'replied' ? 'info' : 'warn';
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
