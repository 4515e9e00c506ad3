import { expect, it } from 'vitest';
import { beforeDispatch, usageThreshold } from '../../src/policy/usage-threshold.ts';

const asked = { agent: 'first', agents: ['first', 'second', 'third'], now: 1000 };

it('goes on below nine tenths and without figures', () => {
  expect(usageThreshold).toBe(90);
  expect(beforeDispatch({ ...asked, windows: [] })).toEqual({ action: 'continue' });
  expect(beforeDispatch({ ...asked, windows: [{ window: '5h', used: 89.9 }] })).toEqual({ action: 'continue' });
  expect(beforeDispatch({ ...asked, windows: [{ window: '5h', used: Number.NaN }] })).toEqual({ action: 'continue' });
});

it('hands over by the tightest window', () => {
  const tight = { window: '7d', used: 95, resetsAt: 5000 };
  expect(beforeDispatch({ ...asked, windows: [{ window: '5h', used: 91 }, tight] })).toEqual({
    action: 'handoff',
    agent: 'second',
    window: tight,
  });
});

it('passes over a window that has ended and agents that are no better off', () => {
  const over = { window: '5h', used: 99, resetsAt: 900 };
  expect(beforeDispatch({ ...asked, windows: [over] })).toEqual({ action: 'continue' });
  const windows = [{ window: '5h', used: 90 }];
  expect(beforeDispatch({ ...asked, windows, exhausted: ['second'] })).toMatchObject({ agent: 'third' });
  expect(beforeDispatch({ ...asked, windows, exhausted: ['second', 'third'] })).toEqual({ action: 'continue' });
});
