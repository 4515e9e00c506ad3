/** A store's life in a few steps, for tests that cut it short. */
import { changeField, writeRecord, writeSummary } from '../../src/store/change-records.ts';
import { emitEvent, logProgress, mergeSidecar } from '../../src/store/event-files.ts';

const at = '2026-01-02T00:00:00.000Z';
const options = { at };
const sprint = { sprintId: 'S1', title: 's', status: 'planning', taskIds: [], createdAt: at };
const task = { taskId: 'T1', sprintId: 'S1', title: 't', status: 'draft', path: 'p/T1' };
const event = { eventId: 'E1', role: 'plan', action: 'complete' };
const usage = { eventId: 'E1', inputTokens: 7 };
const entry = { agentName: 'a:b', bannerKey: 'forge', status: 'done', detail: 'x' };

const steps: readonly ((root: string) => Promise<unknown>)[] = [
  (root) => writeRecord(root, { entity: 'sprint', value: sprint, options }),
  (root) => writeRecord(root, { entity: 'task', value: task, options }),
  (root) => changeField(root, { entity: 'task', id: 'T1', field: 'status', value: 'planned', options }),
  (root) =>
    writeSummary(root, {
      entity: 'task',
      id: 'T1',
      phase: 'plan',
      summary: { objective: 'o', verdict: 'n/a' },
      options,
    }),
  (root) => emitEvent(root, { sprint: 'S1', value: event, at }),
  (root) => emitEvent(root, { sprint: 'S1', value: usage, isSidecar: true, at }),
  (root) => mergeSidecar(root, 'S1', 'E1', false),
  (root) => logProgress(root, { sprint: 'S1', entry, at }),
];

export const stepCount = steps.length;

/** Calls `done` with the number of a step as soon as the store has acknowledged it. */
export async function walkStory(root: string, begin: number, done: (step: number) => void): Promise<void> {
  for (const [number, step] of steps.entries()) {
    if (number < begin) continue;
    await step(root);
    done(number);
  }
}
