/**
 * What documents need of a recorded run of `waves`: the plan as proposed, and the rounds of each wave and of the
 * integration test with their sessions, checks and evidence. Read from the run's steps.
 */
import { z } from 'zod';
import type { EffectOutput } from '../../../engine/effect-map.ts';
import type { Place } from '../../../engine/facts.ts';
import type { StepRecord } from '../../../engine/run-state.ts';
import { type Task, taskSchema } from '../../../plan/plan.ts';
import type { RoleReply } from '../../moves/ask-role.ts';
import type { AgentSession } from '../../../views/agent-session.ts';
import type { Chronicle } from '../../../views/chronicle.ts';
import { entriesAt } from '../../../views/outline.ts';
import { waveRoles } from '../roles.ts';

/** Tolerant: a field that is missing or odd costs that field, not the document. */
const proposalSchema = z.object({
  slug: z.string().catch(''),
  requirement: z.string().catch(''),
  overview: z
    .object({
      techStack: z.string().catch(''),
      architecture: z.string().catch(''),
      businessLogic: z.string().catch(''),
      keyDecisions: z.array(z.string()).catch([]),
    })
    .optional()
    .catch(undefined),
  waves: z.array(z.array(z.string())).catch([]),
  warnings: z.array(z.string()).catch([]),
  risks: z.array(z.string()).catch([]),
  knowledgeApplied: z.array(z.string()).catch([]),
  confirmedDecisions: z.array(z.object({ question: z.string(), answer: z.string() })).catch([]),
  tasks: z.array(taskSchema).catch([]),
});
export type Proposal = z.infer<typeof proposalSchema>;

/** As approved, else as it was shown last; undefined until there is one. */
export function proposalOf({ notes, state }: Chronicle): Proposal | undefined {
  const shown = [...notes]
    .filter(([key]) => key === 'waves' || /^proposal(#|$)/.test(key))
    .map(([, note]) => note.data);
  const read = shown.flatMap((data) => proposalSchema.safeParse(data).data ?? []);
  const newest = read.at(-1);
  if (newest === undefined) return undefined;
  const tasks: readonly Task[] = state.plan?.tasks ?? read.findLast((one) => one.tasks.length > 0)?.tasks ?? [];
  return { ...newest, tasks: [...tasks], risks: state.plan?.risks ?? newest.risks };
}

/** Part of file names, so only letters, digits and dashes. */
export function slugOf({ state }: Chronicle): string {
  const slug: unknown = Object(state.created?.input)['slug'];
  const wanted = (typeof slug === 'string' ? slug : '') || state.created?.run || 'run';
  const name = wanted.replaceAll(/[^A-Za-z0-9_-]+/g, '-').replaceAll(/^-+|-+$/g, '');
  return name.slice(0, 80) || 'run';
}

export interface AgentStep {
  readonly key: string;
  readonly title: string;
  readonly isOver: boolean;
  /** Attempts in order; the last one is the one that counts. */
  readonly sessions: readonly AgentSession[];
  /** Why earlier attempts were asked again. */
  readonly recoveries: readonly string[];
  readonly status: string;
}

export interface WaveRound {
  /** 1 is the first; later ones begin with fixes. */
  readonly number: number;
  readonly step: StepRecord;
  readonly agents: readonly AgentStep[];
  readonly checks: EffectOutput<'check.run'> | undefined;
  readonly evidence: EffectOutput<'evidence.measure'> | undefined;
}

export const integrationPlace: Place = { type: 'step', key: 'integration' };

export function wavePlace(wave: number): Place {
  return { type: 'task', key: `W${wave}` };
}

export function roundsAt(run: Chronicle, place: Place): WaveRound[] {
  return stepsAt(run, place)
    .filter(([, step]) => step.kind === 'round')
    .map(([key, step], index) => {
      const inside = stepsAt(run, { type: 'step', key });
      const links = inside.flatMap(([, { kind, end }]) => (kind === 'check' ? (end?.links ?? []) : []));
      return {
        number: index + 1,
        step,
        agents: inside.filter(([, { kind }]) => kind === 'agent').map((entry) => agentStep(run, entry)),
        checks: lastOutput(run, links, 'check.run'),
        evidence: lastOutput(run, links, 'evidence.measure'),
      };
    });
}

function stepsAt({ outline, state }: Chronicle, place: Place): (readonly [string, StepRecord])[] {
  return entriesAt(outline, state, place).flatMap(({ type, key }) => {
    const step = type === 'step' ? state.steps.get(key) : undefined;
    return step === undefined ? [] : [[key, step] as const];
  });
}

function agentStep(run: Chronicle, [key, { title, end }]: readonly [string, StepRecord]): AgentStep {
  const recoveries = stepsAt(run, { type: 'step', key });
  const places: Place[] = [{ type: 'step', key }, ...recoveries.map(([at]) => ({ type: 'step', key: at }) as const)];
  const sessions = places.flatMap((place) =>
    entriesAt(run.outline, run.state, place).flatMap(({ key: effect }) => run.sessions.get(effect) ?? []),
  );
  return {
    key,
    title,
    isOver: end !== undefined,
    sessions,
    recoveries: recoveries.map(([, step]) => step.detail),
    status: end?.status ?? '',
  };
}

function lastOutput<K extends 'check.run' | 'evidence.measure'>(
  { state }: Chronicle,
  keys: readonly string[],
  kind: K,
): EffectOutput<K> | undefined {
  const key = keys.findLast((one) => state.effects.get(one)?.kind === kind);
  return key === undefined ? undefined : (state.effects.get(key)?.result?.output as EffectOutput<K> | undefined);
}

/** The reply that counted, if there was one. */
export function replyOf<R extends keyof typeof waveRoles>(
  agent: AgentStep | undefined,
  role: R,
): RoleReply<typeof waveRoles, R> | undefined {
  const last = agent?.sessions.at(-1);
  if (last?.role !== role || last.outcome.status !== 'replied') return undefined;
  const parsed = waveRoles[role].result.safeParse(last.outcome.reply);
  return parsed.success ? (parsed.data as RoleReply<typeof waveRoles, R>) : undefined;
}
