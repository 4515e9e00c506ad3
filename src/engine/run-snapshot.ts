/**
 * What an effect may know of its run, as values: taken once when an attempt starts and handed over with the request, so
 * that whoever performs it, here or on another machine, reads no state that changes meanwhile. Pure.
 */
import type { Plan } from '../plan/plan.ts';
import type { Amount } from '../policy/amount.ts';
import type { BudgetEntry } from '../policy/budget-schemas.ts';
import type { CheckReport, HiddenProgram } from '../policy/check-report.ts';
import { grantOption, grantQuestion } from '../policy/machine-grant.ts';
import type { EffectKind } from './effect-map.ts';
import type { RefMove } from './facts.ts';
import { findMissingProof } from './merge-proof.ts';
import type { RunState } from './run-state.ts';

export interface RunSnapshot {
  readonly createdAt: string;
  readonly workflow: string;
  /** Where the result stands; undefined until the first merge, when it is still the base. */
  readonly integration: string | undefined;
  readonly judge: string | undefined;
  /** The agent a person gave all remaining work to. */
  readonly agent: string | undefined;
  readonly plan: Plan | undefined;
  readonly refs: readonly RefMove[];
  /** Limits that a person set for the run after it began. */
  readonly raised: Amount;
  /** When a provider's limit ends, by account, as far as the run waited for one before. */
  readonly waits: ReadonlyMap<string, string>;
  /** What was set aside, paid and given back so far, in order. */
  readonly budget: readonly BudgetEntry[];
  /** Programs of the machine that a person let this run see. */
  readonly granted: readonly HiddenProgram[];
  /** Outputs of the checks on the base that the request names. */
  readonly baseline: readonly CheckReport[];
  /** Commits that this run was to move its integration head to. Only for those who move it. */
  readonly merges: readonly string[];
  /** What the run's own documents changed, one move of the integration head each. Only for those who measure evidence. */
  readonly documents: readonly { readonly before: string; readonly commit: string }[];
  /** Why a ref must not move as it is asked for, as far as the run's facts show. Only for those who move one. */
  readonly unproven: string | undefined;
}

export function takeSnapshot(state: Readonly<RunState>, kind: EffectKind, request: unknown): RunSnapshot {
  const { created, createdAt, integration, judge, agent, plan, refs, raised, waits, budget } = state;
  return {
    createdAt,
    workflow: created?.workflow ?? '',
    integration,
    judge,
    agent,
    plan,
    refs: [...refs],
    raised,
    waits: new Map(waits),
    budget: kind === 'agent.run' ? [...budget] : [],
    granted: grantedPrograms(state),
    baseline: baselineReports(state, (request as { readonly baseline?: string | undefined }).baseline),
    merges: kind === 'merge.land' || kind === 'documents.land' ? headCommits(state) : [],
    documents: kind === 'evidence.measure' ? documentMoves(state) : [],
    unproven: findMissingProof(state, kind, request),
  };
}

/** Where checks could not find a program, and a person agreed to show it. Questions are few; effects are not. */
function grantedPrograms({ questions, effects }: Readonly<RunState>): readonly HiddenProgram[] {
  const suffix = grantQuestion('');
  return [...questions].flatMap(([key, { answer }]) => {
    if (answer?.option !== grantOption || !key.endsWith(suffix)) return [];
    const check = effects.get(key.slice(0, -suffix.length));
    if (check?.kind !== 'check.run' || check.result === undefined) return [];
    return (check.result.output as CheckReport).hidden ?? [];
  });
}

/** The project's own checks on the base, and below their key what plans added. */
function baselineReports({ effects }: Readonly<RunState>, key: string | undefined): readonly CheckReport[] {
  const base = key === undefined ? undefined : effects.get(key);
  if (base?.kind !== 'check.run') return [];
  // What fails on another commit excuses nothing.
  const checks = effects.ofCommit('check.run', (base.input as { readonly commit: string }).commit);
  const added = [...checks].filter(([each]) => each.startsWith(`${key}/`));
  return [base, ...added.map(([, record]) => record)].flatMap(({ result }) =>
    result === undefined ? [] : [result.output as CheckReport],
  );
}

function headCommits({ effects }: Readonly<RunState>): readonly string[] {
  const moves = [...effects.ofKind('merge.land').values(), ...effects.ofKind('documents.land').values()];
  return moves.map(({ input }) => (input as { readonly commit: string }).commit);
}

function documentMoves({ effects }: Readonly<RunState>): RunSnapshot['documents'] {
  return [...effects.ofKind('documents.land').values()].flatMap(({ input, result }) => {
    if (result === undefined) return [];
    const { before, commit } = input as RunSnapshot['documents'][number];
    return [{ before, commit }];
  });
}
