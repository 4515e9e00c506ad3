/** One run as a report: as data, and as the text of one of its formats. Reads the journal, changes nothing. */
import { z } from 'zod';
import { htmlReport } from '../views/report/html-report.ts';
import { markdownReport } from '../views/report/markdown-report.ts';
import { type Report, reportOf } from '../views/report/report.ts';
import { sarifReport } from '../views/report/sarif-report.ts';
import { findSummary, readChronicle } from './find-run.ts';
import type { Operation } from './operation.ts';

export const reportFormats = ['markdown', 'html', 'sarif', 'json'] as const;
export type ReportFormat = (typeof reportFormats)[number];

const input = z.strictObject({
  run: z.string().optional(),
  /** Several at once are made from the same facts. */
  formats: z.array(z.enum(reportFormats)).default(['markdown']),
});

export interface RunReported {
  readonly run: string;
  readonly texts: readonly { readonly format: ReportFormat; readonly text: string }[];
}

export const reportRun: Operation<typeof input, RunReported> = {
  name: 'report-run',
  summary: 'a run as a report: Markdown, HTML, SARIF or data',
  input,
  async run(context, { run, formats }) {
    const listing = await findSummary(context, { run, what: 'here', fits: () => true });
    const report = reportOf(await readChronicle((await context.runs()).engine, listing.run));
    return { run: listing.run, texts: formats.map((format) => ({ format, text: writers[format](report) })) };
  },
};

const writers: Readonly<Record<ReportFormat, (report: Report) => string>> = {
  markdown: markdownReport,
  html: htmlReport,
  sarif: sarifReport,
  json: (report) => `${JSON.stringify(report)}\n`,
};
