/** Units of a graph: each task of the plan once, also where two scopes have a task of the same name. */
import { expect, it } from 'vitest';
import { emptyChronicle } from '../../src/views/chronicle.ts';
import { workUnits } from '../../src/views/work-rows.ts';

it('finds the tasks of a plan by their keys, so that none is shown twice', () => {
  const chronicle = emptyChronicle();
  const { state } = chronicle;
  const planned = (id: string, depends: readonly string[] = []) => ({ id, title: `Build ${id}`, depends });
  state.plan = { tasks: [planned('S01/T01'), planned('S02/T01', ['S01/T01'])] } as unknown as NonNullable<
    typeof state.plan
  >;
  for (const [at, scope] of ['S01', 'S02'].entries()) {
    const key = `${scope}/T01`;
    state.scheduled.set(key, { task: 'T01', title: 'T01', depends: [], parts: [], readOnly: false, within: undefined });
    const status = at === 0 ? 'done' : 'failed';
    state.tasks.set(key, { task: 'T01', startedSeq: at + 1, outcome: { task: 'T01', status, reason: '' } });
  }
  expect(workUnits(chronicle).map(({ key, task, status, group }) => ({ key, task, status, group }))).toEqual([
    { key: 'S01/T01', task: 'S01/T01', status: 'done', group: undefined },
    { key: 'S02/T01', task: 'S02/T01', status: 'failed', group: undefined },
  ]);
});
