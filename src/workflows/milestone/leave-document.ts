/**
 * Documents that a run leaves in `.gsd`. Each is a fact first; the file is a projection of it. A document may replace
 * one that was there when the run started only if it says so.
 */
import { z } from 'zod';
import type { Bench } from '../../engine/bench.ts';
import { sealDocument } from '../../gsd/sealed-document.ts';
import type { Chronicle } from '../../views/chronicle.ts';
import type { WorkflowDocument } from '../definition.ts';

const leftSchema = z.object({
  document: z.object({
    path: z.string(),
    content: z.string(),
    over: z.string().optional(),
    stamp: z.string().optional(),
  }),
});

export interface LeftDocument {
  readonly path: string;
  readonly content: string;
  /** The text it may replace, although somebody else wrote it. */
  readonly over?: string | undefined;
  /** The field of its front matter that says when it was left. */
  readonly stamp?: 'saved_at' | 'completed_at' | undefined;
  /** What happened, for the milestone's events. */
  readonly event?: LeftEvent | undefined;
}

export interface LeftEvent {
  readonly event: string;
  readonly [field: string]: string | number | Readonly<Record<string, number>>;
}

export async function leaveDocument(
  bench: Bench,
  key: string,
  { path, content, over, stamp, event }: LeftDocument,
): Promise<void> {
  // Somebody else's document stays theirs while there is nothing to change in it.
  if (content === over) return;
  const document = {
    path,
    content,
    ...(over === undefined || over === '' ? {} : { over }),
    ...(stamp === undefined ? {} : { stamp }),
  };
  await bench.record(key, 'note.recorded', { text: '', data: { document, ...(event === undefined ? {} : { event }) } });
}

/** What the run has left so far; of several with one path the newest counts. */
export function leftDocuments({ notes }: Pick<Chronicle, 'notes'>): readonly WorkflowDocument[] {
  const found = new Map<string, WorkflowDocument>();
  for (const { data, at } of notes.values()) {
    if (typeof data !== 'object' || data === null) continue;
    const known = cache.get(data);
    const document = known === undefined ? readDocument(data, at) : known;
    if (known === undefined) cache.set(data, document);
    if (document !== null) found.set(document.path, document);
  }
  return [...found.values()];
}

/** Null: it is not a document. */
const cache = new WeakMap<object, WorkflowDocument | null>();

function readDocument(data: unknown, at: string): WorkflowDocument | null {
  const read = leftSchema.safeParse(data);
  if (!read.success) return null;
  const { path, content: text, over, stamp } = read.data.document;
  const content = stamp === undefined ? text : text.replace('\n---\n', () => `\n${stamp}: ${at}\n---\n`);
  const isMarkdown = path.endsWith('.md');
  return {
    folder: '.gsd',
    path,
    content: isMarkdown ? sealDocument(content) : content,
    ...(over === undefined ? {} : { over }),
  };
}
