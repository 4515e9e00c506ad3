/**
 * Lets a new process work on a run and returns when it does. The new process is told what to do by the same arguments
 * that a person would type; what it prints goes to a file. If it can not begin, what it said is the failure.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { ForgeError } from '../errors.ts';
import { startDetached } from '../process/detach.ts';
import type { Operation } from './operation.ts';

const input = z.strictObject({
  run: z.string(),
  program: z.string(),
  args: z.array(z.string()),
});

export interface DetachedRun {
  readonly run: string;
  readonly pid: number;
  readonly log: string;
}

const lookMs = 50;

export const detachRun: Operation<typeof input, DetachedRun> = {
  name: 'detach-run',
  summary: 'let a process of its own work on a run',
  input,
  async run(context, { run, program, args }) {
    const { engine, repo } = await context.forge();
    const logs = join(repo.dataDir, 'logs', repo.id);
    mkdirSync(logs, { recursive: true, mode: 0o700 });
    const log = join(logs, `${run}.log`);
    const { pid, ended } = await startDetached({ program, args, cwd: context.cwd, env: context.env, logFile: log });
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
  },
};

function notBegun(log: string, code: number | null): ForgeError {
  const said = readFileSync(log, 'utf8').trim().split('\n').slice(-5).join('\n');
  const exit = code === 5 ? 'program-missing' : 'bad-input';
  return new ForgeError(exit, said === '' ? `The process ended at once (exit ${code})` : said.replace(/^forge: /, ''));
}
