/** Tools that look on: wait for a run with progress as it comes, and tell what came of one. */
import { z } from 'zod';
import { followRun } from '../api/follow-run.ts';
import { perform } from '../api/operation.ts';
import { reportFormats, reportRun } from '../api/report-run.ts';
import { runStatus } from '../api/run-status.ts';
import { looksOnly, type ServerTool, serverTool } from './tool.ts';

const run = z.string().min(1).max(128).optional();

const wait = serverTool({
  name: 'forge_wait',
  title: 'Wait for a run',
  description:
    'Follows a run until it needs somebody (a question, a pause, a limit) or is over, and then says where it stands. Progress notifications tell what happens meanwhile. Returns timedOut after timeoutSeconds; call it again.',
  input: z.strictObject({
    run,
    until: followRun.input.shape.until,
    timeoutSeconds: z.number().min(0).max(86_400).default(1800),
  }),
  hints: looksOnly,
  call: async (args, { context, signal, progress }) => {
    const followed = await perform(followRun, context, { run: args.run, until: args.until });
    const late = AbortSignal.timeout(Math.max(1, args.timeoutSeconds * 1000));
    await followed.follow(AbortSignal.any([signal, late]), progress);
    const { report } = await perform(runStatus, context, { run: followed.run });
    const isWaited = report.status === 'running' && report.questions.length === 0;
    return { ...report, timedOut: isWaited && late.aborted };
  },
});

const report = serverTool({
  name: 'forge_report',
  title: 'Report of a run',
  description:
    'The report of a run: what was built, the evidence for it, what remains, what it took, and where the result is. As Markdown, one HTML page, SARIF findings, or data.',
  input: z.strictObject({ run, format: z.enum(reportFormats).default('markdown') }),
  hints: looksOnly,
  call: async (args, { context }) => {
    const { texts } = await perform(reportRun, context, { run: args.run, formats: [args.format] });
    return texts.map(({ text }) => text).join('\n');
  },
});

export const watchTools: readonly ServerTool[] = [wait, report];
