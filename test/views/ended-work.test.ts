/** What was at work when a run ended or stopped: no report says that it still is. */
import { expect, it } from 'vitest';
import { chronicleOf } from '../../src/views/chronicle.ts';
import { markdownReport } from '../../src/views/report/markdown-report.ts';
import { reportOf } from '../../src/views/report/report.ts';
import { factsFrom, opening, type Step, started } from './steps.ts';

const work = started('agent.run', 'develop#1', { role: 'developer', attempt: 1 });

function reported(...last: readonly Step[]) {
  const report = reportOf(chronicleOf(factsFrom([...opening, work, ...last])));
  const [, end] = /^\| run \| 2026-\S+ \S+ \| (.+?) \| .+ \|$/m.exec(markdownReport(report)) ?? [];
  const spans = report.spans.map(({ isOpen, endedAt }) => ({ isOpen, endedAt }));
  return { end, spans };
}

it.each(['cancelled', 'failed'] as const)('is over when the run is %s', (status) => {
  expect(reported(['run.ended', '', { status }])).toEqual({
    end: '2026-04-28 10:00:03',
    spans: [{ isOpen: false, endedAt: '2026-04-28T10:00:03.000Z' }],
  });
});

it('is interrupted while the run is paused, and under way while it runs', () => {
  expect(reported(['run.suspended', '', { reason: 'paused' }])).toEqual({
    end: 'interrupted',
    spans: [{ isOpen: false, endedAt: undefined }],
  });
  expect(reported()).toEqual({ end: 'under way', spans: [{ isOpen: true, endedAt: undefined }] });
});
