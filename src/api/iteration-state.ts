/**
 * How often a module was tried and what came of it: read, added to, or begun anew. For a run of Forge's the journal
 * tells, and what was added by hand comes after; anybody else's attempts are kept in a small file, by run and module.
 */
import { z } from 'zod';
import type { Forge } from '../compose.ts';
import { ForgeError } from '../errors.ts';
import { type Attempt, type AttemptVerdict, judgeAttempt } from '../policy/stagnation.ts';
import { type IterationAttempt, type IterationState, noIterations, taskAttempts } from '../views/task-attempts.ts';
import { readChronicle } from './find-run.ts';
import type { Operation } from './operation.ts';
import { noteEvent } from './tool-events.ts';
import { changeState, readState, stateId, toolPlace } from './tool-state.ts';

const statuses = ['running', 'passed', 'failed', 'stagnant', 'escalated', 'blocked'] as const;
const issue = z.string().max(2000);

const input = z.strictObject({
  moduleId: stateId,
  runId: stateId.optional(),
  action: z.enum(['get', 'update', 'reset']),
  update: z
    .strictObject({
      status: z.enum(statuses).optional(),
      score: z.number().min(0).max(1).optional(),
      issues: z.array(issue).max(200).optional(),
      rootCause: z.string().max(4000).optional(),
    })
    .optional(),
});

export type IterationAnswer =
  | { readonly action: 'get'; readonly state: IterationState }
  | { readonly action: 'update'; readonly attempt: number; readonly stagnant: boolean }
  | { readonly action: 'reset' };

export const iterationState: Operation<typeof input, IterationAnswer> = {
  name: 'iteration-state',
  summary: 'how often a module was tried, and what came of it',
  input,
  async run(context, { moduleId, runId, action, update }) {
    const forge = await context.forge();
    const root = forge.repo.stateFolder;
    const module = { moduleId, runId };
    if (action === 'get') return { action, state: await readIterations(forge, module) };
    if (action === 'update' && update === undefined) {
      throw new ForgeError('bad-input', 'There is nothing to update', {
        hint: 'Give update: {status, score, issues}.',
      });
    }
    const event = { phase: 'retry', moduleId, event: `iteration_${action}`, severity: 'info', data: {} } as const;
    await noteEvent(root, runId, event);
    const file = fileOf(forge, module);
    if (action === 'reset') {
      await changeState(root, file, () => ({ after: noIterations, answer: undefined }));
      return { action };
    }
    const { status, score, issues, rootCause } = update ?? {};
    return changeState<IterationAnswer>(root, file, (stored) => {
      const before = stateSchema.parse(stored ?? {});
      const judged =
        score === undefined || issues === undefined ? undefined : judgeAttempt(attemptsOf(before), { score, issues });
      const attempts = [...before.attempts];
      if (issues !== undefined) {
        const stagnant = judged?.stagnant ?? before.stagnant;
        const timestamp = new Date().toISOString();
        const cause = rootCause === undefined ? {} : { rootCause };
        attempts.push({ timestamp, status: status ?? 'unknown', score: score ?? 0, issues, stagnant, ...cause });
      }
      const after = {
        ...before,
        attempts: attempts.slice(-mostAttempts),
        scores: [...before.scores, ...(score === undefined ? [] : [score])].slice(-mostAttempts),
        stagnant: judged?.stagnant ?? before.stagnant,
        ...(status === undefined ? {} : { lastStatus: status }),
        ...(rootCause === undefined ? {} : { lastRootCause: rootCause }),
      };
      return { after, answer: { action: 'update', attempt: after.attempts.length, stagnant: after.stagnant } };
    });
  },
};

/** Where attempts are kept. */
type Keeper = Pick<Forge, 'repo' | 'engine'>;

export interface ModuleName {
  readonly moduleId: string;
  readonly runId: string | undefined;
}

/** Adds what was measured and says whether another attempt is worth it. */
export async function recordAttempt(forge: Keeper, module: ModuleName, now: Attempt): Promise<AttemptVerdict> {
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

async function readIterations(forge: Keeper, { moduleId, runId }: ModuleName): Promise<IterationState> {
  const { engine, repo } = forge;
  const file = fileOf(forge, { moduleId, runId });
  const stored = stateSchema.parse((await readState(repo.stateFolder, file)) ?? {});
  const own = clean(stored);
  if (runId === undefined || !(await engine.has(runId))) return own;
  const told = taskAttempts(await readChronicle(engine, runId), moduleId);
  if (own.attempts.length === 0 && own.scores.length === 0) return told;
  const attempts = [...told.attempts, ...own.attempts].sort((a, b) => (a.timestamp < b.timestamp ? -1 : 1));
  return { ...told, ...own, attempts, scores: attempts.map(({ score }) => score) };
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

function fileOf({ repo }: Keeper, { moduleId, runId }: ModuleName): string {
  const name = `${moduleId}.json`;
  if (runId === undefined) return toolPlace(repo.stateFolder, 'iterations', 'modules', name);
  return toolPlace(repo.stateFolder, 'iterations', 'runs', runId, name);
}
