/**
 * The documents of runs, newest runs first: files that a run has left, and what can be made of any run's journal at any
 * time (its plan, its report, its findings), which is nowhere on disk.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { compareIds } from '../plan/task-id.ts';
import type { Chronicle } from '../views/chronicle.ts';
import { planText } from '../views/plan-text.ts';
import { markdownReport } from '../views/report/markdown-report.ts';
import { reportOf } from '../views/report/report.ts';
import { sarifReport } from '../views/report/sarif-report.ts';
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
    const { engine } = await context.reader();
    const runs = (await engine.list()).filter((listing) => run === undefined || listing.run === run);
    const newest = runs.toSorted((a, b) => ((a.state?.updatedAt ?? '') < (b.state?.updatedAt ?? '') ? 1 : -1));
    return newest.slice(0, mostRuns).flatMap((listing) => {
      const title = listing.state?.created?.title ?? '';
      const made = listing.state?.created === undefined ? [] : Object.keys(madeDocuments);
      return [
        ...made.map((name) => ({ run: listing.run, name, title })),
        ...documentNames(listing.directory).map((name) => ({
          run: listing.run,
          name,
          title,
          bytes: statSync(join(listing.directory, 'documents', name)).size,
        })),
      ];
    });
  },
};

/** Plain files only: a link leads elsewhere. */
export function documentNames(directory: string): readonly string[] {
  try {
    const entries = readdirSync(join(directory, 'documents'), { withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
      .map((entry) => entry.name)
      .sort(compareIds);
  } catch {
    return [];
  }
}
