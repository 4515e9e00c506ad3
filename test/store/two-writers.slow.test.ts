/** Two processes write one store at once, thousands of times; a third reads. Nothing is lost and nothing is torn. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { writeRecord } from '../../src/store/change-records.ts';
import { listEntries } from '../../src/store/record-files.ts';
import { tempDir } from '../support/temp.ts';

const rounds = 700;
const built = resolve(import.meta.dirname, '../../.build/src/store/change-records.js');

/** Each round: a record of its own, a summary on the record both share, and a line in the log. */
const writing = `
  const { writeRecord, writeSummary } = await import(${JSON.stringify(built)});
  const { logProgress } = await import(${JSON.stringify(built.replace('change-records', 'event-files'))});
  const [, root, name, phase] = process.argv;
  const at = '2026-01-01T00:00:00.000Z';
  for (let round = 0; round < ${rounds}; round++) {
    const value = { taskId: name + '-' + round, sprintId: 'S1', title: 'x'.repeat(round + 1), status: 'draft', path: 'p' };
    const done = [
      await writeRecord(root, { entity: 'task', value, options: { at } }),
      await writeSummary(root, { entity: 'task', id: 'SHARED', phase, summary: { objective: name + ' ' + round }, options: { at } }),
    ];
    if (done.some(({ status }) => status !== 'written')) throw new Error(JSON.stringify(done));
    await logProgress(root, { sprint: 'S1', entry: { agentName: name, bannerKey: 'forge', status: 'done', detail: String(round) }, at });
  }
`;

function write(root: string, name: string, phase: string): Promise<number | null> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', writing, root, name, phase], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise((done) => child.on('exit', done));
}

it('loses nothing and tears nothing', async () => {
  const root = tempDir('store');
  const at = '2026-01-01T00:00:00.000Z';
  const options = { at };
  const sprint = { sprintId: 'S1', title: 's', status: 'active', taskIds: [], createdAt: at };
  await writeRecord(root, { entity: 'sprint', value: sprint, options });
  const shared = { taskId: 'SHARED', sprintId: 'S1', title: 't', status: 'draft', path: 'p' };
  await writeRecord(root, { entity: 'task', value: shared, options });
  const state = { isOver: false };
  const writers = Promise.all([write(root, 'A', 'plan'), write(root, 'B', 'triage')]).finally(() => {
    state.isOver = true;
  });
  let reads = 0;
  while (!state.isOver) {
    const { damaged, entries } = listEntries(root, 'task');
    expect({ damaged, faults: entries.flatMap(({ faults }) => faults) }).toEqual({ damaged: [], faults: [] });
    reads++;
    // Reading takes the machine from those who write.
    await pause(100);
  }
  expect(await writers).toEqual([0, 0]);
  expect(reads).toBeGreaterThan(3);
  const { entries } = listEntries(root, 'task');
  expect(entries).toHaveLength(2 * rounds + 1);
  const last = entries.find(({ id }) => id === 'SHARED')?.record['summaries'];
  expect(last).toMatchObject({ plan: { objective: `A ${rounds - 1}` }, triage: { objective: `B ${rounds - 1}` } });
  const log = readFileSync(join(root, '.forge/store/events/S1/progress.log'), 'utf8').trim().split('\n');
  expect(log).toHaveLength(2 * rounds);
  for (const name of ['A', 'B']) {
    const own = log.filter((line) => line.startsWith(`${at}|${name}|`)).map((line) => Number(line.split('|').at(-1)));
    expect(own).toEqual(Array.from({ length: rounds }, (_, round) => round));
  }
  expect(readdirSync(join(root, '.forge/store')).filter((name) => name.startsWith('.'))).toEqual([]);
});
