/**
 * How often a module was tried and what came of it. For a run of Forge the journal tells, and what was added by hand comes
 * after; anybody else's attempts are kept in a small file, by run and module.
 */
import { z } from 'zod';
import type { Forge } from '../compose.ts';
import { type Attempt, type AttemptVerdict, judgeAttempt } from '../policy/stagnation.ts';
import { chronicleOf } from '../views/chronicle.ts';
import { type IterationAttempt, type IterationState, noIterations, taskAttempts } from '../views/task-attempts.ts';
import { changeState, readState, toolPlace } from './stored-state.ts';

/** Where attempts are kept. */
export type AttemptKeeper = Pick<Forge, 'repo' | 'engine'>;

export interface ModuleName {
  readonly moduleId: string;
  readonly runId: string | undefined;
}

/** Adds what was measured and says whether another attempt is worth it. */
export async function recordAttempt(forge: AttemptKeeper, module: ModuleName, now: Attempt): Promise<AttemptVerdict> {
  return changeState(forge.repo.stateFolder, fileOf(forge, module), (stored) => {
    const before = stateSchema.parse(stored ?? {});
    const verdict = judgeAttempt(attemptsOf(before), now);
    const status = verdict.passed ? 'passed' : 'failed';
    const timestamp = new Date().toISOString();
    const attempt = { timestamp, status, score: now.score, issues: now.issues, stagnant: verdict.stagnant };
    const after = {
      ...before,
      attempts: [...before.attempts, attempt].slice(-mostAttempts),
      scores: [...before.scores, now.score].slice(-mostAttempts),
      stagnant: verdict.stagnant,
      lastStatus: status,
    };
    return { after, answer: verdict };
  });
}

export interface AttemptUpdate {
  readonly status?: string | undefined;
  readonly score?: number | undefined;
  readonly issues?: readonly string[] | undefined;
  readonly rootCause?: string | undefined;
}

/** Adds what somebody measured on their own. */
export async function addAttempt(
  forge: AttemptKeeper,
  module: ModuleName,
  { status, score, issues, rootCause }: AttemptUpdate,
): Promise<{ readonly attempt: number; readonly stagnant: boolean }> {
  return changeState(forge.repo.stateFolder, fileOf(forge, module), (stored) => {
    const before = stateSchema.parse(stored ?? {});
    const judged =
      score === undefined || issues === undefined ? undefined : judgeAttempt(attemptsOf(before), { score, issues });
    const attempts = [...before.attempts];
    if (issues !== undefined) {
      const stagnant = judged?.stagnant ?? before.stagnant;
      const timestamp = new Date().toISOString();
      const cause = rootCause === undefined ? {} : { rootCause };
      attempts.push({
        timestamp,
        status: status ?? 'unknown',
        score: score ?? 0,
        issues: [...issues],
        stagnant,
        ...cause,
      });
    }
    const after = {
      ...before,
      attempts: attempts.slice(-mostAttempts),
      scores: [...before.scores, ...(score === undefined ? [] : [score])].slice(-mostAttempts),
      stagnant: judged?.stagnant ?? before.stagnant,
      ...(status === undefined ? {} : { lastStatus: status }),
      ...(rootCause === undefined ? {} : { lastRootCause: rootCause }),
    };
    return { after, answer: { attempt: after.attempts.length, stagnant: after.stagnant } };
  });
}

export async function resetAttempts(forge: AttemptKeeper, module: ModuleName): Promise<void> {
  await changeState(forge.repo.stateFolder, fileOf(forge, module), () => ({ after: noIterations, answer: undefined }));
}

const mostAttempts = 500;

/** Tolerant: a person may have edited the file. */
const attemptSchema = z.object({
  timestamp: z.string().catch(''),
  status: z.string().catch('unknown'),
  score: z.number().catch(0),
  issues: z.array(z.string()).catch([]),
  stagnant: z.boolean().catch(false),
  rootCause: z.string().optional().catch(undefined),
});
const stateSchema = z
  .object({
    attempts: z.array(attemptSchema).catch([]),
    scores: z.array(z.number()).catch([]),
    stagnant: z.boolean().catch(false),
    lastStatus: z.string().optional().catch(undefined),
    lastRootCause: z.string().optional().catch(undefined),
  })
  .catch({ attempts: [], scores: [], stagnant: false });

export async function readIterations(forge: AttemptKeeper, { moduleId, runId }: ModuleName): Promise<IterationState> {
  const { engine, repo } = forge;
  const file = fileOf(forge, { moduleId, runId });
  const stored = stateSchema.parse((await readState(repo.stateFolder, file)) ?? {});
  const own = clean(stored);
  if (runId === undefined || !(await engine.has(runId))) return own;
  const recorded = taskAttempts(chronicleOf(await engine.facts(runId)), moduleId);
  if (own.attempts.length === 0 && own.scores.length === 0) return recorded;
  const attempts = [...recorded.attempts, ...own.attempts].sort((a, b) => (a.timestamp < b.timestamp ? -1 : 1));
  return { ...recorded, ...own, attempts, scores: attempts.map(({ score }) => score) };
}

function clean({
  attempts,
  scores,
  stagnant,
  lastStatus,
  lastRootCause,
}: z.output<typeof stateSchema>): IterationState {
  return {
    attempts: attempts.map(
      ({ rootCause, ...rest }): IterationAttempt => (rootCause === undefined ? rest : { ...rest, rootCause }),
    ),
    scores,
    stagnant,
    ...(lastStatus === undefined ? {} : { lastStatus }),
    ...(lastRootCause === undefined ? {} : { lastRootCause }),
  };
}

function attemptsOf({ attempts }: z.output<typeof stateSchema>): readonly Attempt[] {
  return attempts.map(({ score, issues }) => ({ score, issues }));
}

function fileOf({ repo }: AttemptKeeper, { moduleId, runId }: ModuleName): string {
  const name = `${moduleId}.json`;
  if (runId === undefined) return toolPlace(repo.stateFolder, 'iterations', 'modules', name);
  return toolPlace(repo.stateFolder, 'iterations', 'runs', runId, name);
}
