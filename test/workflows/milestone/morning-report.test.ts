/** The numbers of decisions: whoever reads them while a run is at work means the same decision a minute later. */
import { expect, it } from 'vitest';
import type { Fact } from '../../../src/engine/facts.ts';
import { advanceChronicle, type Chronicle, emptyChronicle } from '../../../src/views/chronicle.ts';
import { morningReport } from '../../../src/workflows/milestone/morning-report.ts';

const decisions = (choice: string) => ({ decisions: [{ choice }] });

function decideInTask(run: Chronicle, key: string, { choice, at }: { choice: string; at: number }): void {
  const outcome = { task: key, status: 'done', reason: '', data: decisions(choice) } as const;
  run.state.tasks.set(key, { task: key, startedSeq: 1, endedSeq: at, outcome });
}

function decideInStep(run: Chronicle, key: string, { choice, at }: { choice: string; at: number }): void {
  const end = { status: 'done' as const, detail: '', figures: {}, lines: [], links: [], data: decisions(choice) };
  const step = { kind: 'unit', title: 'plan-slice', detail: '', within: undefined, startedAt: '', startedSeq: 1 };
  run.state.steps.set(key, { ...step, end: { ...end, at: '', seq: at } });
}

const numbers = (run: Chronicle) =>
  morningReport(run).decisions.map(({ id, unit, choice }) => `${id} ${unit} ${choice}`);

it('stay what they are when more is decided', () => {
  const run = emptyChronicle();
  decideInStep(run, 'S01/plan', { choice: 'two files', at: 10 });
  decideInTask(run, 'S01/T01', { choice: 'lower case', at: 20 });
  const read = ['D1 S01 two files', 'D2 S01/T01 lower case'];
  expect(numbers(run)).toEqual(read);
  decideInStep(run, 'S02/plan', { choice: 'one file', at: 30 });
  decideInStep(run, 'S02/review-fix/unit', { choice: 'check input', at: 40 });
  expect(numbers(run)).toEqual([...read, 'D3 S02 one file', 'D4 S02 check input']);
});

it('mean the same decision after a task was tried again, whatever it decides then', () => {
  const run = emptyChronicle();
  decideInTask(run, 'S01/T01', { choice: 'upper case', at: 10 });
  decideInTask(run, 'S01/T02', { choice: 'two files', at: 20 });
  decideInTask(run, 'S01/T03', { choice: 'no cache', at: 30 });
  expect(numbers(run)).toEqual(['D1 S01/T01 upper case', 'D2 S01/T02 two files', 'D3 S01/T03 no cache']);
  const data = { task: 'T01', generation: 2, tasks: ['S01/T01', 'S01/T02'], forgotten: [], steps: [], unscheduled: [] };
  const reopened = { v: 1, seq: 40, at: '', type: 'task.reopened', key: 'S01/T01', data, hash: '' };
  advanceChronicle(run, reopened as unknown as Fact);
  expect(numbers(run)).toEqual(['D3 S01/T03 no cache']);
  decideInTask(run, 'S01/T01', { choice: 'mixed case', at: 50 });
  decideInTask(run, 'S01/T02', { choice: 'two files', at: 60 });
  expect(numbers(run)).toEqual(['D2 S01/T02 two files', 'D3 S01/T03 no cache', 'D4 S01/T01 mixed case']);
});
