/** One run as a report: as data, and as the text of one of its formats. Reads the journal, changes nothing. */
import { z } from 'zod';
import { markdownReport } from '../views/report/markdown-report.ts';
import { type Report, reportOf } from '../views/report/report.ts';
import { sarifReport } from '../views/report/sarif-report.ts';
import type { ApiContext } from './context.ts';
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
    const text = await (format === 'html'
      ? htmlReport(context, listing.run)
      : readChronicle((await context.runs()).engine, listing.run).then((chronicle) =>
          writers[format](reportOf(chronicle)),
        ));
    return { run: listing.run, format, text };
  },
};

/** Loaded only for this format: it is made with the dashboard's viewer. */
async function htmlReport(context: ApiContext, run: string): Promise<string> {
  const [{ runFile }, { viewerPage }] = await Promise.all([import('./run-file.ts'), import('./viewer-page.ts')]);
  return viewerPage(await runFile(context, run));
}

const writers: Readonly<Record<Exclude<ReportFormat, 'html'>, (report: Report) => string>> = {
  markdown: markdownReport,
  sarif: sarifReport,
  json: (report) => `${JSON.stringify(report)}\n`,
};
