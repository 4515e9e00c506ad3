/** The text of one document of a run. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ForgeError } from '../errors.ts';
import { documentNames, madeDocuments } from './list-documents.ts';
import { findRun, readChronicle } from './find-run.ts';
import type { Operation } from './operation.ts';
import { suggest } from './suggest.ts';

const input = z.strictObject({ run: z.string().min(1).max(128), name: z.string().min(1).max(255) });

export interface DocumentText {
  readonly run: string;
  readonly name: string;
  readonly text: string;
}

const mostBytes = 4 * 1024 * 1024;

export const readDocument: Operation<typeof input, DocumentText> = {
  name: 'read-document',
  summary: 'the text of a document of a run',
  input,
  async run(context, { run, name }) {
    const listing = await findRun(context, { run, what: 'here', fits: () => true });
    const make = Object.hasOwn(madeDocuments, name) ? madeDocuments[name] : undefined;
    if (make !== undefined) return { run: listing.run, name, text: make(readChronicle(listing)) };
    const names = [...Object.keys(madeDocuments), ...documentNames(listing.directory)];
    if (!names.includes(name)) {
      throw new ForgeError('bad-input', `The run ${listing.run} has no document ${JSON.stringify(name)}`, {
        hint: suggest(name, names, `It has: ${names.join(', ')}.`),
      });
    }
    const handle = await open(join(listing.directory, 'documents', name), constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      const { size } = await handle.stat();
      if (size > mostBytes) throw new ForgeError('bad-input', `${name} has ${size} bytes, which is too much to show`);
      return { run: listing.run, name, text: await handle.readFile('utf8') };
    } finally {
      await handle.close();
    }
  },
};
