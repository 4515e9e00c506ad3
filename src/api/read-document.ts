/** The text of one document of a run. */
import { z } from 'zod';
import { ForgeError } from '../errors.ts';
import { findSummary } from './find-run.ts';
import { madeDocuments } from './list-documents.ts';
import { liveRun } from './live-run.ts';
import type { Operation } from './operation.ts';
import { suggestWord } from './suggest.ts';

const input = z.strictObject({ run: z.string().min(1).max(128), name: z.string().min(1).max(255) });

const output = z.strictObject({ run: z.string(), name: z.string(), text: z.string() });

const mostBytes = 4 * 1024 * 1024;

export const readDocument: Operation<typeof input, typeof output> = {
  name: 'read-document',
  kind: 'query',
  description: 'Gives the text of one document of a run.',
  input,
  output,
  async run(context, { run, name }) {
    const { engine } = await context.runs();
    const listing = await findSummary(context, { run, what: 'here', fits: () => true });
    const make = Object.hasOwn(madeDocuments, name) ? madeDocuments[name] : undefined;
    if (make !== undefined) return { run: listing.run, name, text: make(await liveRun(context, listing.run)) };
    const artifacts = engine.artifacts(listing.run);
    const files = await artifacts.list('documents');
    const names = [...Object.keys(madeDocuments), ...files.map((file) => file.name)];
    if (!names.includes(name)) {
      throw new ForgeError('bad-input', `The run ${listing.run} has no document ${JSON.stringify(name)}`, {
        hint: suggestWord(name, names, `It has: ${names.join(', ')}.`),
      });
    }
    const { bytes = 0 } = files.find((file) => file.name === name) ?? {};
    if (bytes > mostBytes) throw new ForgeError('bad-input', `${name} has ${bytes} bytes, which is too much to show`);
    const content = await artifacts.read(`documents/${name}`);
    return { run: listing.run, name, text: content?.toString('utf8') ?? '' };
  },
};
