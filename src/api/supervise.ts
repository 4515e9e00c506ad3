/**
 * One look of the supervisor at all runs of this user, in all repositories: runs whose process died, and runs that
 * stopped on a passing failure, are continued in a process of their own. What could not be continued is part of the
 * answer and hurts nothing else. What was done before is handed in, so that a run that gets no further is left alone.
 */
import { z } from 'zod';
import { messageOf } from '../errors.ts';
import { hasUntoldEnd } from '../notify/run-notifier.ts';
import { type PastResume, superviseRun } from '../policy/supervision.ts';
import { type ApiContext, openContext } from './context.ts';
import { type Operation, performOperation } from './operation.ts';
import { resumeRun } from './resume-run.ts';
import { userRepositories } from './user-repositories.ts';

const pastSchema = z.record(z.string(), z.array(z.strictObject({ at: z.number(), seq: z.number() })));

const input = z.strictObject({
  /** By repository and run: when it was continued before. */
  past: pastSchema.default({}),
});

const lookSchema = z.strictObject({
  repository: z.string(),
  root: z.string(),
  run: z.string(),
  action: z.enum(['resumed', 'later', 'gave-up', 'failed']),
  why: z.string(),
  until: z.string().optional(),
  pid: z.number().optional(),
});
const output = z.strictObject({ runs: z.array(lookSchema), past: pastSchema });
type Look = z.infer<typeof lookSchema>;

export const superviseRuns: Operation<typeof input, typeof output> = {
  name: 'supervise-runs',
  kind: 'command',
  description: 'Continues runs of all your repositories whose process died or that stopped on a passing failure.',
  input,
  output,
  async run(context, { past }) {
    const looks: Look[] = [];
    const after: Record<string, PastResume[]> = {};
    for (const { name, root, isThere } of userRepositories(context.env)) {
      if (!isThere) continue;
      const here = openContext({ cwd: root, env: context.env, worker: context.worker, signal: context.signal });
      const found = await lookAtRepository(here, { repository: name, root, past }).catch((error: unknown) => ({
        looks: [{ repository: name, root, run: '', action: 'failed' as const, why: messageOf(error) }],
        past: {},
      }));
      looks.push(...found.looks);
      Object.assign(after, found.past);
    }
    return { runs: looks, past: after };
  },
};

async function lookAtRepository(
  context: ApiContext,
  { repository, root, past }: { repository: string; root: string; past: z.infer<typeof pastSchema> },
): Promise<{ readonly looks: readonly Look[]; readonly past: Record<string, PastResume[]> }> {
  const { engine } = await context.runs();
  const looks: Look[] = [];
  const kept: Record<string, PastResume[]> = {};
  for (const summary of await engine.list()) {
    const { run, status, code, reason, seq } = summary;
    const id = `${root}\n${run}`;
    const before = past[id] ?? [];
    const now = Date.now();
    if (status === 'done' || status === 'failed') await tellEnd(context, run);
    const decided = superviseRun({ status, code, reason, seq, updatedAt: Date.parse(summary.updatedAt) }, before, now);
    if (decided.action === 'leave') continue;
    kept[id] = [...before];
    const about = { repository, root, run, why: decided.why };
    if (decided.action === 'later')
      looks.push({ ...about, action: 'later', until: new Date(decided.until).toISOString() });
    else if (decided.action === 'give-up') looks.push({ ...about, action: 'gave-up' });
    else {
      kept[id].push({ at: now, seq });
      looks.push(await resume(context, about));
    }
  }
  return { looks, past: kept };
}

/** Its process may have died after the end and before anybody was told. One that is still at it tells by itself. */
async function tellEnd(context: ApiContext, run: string): Promise<void> {
  const { engine } = await context.reader();
  const isUntold = await hasUntoldEnd(engine.artifacts(run)).catch(() => false);
  if (isUntold) await engine.catchUp(run).catch(() => {});
}

/** With a fresh context: settings may have changed since the last look. */
async function resume(context: ApiContext, about: Omit<Look, 'action'>): Promise<Look> {
  try {
    const { pid } = await performOperation(resumeRun, context, { run: about.run });
    return { ...about, action: 'resumed', ...(pid === undefined ? {} : { pid }) };
  } catch (error) {
    return { ...about, action: 'failed', why: messageOf(error) };
  }
}
