/**
 * Has a run worked on that an operation starts or continues: in this process, whose skin then takes it, or in a process of
 * its own. That process is handed the operation with its input as JSON on standard input and performs it; what it prints
 * goes to a file. This returns once somebody works on the run; if nobody can, what the process printed is the failure.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { RunHandle, RunOptions } from '../engine/engine.ts';
import { ForgeError } from '../errors.ts';
import { startDetached } from '../process/detach.ts';
import type { ApiContext, RunWorker } from './context.ts';

/** How a run is worked on where no person is asked: fields of every operation that starts or continues one. */
export const workWishes = {
  yes: z.boolean().default(false).describe('take the recommended answers, also to the plan, without asking'),
  planOnly: z.boolean().default(false).describe('stop when the plan is ready; an answer continues the run'),
};

/** Of workflows that work in units: begin no more than so many. */
export function unitLimit(units: number | undefined): Pick<RunOptions, 'stepLimit'> {
  return units === undefined ? {} : { stepLimit: { kind: 'unit', limit: units } };
}

/** Where a run is worked on; `pid` and `log` are those of a process of its own. */
export const runWorkSchema = z.strictObject({
  run: z.string(),
  pid: z.number().int().optional(),
  log: z.string().optional(),
  notices: z.array(z.string()).describe('what a person should know about this run'),
});

/** What a process of its own is handed. */
export const workRequestSchema = z.strictObject({
  operation: z.string(),
  input: z.record(z.string(), z.unknown()),
  yes: z.boolean(),
  planOnly: z.boolean().optional(),
});
export type WorkRequest = z.infer<typeof workRequestSchema>;

export interface WorkPlan {
  readonly run: string;
  /** For this process. */
  readonly open: (options: RunOptions) => Promise<RunHandle>;
  /** The same for another process. */
  readonly request: WorkRequest;
}

export interface RunWork {
  readonly run: string;
  readonly pid?: number;
  readonly log?: string;
}

export async function workOnRun(context: ApiContext, { run, open, request }: WorkPlan): Promise<RunWork> {
  const { worker } = context;
  if (worker.where === 'apart') return startWorker(context, worker, { run, request });
  worker.take(await open(worker.options));
  return { run };
}

const lookMs = 50;

async function startWorker(
  context: ApiContext,
  { program, args }: Extract<RunWorker, { where: 'apart' }>,
  { run, request }: Omit<WorkPlan, 'open'>,
): Promise<RunWork> {
  const { engine, repo } = await context.forge();
  const logs = join(repo.dataDir, 'logs', repo.id);
  mkdirSync(logs, { recursive: true, mode: 0o700 });
  const log = join(logs, `${run}.log`);
  const { cwd, env } = context;
  const input = JSON.stringify(request);
  const { pid, ended } = await startDetached({ program, args, cwd, env, input, logFile: log });
  let code: number | null | undefined;
  void ended.then((value) => {
    code = value;
  });
  for (;;) {
    const listing = await engine.summarize(run).catch(() => undefined);
    if (listing?.holder?.pid === pid) return { run, pid, log };
    if (code !== undefined) throw notBegun(log, code);
    await sleep(lookMs);
  }
}

function notBegun(log: string, code: number | null): ForgeError {
  const said = readFileSync(log, 'utf8').trim().split('\n').slice(-5).join('\n');
  const exit = code === 5 ? 'program-missing' : 'bad-input';
  return new ForgeError(exit, said === '' ? `The process ended at once (exit ${code})` : said.replace(/^forge: /, ''));
}
