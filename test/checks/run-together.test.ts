import { expect, it } from 'vitest';
import { runTogether } from '../../src/checks/run-together.ts';

/** Pieces that end when they are told to, and what is being worked on. */
function makePieces(count: number) {
  const running = new Set<number>();
  const ends: (() => void)[] = [];
  let most = 0;
  const pieces = Array.from({ length: count }, (_, place) => async () => {
    running.add(place);
    most = Math.max(most, running.size);
    await new Promise<void>((resolve) => (ends[place] = resolve));
    running.delete(place);
    return `piece ${place}`;
  });
  const end = async (place: number) => {
    ends[place]?.();
    await new Promise(setImmediate);
  };
  return { pieces, running, end, most: () => most };
}

it('uses as many processors as there are, and gives the results in order', async () => {
  const { pieces, running, end } = makePieces(4);
  const all = runTogether(pieces, 2);
  expect([...running]).toEqual([0, 1]);
  await end(1);
  expect([...running]).toEqual([0, 2]);
  await end(2);
  await end(3);
  await end(0);
  expect(await all).toEqual(['piece 0', 'piece 1', 'piece 2', 'piece 3']);
});

it('every call goes on, and none beside another one where all processors are used', async () => {
  const [one, two] = [makePieces(2), makePieces(2)];
  const all = Promise.all([runTogether(one.pieces, 2), runTogether(two.pieces, 2)]);
  expect([...one.running, ...two.running]).toEqual([0, 1, 0]);
  await one.end(1);
  await two.end(0);
  expect([...two.running]).toEqual([1]);
  await two.end(1);
  await one.end(0);
  await all;
  expect(two.most()).toBe(1);
});

it('one at a time on one processor', async () => {
  const { pieces, running, end } = makePieces(2);
  const all = runTogether(pieces, 1);
  expect([...running]).toEqual([0]);
  await end(0);
  await end(1);
  await all;
});

it('fails after everything that was started has ended, and starts nothing more', async () => {
  const { pieces, running, end } = makePieces(3);
  const failing = async () => {
    throw new Error('broken');
  };
  const all = runTogether([failing, ...pieces], 2).catch((error: unknown) => error);
  await new Promise(setImmediate);
  expect([...running]).toEqual([0]);
  await end(0);
  expect(await all).toEqual(new Error('broken'));
  expect([...running]).toEqual([]);
});
