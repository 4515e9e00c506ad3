/** The morning report: short whatever happened, every decision with the command that reverses it. */
import { expect, it } from 'vitest';
import { noUsage } from '../../src/policy/usage.ts';
import { morningText } from '../../src/views/morning-text.ts';

const tasks = Array.from({ length: 200 }, (_, at) => `T${at + 1}`);

it('is read in a minute after a night with 200 tasks', () => {
  const lines = morningText(
    {
      run: 'notes-1234',
      subject: { id: 'M001', title: 'Notes' },
      status: 'failed',
      slices: [
        { id: 'S01', title: 'Tags', status: 'done', tasks: 200, objections: 3, fixed: 1, kept: 0, later: 1, open: 0 },
      ],
      delivered: tasks.map((task) => ({
        requirement: `${task} works`,
        task,
        evidence: 'npm test',
        commit: 'a'.repeat(40),
      })),
      decisions: [
        {
          id: 'D1',
          unit: 'S01',
          choice: 'Lower case',
          why: 'README',
          alternative: 'As written',
          redo: 'build it as written',
        },
      ],
      open: ['S02/T01 is blocked: A tool is missing'],
      usage: { ...noUsage, costUsd: 12.5 },
      workedMs: 3_600_000,
      forecast: {
        status: 'made',
        usd: { low: 5, likely: 10, high: 20 },
        tokens: { low: 400_000, likely: 900_000, high: 2e6 },
        minutes: { low: 20.4, likely: 30, high: 90 },
      },
    },
    100,
  );
  expect(lines.length).toBeLessThan(40);
  expect(lines).toEqual(
    expect.arrayContaining([
      'M001 Notes: stopped, not everything is done',
      '  ✓ S01 Tags: 200 tasks, 3 objections (1 fixed, 1 for later, 1 withdrawn)',
      '  and 188 more (--json shows all)',
      '  D1 S01: Lower case (README)',
      '    Reverse it (build it as written): forge milestone reverse D1',
      '  - S02/T01 is blocked: A tool is missing',
      '  $12.50, 1 h of work',
      '  Forecast for the slices when they were planned: $10.00 ($5.00 to $20.00), 900k tokens (400k to',
      '    2.0M), 30 minutes (20 to 90).',
      'Try again what is open: forge retry notes-1234',
    ]),
  );
});
