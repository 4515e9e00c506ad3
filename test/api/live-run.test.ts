/** A long run for those who look: its beginning is there before the rest was read, and everybody ends with the same. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LiveRun } from '../../src/api/live-run.ts';
import { wholeRun } from '../../src/api/watch-run.ts';
import { FilesReader } from '../../src/engine/files/files-reader.ts';
import { makeLongRun } from '../support/long-run.ts';
import { tempDir } from '../support/temp.ts';

function liveRunOf(facts: number): LiveRun {
  const runs = tempDir('live-run');
  makeLongRun(join(runs, 'long'), facts);
  const self = { pid: process.pid, startTime: '', bootId: '', host: '' };
  return new LiveRun(new FilesReader({ runs, host: { self, isAlive: () => false } }), 'long');
}

it('shows the beginning of a long run before the rest was read', async () => {
  const live = liveRunOf(20_000);
  await live.begin();
  const beginning = wholeRun(live);
  expect(live.chronicle.state.seq).toBeLessThan(20_000);
  expect(beginning).toMatchObject({
    isPartial: true,
    isWhole: true,
    // What the run's index knows is said of all of it; what only all of it can say is left out.
    page: { title: 'A long run', status: 'done', progress: { done: 0, failed: 0, total: 0 }, doing: [] },
  });
  expect(beginning.nodes.length).toBeGreaterThan(100);

  await live.refresh();
  const later = live.items.since(beginning.position);
  const whole = wholeRun(live);
  expect(whole.isPartial).toBeUndefined();
  expect(whole.page?.progress).toEqual({ done: 1052, failed: 0, total: 1053 });
  expect(whole.page?.usage).toEqual(beginning.page?.usage);
  // Who has the beginning gets the rest, and then has all of it.
  const known = new Map(beginning.nodes.map((node) => [node.path, node]));
  for (const [, item] of later?.changed ?? []) if (item.type === 'node') known.set(item.node.path, item.node);
  expect(later?.isWhole).toBe(false);
  expect([...known.values()].toSorted(byPath)).toEqual([...whole.nodes].toSorted(byPath));
});

it('reads a short run at once', async () => {
  const live = liveRunOf(200);
  await live.begin();
  expect(live.isPartial).toBe(false);
  expect(wholeRun(live).page?.seq).toBe(200);
});

const byPath = (one: { readonly path: string }, other: { readonly path: string }): number =>
  one.path < other.path ? -1 : 1;
