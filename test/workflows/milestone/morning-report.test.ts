/** The numbers of decisions: whoever reads them while a run is at work means the same decision a minute later. */
import { expect, it } from 'vitest';
import { type Chronicle, emptyChronicle } from '../../../src/views/chronicle.ts';
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
