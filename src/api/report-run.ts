/** One run as a report: as data, and as the text of one of its formats. Reads the journal, changes nothing. */
import { z } from 'zod';
import { htmlReport } from '../views/report/html-report.ts';
import { markdownReport } from '../views/report/markdown-report.ts';
import { type Report, reportOf } from '../views/report/report.ts';
import { sarifReport } from '../views/report/sarif-report.ts';
import { findSummary, readChronicle } from './find-run.ts';
import type { Operation } from './operation.ts';
import { runName } from './run-name.ts';

export const reportFormats = ['markdown', 'html', 'sarif', 'json'] as const;
type ReportFormat = (typeof reportFormats)[number];

const input = z.strictObject({
  run: runName,
  format: z.enum(reportFormats).default('markdown'),
});

const output = z.strictObject({ run: z.string(), format: z.enum(reportFormats), text: z.string() });

export const reportRun: Operation<typeof input, typeof output> = {
  name: 'report-run',
  kind: 'query',
  description:
    'Writes the report of a run: what was built, the evidence for it, what remains, what it took, and where the result is. As Markdown, one HTML page, SARIF findings, or data.',
  input,
  output,
  tool: { name: 'forge_report', title: 'Write the report of a run' },
  async run(context, { run, format }) {
    const listing = await findSummary(context, { run, what: 'here', fits: () => true });
    return {
      run: listing.run,
      format,
      text: writers[format](reportOf(await readChronicle((await context.runs()).engine, listing.run))),
    };
  },
};

const writers: Readonly<Record<ReportFormat, (report: Report) => string>> = {
  markdown: markdownReport,
  html: htmlReport,
  sarif: sarifReport,
  json: (report) => `${JSON.stringify(report)}\n`,
};
