import { expect, it } from 'vitest';
import { type SupervisedRun, superviseRun } from '../../src/policy/supervision.ts';

const now = 10_000_000_000;
const dead: SupervisedRun = { status: 'interrupted', code: null, reason: '', seq: 100, updatedAt: now - 1000 };
const minute = 60_000;

it('continues a run whose process is gone at once', () => {
  expect(superviseRun(dead, [], now)).toEqual({ action: 'resume', why: 'its process is gone' });
});

it('leaves alone what a person decided, what waits for one, and what reached a limit of theirs', () => {
  for (const status of ['created', 'running', 'waiting', 'paused', 'done', 'failed', 'cancelled', 'unreadable'])
    expect(superviseRun({ ...dead, status }, [], now)).toEqual({ action: 'leave' });
  const budget = { ...dead, status: 'limited', code: 'limit-reached', reason: 'the run may use $10' };
  expect(superviseRun(budget, [], now)).toEqual({ action: 'leave' });
  expect(superviseRun({ ...dead, status: 'stopped', code: 'not-trusted' }, [], now)).toEqual({ action: 'leave' });
});

it('gives a passing failure time, and a run that gets no further more and more', () => {
  const stopped = { ...dead, status: 'stopped', code: 'agent-unavailable', reason: 'network: no route' };
  expect(superviseRun(stopped, [], now)).toMatchObject({ action: 'later', until: stopped.updatedAt + minute });
  expect(superviseRun(stopped, [], now + minute)).toMatchObject({ action: 'resume' });
  const limited = { ...dead, status: 'limited', code: 'limit-reached', reason: 'rate_limit: come back later' };
  expect(superviseRun(limited, [], now + minute)).toMatchObject({ action: 'resume' });
  const vain = (times: number) => Array.from({ length: times }, (_, at) => ({ at: now + at, seq: 98 }));
  const pauses = [1, 5, 15, 60];
  for (const [at, minutes] of pauses.entries()) {
    const past = vain(at + 1);
    const last = past.at(-1)?.at ?? 0;
    expect(superviseRun(dead, past, last)).toMatchObject({ action: 'later', until: last + minutes * minute });
    expect(superviseRun(dead, past, last + minutes * minute)).toMatchObject({ action: 'resume' });
  }
  expect(superviseRun(dead, vain(5), now * 2)).toEqual({
    action: 'give-up',
    why: 'it was continued 5 times and got no further',
  });
});

it('counts only continuations since it last got further', () => {
  const past = [
    { at: now - 5, seq: 1 },
    { at: now - 4, seq: 2 },
    { at: now - 3, seq: 50 },
  ];
  expect(superviseRun({ ...dead, seq: 100 }, past, now)).toMatchObject({ action: 'resume' });
});
