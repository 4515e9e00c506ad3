/**
 * Does anything grow faster than the work? Runs of `modules` with more and more tasks, and with many files in `writes`,
 * through the real engine, journal, fold and progress display, each in a process of its own. Effects answer at once: what
 * is left is what Forge itself does per task. CPU time is counted, because a busy machine does not change it much.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Figure } from './ratio.ts';

/** What the child says about a run. */
export interface Growth {
  readonly cpuMsPerTask: number;
  readonly megabytes: number;
  readonly journalBytesPerTask: number;
}

export function growthFigures(quick: boolean): readonly Figure[] {
  const sizes = quick ? [10, 100] : [10, 100, 400, 1000];
  const runs = sizes.map((tasks) => ({ tasks, ...measure(tasks, 2) }));
  const least = Math.min(...runs.map(({ cpuMsPerTask }) => cpuMsPerTask));
  const largest = runs.at(-1);
  if (largest === undefined) throw new Error('no run was measured');
  const wide = measure(100, quick ? 20 : 100);
  const narrow = runs.find(({ tasks }) => tasks === 100) ?? largest;
  const writes = 100 * (quick ? 20 : 100);
  return [
    {
      name: `Forge's own work per task, ${largest.tasks.toLocaleString('en')} tasks / the cheapest of ${sizes.join(', ')}`,
      value: largest.cpuMsPerTask / least,
      ...(quick ? {} : { aim: 1.2 }),
      detail: runs.map(({ tasks, cpuMsPerTask }) => `${tasks}: ${cpuMsPerTask.toFixed(1)} ms`).join(', '),
    },
    {
      name: `the same, 100 tasks with ${writes.toLocaleString('en')} files in writes / with 200`,
      value: wide.cpuMsPerTask / narrow.cpuMsPerTask,
      detail: `${wide.cpuMsPerTask.toFixed(1)} ms against ${narrow.cpuMsPerTask.toFixed(1)} ms`,
    },
    {
      name: `memory of a run with ${largest.tasks.toLocaleString('en')} tasks, MB`,
      value: largest.megabytes,
      ...(quick ? {} : { aim: 200 }),
      detail: runs.map(({ tasks, megabytes }) => `${tasks}: ${megabytes.toFixed(0)} MB`).join(', '),
    },
    {
      name: 'facts per task, kB',
      value: largest.journalBytesPerTask / 1000,
      aim: 20,
      detail: 'without what agents and checks say, which lies in blobs',
    },
  ];
}

function measure(tasks: number, writes: number): Growth {
  const child = join(import.meta.dirname, 'growth-child.js');
  const said = execFileSync(process.execPath, [child, String(tasks), String(writes)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(said) as Growth;
}
