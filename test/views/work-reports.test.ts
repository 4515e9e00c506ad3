/** What a summary makes of the reports of steps and tasks: the rules of policy/work-report.ts. */
import { describe, expect, it } from 'vitest';
import type { FactInput } from '../../src/engine/facts.ts';
import { chronicleOf } from '../../src/views/chronicle.ts';
import { summaryOf } from '../../src/views/summary.ts';
import { summaryText } from '../../src/views/summary-text.ts';
import { collectReports } from '../../src/views/work-reports.ts';
import { factsUntil, recordedRun } from './recorded-run.ts';
import { factsFrom, opening, type Step } from './steps.ts';

type StepEnd = FactInput<'step.ended'>;
type Finding = NonNullable<NonNullable<StepEnd['report']>['findings']>[number];

const inTask = { type: 'task', key: 'T1' } as const;
const bug = (claim: string): Finding => ({ source: 'test', state: 'must-fix', severity: 'error', claim });
const advice = (claim: string): Finding => ({ source: 'review', state: 'advisory', severity: 'info', claim });

function step(key: string, kind: string, end: Partial<StepEnd>): Step[] {
  return [
    ['step.started', key, { kind, title: kind === 'round' ? key : kind, within: inTask }],
    ['step.ended', key, { status: 'done', ...end }],
  ];
}

const task: readonly Step[] = [
  ...opening,
  ['tasks.scheduled', '', { scope: '', tasks: [{ id: 'T1', title: 'T1 Search', depends: [] }] }],
  ['task.started', 'T1', { task: 'T1' }],
];

function statesOf(...steps: readonly (readonly Step[])[]): (readonly [string, string])[] {
  const { findings } = collectReports(chronicleOf(factsFrom([...task, ...steps.flat()])));
  return findings.map(({ claim, state }) => [claim, state] as const);
}

describe('reports of steps and tasks', () => {
  it('count by the newest round; what it does not repeat is fixed, and old advice is gone', () => {
    const first = step('round 1', 'round', { report: { findings: [bug('a'), bug('b'), advice('c')] } });
    const second = step('round 2', 'round', { report: { findings: [bug('b')] } });
    expect(statesOf(first)).toEqual([
      ['a', 'must-fix'],
      ['b', 'must-fix'],
      ['c', 'advisory'],
    ]);
    expect(statesOf(first, second)).toEqual([
      ['b', 'must-fix'],
      ['a', 'fixed'],
    ]);
  });

  it('stand while the next round has not reported anything', () => {
    const first = step('round 1', 'round', { report: { findings: [bug('a')] } });
    const open: Step = ['step.started', 'round 2', { kind: 'round', title: 'round 2', within: inTask }];
    expect(statesOf(first, [open])).toEqual([['a', 'must-fix']]);
  });

  it('are advice where the task was accepted all the same', () => {
    const found = step('round 1', 'round', { report: { findings: [bug('a')] } });
    const done: Step = ['task.ended', 'T1', { task: 'T1', status: 'done' }];
    expect(statesOf(found, [done])).toEqual([['a', 'advisory']]);
  });

  it('are spoken for by whoever is around them', () => {
    const inner = step('reader', 'agent', { report: { findings: [bug('a'), bug('b')] } });
    const done: Step = ['task.ended', 'T1', { task: 'T1', status: 'failed', report: { findings: [bug('b')] } }];
    expect(statesOf(inner, [done])).toEqual([['b', 'must-fix']]);
  });

  it('say what nobody verified, once and at its innermost', () => {
    const unverified = step('tester', 'agent', { status: 'unverified', detail: 'no usable reply' });
    const { unverified: texts } = collectReports(chronicleOf(factsFrom([...task, ...unverified])));
    expect(texts).toEqual(['T1 Search › agent: no usable reply']);
  });

  it('are read from a recorded run as its workflow reported them', () => {
    const midway = factsUntil('waves', ({ type, key }) => type === 'step.ended' && key === 'W1/test#1');
    expect(collectReports(chronicleOf(midway)).findings).toMatchObject([
      { claim: 'neg(0) is -0', state: 'must-fix', owner: 'Wave 1/2 [T1, T2]', key: 'W1/test#1' },
    ]);
    expect(collectReports(recordedRun('waves')).findings).toMatchObject([{ claim: 'neg(0) is -0', state: 'fixed' }]);
    expect(collectReports(recordedRun('modules')).lessons).toMatchObject({
      added: 2,
      learned: [{ text: 'Use node --test.' }],
    });
  });
});

it('a task shows the figures its workflow gave it, and nothing worked out a second time', () => {
  // A person accepted fewer tests: the check itself stays unverified, the workflow counts it as passed.
  const checked = step('checks', 'check', { status: 'unverified', detail: 'fewer tests than on the base' });
  const measured = step('validation', 'round', { detail: '1/1 passed', figures: { score: 1, passed: 1, total: 1 } });
  const ended: Step = [
    'task.ended',
    'T1',
    { task: 'T1', status: 'done', figures: { attempts: 1, score: 1 }, report: { notes: ['fewer tests accepted'] } },
  ];
  const summary = summaryOf(chronicleOf(factsFrom([...task, ...checked, ...measured, ended])));
  expect(summary.tasks).toMatchObject([{ status: 'done', figures: { attempts: 1, score: 1 } }]);
  const text = summaryText(summary, { columns: 100 });
  expect(text).toContain('T1 Search  ✓ done  1         1      fewer tests accepted\n');
  expect(text).not.toContain('0/1');
});

it('a run that was cancelled has nothing running and nothing waiting', () => {
  const waiting: Step = [
    'tasks.scheduled',
    '',
    { scope: '', tasks: [{ id: 'T2', title: 'T2 Show', depends: ['T1'] }] },
  ];
  const ended = (status: 'cancelled'): Step => ['run.ended', '', { status, reason: 'enough' }];
  const statuses = (...steps: Step[]) =>
    summaryOf(chronicleOf(factsFrom([...task, ...steps]))).tasks.map((row) => row.status);
  expect(statuses(waiting)).toEqual(['running', 'waiting']);
  expect(statuses(waiting, ['run.suspended', '', { reason: 'paused' }])).toEqual(['interrupted', 'waiting']);
  expect(statuses(waiting, ended('cancelled'))).toEqual(['cancelled', 'cancelled']);
});
