/** How long a run was at work: together, and not counting what it waited for. */
import { expect, it } from 'vitest';
import { busyMs, emptyTimeline } from '../../src/views/timeline.ts';

const at = (second: number): string => new Date(second * 1000).toISOString();

function timelineOf(tasks: readonly number[], effects: readonly (readonly [number, number])[]) {
  const timeline = emptyTimeline();
  const timing = (from: number, until: number) => ({
    startedAt: at(from),
    endedAt: at(until),
    attempts: 1,
    workedMs: (until - from) * 1000,
    since: undefined,
  });
  for (const [index, from] of tasks.entries()) timeline.tasks.set(`m${index}`, timing(from, from));
  for (const [index, [from, until]] of effects.entries()) timeline.effects.set(`e${index}`, timing(from, until));
  return timeline;
}

it('counts what went on at once once, from the first task on, and no time in which nothing did', () => {
  const effects = [
    [0, 50], // planning, before any task
    [100, 110],
    [105, 120],
    [106, 107],
    [500, 530], // after a question that took minutes
  ] as const;
  expect(busyMs(timelineOf([100, 105], effects), at(600))).toBe(50_000);
  expect(busyMs(timelineOf([], effects), at(600))).toBe(0);
  const open = timelineOf([0], []);
  open.effects.set('e', { startedAt: at(10), endedAt: undefined, attempts: 1, workedMs: 0, since: at(10) });
  expect(busyMs(open, at(25))).toBe(15_000);
});
