/**
 * A process that runs a workflow with one question and stays for the answer: `node staying-host.js <runs>`.
 * Nothing but the engine keeps it alive. Prints how it ended.
 */
import { systemClock } from '../../src/engine/clock.ts';
import { FilesEngine } from '../../src/engine/files/files-engine.ts';
import type { Performers } from '../../src/engine/performer.ts';

const self = { pid: process.pid, startTime: '1', bootId: 'boot', host: 'here' };
const engine = new FilesEngine({
  runs: process.argv[2] ?? '',
  host: { self, isAlive: () => true, stop: async () => {} },
  clock: systemClock,
  workflow: () => ({
    name: 'asking',
    version: 1,
    run: async (bench) => ({ status: 'done', output: (await bench.ask('q', { title: 'Go on?' })).text }),
  }),
  performers: async () => ({}) as Performers,
  forge: '0.0.0',
  jail: 'none',
});
const request = {
  run: 'r1',
  title: 'a run',
  workflow: 'asking',
  base: 'a'.repeat(40),
  root: '/',
  input: {},
  settings: {},
};
const { ended } = await engine.start(request);
const end = await ended;
console.log(end.status, end.status === 'done' ? end.output : end.reason);
