/**
 * The documents of runs, newest runs first: files that a run has left, and what can be made of any run's journal at any
 * time (its plan, its report, its findings), which is nowhere on disk.
 */
import { z } from 'zod';
import { planText } from '../views/plan-text.ts';
import { markdownReport } from '../views/report/markdown-report.ts';
import { sarifReport } from '../views/report/sarif-report.ts';
import { newestFirst } from './choose-run.ts';
import { liveReport } from './inspect-run.ts';
import { type LiveRun, liveRun } from './live-run.ts';
import type { JsonOf, Operation } from './operation.ts';

const input = z.strictObject({ run: z.string().optional() });

const output = z.array(
  z.strictObject({
    run: z.string(),
    name: z.string(),
    title: z.string(),
    /** Of a file. */
    bytes: z.number().int().optional(),
  }),
);

/** What is made when it is read; empty when there is nothing yet. Files of runs have other names: theirs begin with a slug. */
export const madeDocuments: Readonly<Record<string, (live: LiveRun) => string>> = {
  'plan.txt': ({ chronicle }) => planText(chronicle, { columns: 100 }) ?? '',
  'report.md': (live) => markdownReport(liveReport(live)),
  'findings.sarif': (live) => sarifReport(liveReport(live)),
};

const mostRuns = 50;

export const listDocuments: Operation<typeof input, typeof output> = {
  name: 'list-documents',
  kind: 'query',
  description: 'Lists the documents of runs, newest runs first: plan, report, findings, and files that runs left.',
  input,
  output,
  async run(context, { run }) {
    const { engine } = await context.runs();
    const runs = (await engine.list()).filter((listing) => run === undefined || listing.run === run);
    const lines: JsonOf<typeof output>[number][] = [];
    // Of one run that is looked at: a plan is listed only where there is one.
    const [only] = run === undefined ? [] : runs;
    const plan = only === undefined ? '' : planText((await liveRun(context, only.run)).chronicle, { columns: 100 });
    for (const one of newestFirst(runs).slice(0, mostRuns)) {
      const { title } = one;
      const names = Object.keys(madeDocuments).filter((name) => plan !== undefined || name !== 'plan.txt');
      const made = one.createdAt === '' ? [] : names;
      lines.push(...made.map((name) => ({ run: one.run, name, title })));
      const files = await engine.artifacts(one.run).list('documents');
      lines.push(...files.map(({ name, bytes }) => ({ run: one.run, name, title, bytes })));
    }
    return lines;
  },
};
