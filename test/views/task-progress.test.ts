import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fact, FactData } from '../../src/engine/facts.ts';
import { advanceProgress, describeProgress, emptyProgress } from '../../src/views/task-progress.ts';

const fact = (type: Fact['type'], key: string, data: object): Fact => ({ type, key, data }) as unknown as Fact;
const scheduled = (ids: readonly string[]): Fact =>
  fact('tasks.scheduled', '', { scope: '', tasks: ids.map((id) => ({ id, title: id, depends: [] })) });
const ended = (id: string, status: FactData<'task.ended'>['status']): Fact =>
  fact('task.ended', id, { task: id, status, reason: '' });

describe('progress of tasks', () => {
  it('counts what was announced, scheduled, ended and opened again', () => {
    const progress = emptyProgress();
    const announced = ['W1', 'W2', 'W3'].map((key) => ({ key, kind: 'task', title: key }));
    for (const one of [
      fact('steps.announced', 'outline', { steps: [...announced, { key: 'learn', kind: 'learn', title: 'Learn' }] }),
      scheduled(['W1']),
      ended('W1', 'done'),
      scheduled(['W2']),
      ended('W2', 'failed'),
    ])
      advanceProgress(progress, one);
    expect(describeProgress(progress, 'W2')).toBe('Progress: 1/3 done | 1 failed | 1 remaining');
    advanceProgress(progress, fact('task.reopened', 'W2', { tasks: ['W2'], forgotten: [], steps: [] }));
    expect(describeProgress(progress, 'W1')).toBe('Progress: 1/3 done | 0 failed | 2 remaining');
  });

  it('agrees with a count of everything, in whatever order tasks end and are opened again', () => {
    const status = fc.constantFrom('done', 'failed', 'skipped', 'blocked', undefined);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(4), status), { maxLength: 30 }), (changes) => {
        const ids = ['a', 'b', 'c', 'd', 'e'];
        const progress = emptyProgress();
        advanceProgress(progress, scheduled(ids));
        const known = new Map<string, string>();
        for (const [at, now] of changes) {
          const id = ids[at] ?? '';
          if (now === undefined) known.delete(id);
          else known.set(id, now);
          advanceProgress(
            progress,
            now === undefined ? fact('task.reopened', id, { tasks: [id], forgotten: [], steps: [] }) : ended(id, now),
          );
        }
        const count = (wanted: string): number => [...known.values()].filter((one) => one === wanted).length;
        expect(describeProgress(progress, 'a')).toContain(
          `${count('done')}/5 done | ${count('failed') + count('blocked')} failed`,
        );
        expect(describeProgress(progress, 'a')).toContain(`${5 - known.size} remaining`);
      }),
    );
  });

  it('touches only its own tally when a task ends, however many tasks there are', () => {
    const progress = emptyProgress();
    advanceProgress(progress, scheduled(Array.from({ length: 1000 }, (_, at) => `T${at}`)));
    const tasks = progress.tasks as Map<string, unknown>;
    const walked: string[] = [];
    for (const name of ['values', 'keys', 'entries', 'forEach'] as const) {
      Object.defineProperty(tasks, name, { value: () => walked.push(name) });
    }
    advanceProgress(progress, ended('T7', 'done'));
    expect(describeProgress(progress, 'T7')).toBe('Progress: 1/1000 done | 0 failed | 999 remaining');
    expect(walked).toEqual([]);
  });
});
