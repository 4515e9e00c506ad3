/** An engine over real files with performers that only compute, for tests of the engine itself. */
import { join } from 'node:path';
import type { Bench, Workflow, WorkflowResult } from '../../src/engine/bench.ts';
import { effectMap } from '../../src/engine/effect-map.ts';
import type { HolderIdentity } from '../../src/engine/facts.ts';
import { FilesEngine, type FilesEngineOptions } from '../../src/engine/files/files-engine.ts';
import type { Host } from '../../src/engine/host.ts';
import type { Performer, Performers } from '../../src/engine/performer.ts';
import { type Task, taskSchema } from '../../src/plan/plan.ts';
import { countingClock } from '../support/clock.ts';
import { tempDir } from '../support/temp.ts';

export const base = 'a'.repeat(40);
export const other = 'b'.repeat(40);

export const identity = (pid: number, host = 'here'): HolderIdentity => ({ pid, startTime: '1', bootId: 'boot', host });

export function fakeHost(self: HolderIdentity, alive: Set<number> = new Set([self.pid])): Host & { stopped: number[] } {
  const stopped: number[] = [];
  return {
    self,
    stopped,
    isAlive: ({ pid }) => alive.has(pid),
    stop: async ({ pid }) => {
      stopped.push(pid);
    },
  };
}

/** The performers a test names; any other kind refuses. */
export function performersWith(kinds: Partial<Performers>): Performers {
  const unused = { perform: () => Promise.reject(new Error('not used in this test')) };
  const all = Object.keys(effectMap).map((kind) => [kind, unused]);
  return { ...Object.fromEntries(all), ...kinds } as Performers;
}

/** A promise and the way to fulfil it: tests wait for conditions, never for time. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

export interface Setup extends Partial<FilesEngineOptions> {
  readonly work: (bench: Bench) => Promise<WorkflowResult>;
  readonly read?: Performer<'integration.read'>;
  readonly kinds?: Partial<Performers>;
}

export function makeEngine(setup: Setup): FilesEngine & { runs: string } {
  const runs = setup.runs ?? join(tempDir(), 'runs');
  const workflow: Workflow = { name: 'test', version: 1, run: setup.work };
  const read = setup.read ?? { perform: async () => ({ commit: base, judge: base }) };
  const engine = new FilesEngine({
    runs,
    host: fakeHost(identity(1)),
    clock: countingClock(),
    workflow: () => workflow,
    performers: async () => performersWith({ 'integration.read': read, ...setup.kinds }),
    forge: '0.0.0',
    jail: 'none',
    ...setup,
  });
  return Object.assign(engine, { runs });
}

export const request = (run = 'r1') => ({
  run,
  title: 'a run',
  workflow: 'test',
  base,
  root: '/repo',
  input: {},
  settings: {},
});

/** Writes what no other does, unless told otherwise. */
export function task(id: string, more: Partial<Task> = {}): Task {
  return { ...taskSchema.parse({ id, title: id, writes: [`only-${id}`] }), ...more };
}
