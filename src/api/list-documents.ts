/**
 * The documents of runs, newest runs first: files that a run has left, and what can be made of any run's journal at any
 * time (its plan, its report, its findings), which is nowhere on disk.
 */
import { z } from 'zod';
import type { Chronicle } from '../views/chronicle.ts';
import { planText } from '../views/plan-text.ts';
import { markdownReport } from '../views/report/markdown-report.ts';
import { reportOf } from '../views/report/report.ts';
import { sarifReport } from '../views/report/sarif-report.ts';
import { newestFirst } from './choose-run.ts';
import type { Operation } from './operation.ts';

const input = z.strictObject({ run: z.string().optional() });

export interface DocumentLine {
  readonly run: string;
  readonly name: string;
  readonly title: string;
  /** Of a file. */
  readonly bytes?: number;
}

/** What is made when it is read; empty when there is nothing yet. Files of runs have other names: theirs begin with a slug. */
export const madeDocuments: Readonly<Record<string, (chronicle: Chronicle) => string>> = {
  'plan.txt': (chronicle) => planText(chronicle, { columns: 100 }) ?? '',
  'report.md': (chronicle) => markdownReport(reportOf(chronicle)),
  'findings.sarif': (chronicle) => sarifReport(reportOf(chronicle)),
};

const mostRuns = 50;

export const listDocuments: Operation<typeof input, readonly DocumentLine[]> = {
  name: 'list-documents',
  summary: 'the documents of runs',
  input,
  async run(context, { run }) {
    const { engine } = await context.runs();
    const runs = (await engine.list()).filter((listing) => run === undefined || listing.run === run);
    const lines: DocumentLine[] = [];
    for (const one of newestFirst(runs).slice(0, mostRuns)) {
      const { title } = one;
      const made = one.createdAt === '' ? [] : Object.keys(madeDocuments);
      lines.push(...made.map((name) => ({ run: one.run, name, title })));
      const files = await engine.artifacts(one.run).list('documents');
      lines.push(...files.map(({ name, bytes }) => ({ run: one.run, name, title, bytes })));
    }
    return lines;
  },
};
