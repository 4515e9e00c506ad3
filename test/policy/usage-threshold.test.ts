import { expect, it } from 'vitest';
import { chooseSeat, tightestWindow, type UsageWindow, usageThreshold } from '../../src/policy/usage-threshold.ts';

const now = 1000;
const seat = (name: string, ...windows: UsageWindow[]) => ({ seat: name, windows });
const full = (resetsAt?: number): UsageWindow => ({
  window: '5h',
  used: 90,
  ...(resetsAt === undefined ? {} : { resetsAt }),
});

it('goes on below nine tenths and without figures', () => {
  expect(usageThreshold).toBe(90);
  const take = { action: 'take', seat: 'first' };
  expect(chooseSeat({ seats: [seat('first'), seat('second')], now })).toEqual(take);
  expect(chooseSeat({ seats: [seat('first', { window: '5h', used: 89.9 })], now })).toEqual(take);
  expect(chooseSeat({ seats: [seat('first', { window: '5h', used: Number.NaN })], now })).toEqual(take);
  // A window that has ended says nothing.
  expect(chooseSeat({ seats: [seat('first', full(900)), seat('second')], now })).toEqual(take);
});

it('hands over to the first that is free', () => {
  const tight = { window: '7d', used: 95, resetsAt: 5000 };
  const seats = [seat('first', { window: '5h', used: 91 }, tight), seat('second', full(2000)), seat('third')] as const;
  expect(chooseSeat({ seats: [...seats], now })).toEqual({ action: 'handoff', seat: 'third', window: tight });
  expect(tightestWindow([full(900), tight], now)).toEqual(tight);
});

it('waits for the first reset when all are full: of an account all its full windows have to end', () => {
  const week = { window: '7d', used: 100, resetsAt: 9000 };
  const seats = [seat('first', full(2000), week), seat('second', full(3000))] as const;
  expect(chooseSeat({ seats: [...seats], now })).toEqual({
    action: 'wait',
    seat: 'second',
    until: 3000,
    window: full(3000),
  });
  // Nobody waits that long: the one it was meant for tries.
  expect(chooseSeat({ seats: [...seats], now, longestWaitMs: 1000 })).toEqual({ action: 'take', seat: 'first' });
});

it('does not wait for a window that never says when it ends', () => {
  expect(chooseSeat({ seats: [seat('first', full())], now })).toEqual({ action: 'take', seat: 'first' });
  expect(chooseSeat({ seats: [seat('first', full(2000)), seat('second', full())], now })).toEqual({
    action: 'take',
    seat: 'second',
  });
});
