/** The documents that runs have left, newest runs first. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Operation } from './operation.ts';

const input = z.strictObject({ run: z.string().optional() });

export interface DocumentLine {
  readonly run: string;
  readonly name: string;
  readonly title: string;
  readonly bytes: number;
}

const mostRuns = 50;

export const listDocuments: Operation<typeof input, readonly DocumentLine[]> = {
  name: 'list-documents',
  summary: 'the documents that runs have left',
  input,
  async run(context, { run }) {
    const { engine } = await context.forge();
    const runs = (await engine.list()).filter((listing) => run === undefined || listing.run === run);
    const newest = runs.toSorted((a, b) => ((a.state?.updatedAt ?? '') < (b.state?.updatedAt ?? '') ? 1 : -1));
    return newest.slice(0, mostRuns).flatMap((listing) =>
      documentNames(listing.directory).map((name) => ({
        run: listing.run,
        name,
        title: listing.state?.created?.title ?? '',
        bytes: statSync(join(listing.directory, 'documents', name)).size,
      })),
    );
  },
};

/** Plain files only: a link leads elsewhere. */
export function documentNames(directory: string): readonly string[] {
  try {
    const entries = readdirSync(join(directory, 'documents'), { withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
      .map((entry) => entry.name)
      .sort();
  } catch {
    return [];
  }
}
