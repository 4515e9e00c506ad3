/** A store's life in a few steps, for tests that cut it short: the steps, and a program that walks them. */
import { resolve } from 'node:path';

const built = (path: string): string => JSON.stringify(resolve(import.meta.dirname, `../../.build/src/${path}`));

/** Kills the process at the nth change of a file; of a file's content, in the middle. */
const killer = `
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  const deadly = Number(process.env.KILL_AT ?? 0);
  let count = 0;
  const die = () => process.kill(process.pid, 'SIGKILL');
  for (const name of ['writeFileSync', 'writeSync', 'renameSync', 'linkSync', 'rmSync', 'mkdirSync', 'fsyncSync', 'openSync']) {
    const real = fs[name];
    fs[name] = (...args) => {
      if (name === 'writeSync' && args[0] === 1) return real(...args);
      if (++count === deadly) {
        if (name === 'writeFileSync' || name === 'writeSync') {
          const text = String(args[1]);
          real(args[0], text.slice(0, Math.floor(text.length / 2)), ...args.slice(2));
        }
        die();
        // A signal to oneself arrives when the process next waits.
        for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
      }
      return real(...args);
    };
  }
  syncBuiltinESMExports();
  process.on('exit', () => fs.writeSync(1, 'changes ' + count + '\\n'));
`;

/** Walks the steps; says which are done, as soon as they are. */
export const walking = `
  ${killer}
  const { writeRecord, changeField, writeSummary, deleteRecord } = await import(${built('store/change-records.js')});
  const { emitEvent, mergeSidecar, logProgress } = await import(${built('store/event-files.js')});
  const root = process.argv[1];
  const at = '2026-01-02T00:00:00.000Z';
  const options = { at };
  const event = { eventId: 'E1', role: 'plan', action: 'complete' };
  const steps = [
    () => writeRecord(root, { entity: 'sprint', value: { sprintId: 'S1', title: 's', status: 'planning', taskIds: [], createdAt: at }, options }),
    () => writeRecord(root, { entity: 'task', value: { taskId: 'T1', sprintId: 'S1', title: 't', status: 'draft', path: 'p/T1' }, options }),
    () => changeField(root, { entity: 'task', id: 'T1', field: 'status', value: 'planned', options }),
    () => writeSummary(root, { entity: 'task', id: 'T1', phase: 'plan', summary: { objective: 'o', verdict: 'n/a' }, options }),
    () => emitEvent(root, { sprint: 'S1', value: event, at }),
    () => emitEvent(root, { sprint: 'S1', value: { eventId: 'E1', inputTokens: 7 }, isSidecar: true, at }),
    () => mergeSidecar(root, 'S1', 'E1', false),
    () => logProgress(root, { sprint: 'S1', entry: { agentName: 'a:b', bannerKey: 'forge', status: 'done', detail: 'x' }, at }),
  ];
  for (const [at, step] of steps.entries()) {
    if (at < Number(process.env.BEGIN ?? 0)) continue;
    const done = await step();
    fs.writeSync(1, 'done ' + at + ' ' + JSON.stringify(done ?? null) + '\\n');
  }
`;
