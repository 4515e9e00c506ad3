/**
 * What an agent said and did while it worked: one append-only JSONL file per job key. A stream for people,
 * never a source of truth, so it is not synced; but it is redacted and capped, since an agent writes it.
 */
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Redactor } from '../process/redact.ts';
import type { TranscriptEntry } from './agent.ts';
import { openJsonLines, readJsonLines } from './json-lines.ts';

const recordSchema = z.object({
  /** ISO time of the injected clock. */
  at: z.string(),
  type: z.enum(['text', 'thought', 'tool', 'output', 'error', 'note']),
  text: z.string(),
  tool: z
    .object({ name: z.string(), kind: z.string().optional(), paths: z.array(z.string()), status: z.string() })
    .optional(),
});
export type TranscriptRecord = z.infer<typeof recordSchema>;

export interface Transcript {
  readonly file: string;
  append(entry: TranscriptEntry): void;
  close(): void;
}

export interface TranscriptOptions {
  readonly directory: string;
  readonly key: string;
  readonly redactor: Redactor;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly maxBytes?: number;
}

const defaultMaxBytes = 16 * 1024 * 1024;
const maxTextLength = 64 * 1024;

/** Continues the file of an earlier attempt at the same key. */
export function openTranscript(options: TranscriptOptions): Transcript {
  const { redactor, now, maxBytes = defaultMaxBytes } = options;
  mkdirSync(options.directory, { recursive: true });
  const file = join(options.directory, transcriptName(options.key));
  const lines = openJsonLines(file);
  let full = lines.bytes >= maxBytes;
  return {
    file,
    append(entry) {
      if (full) return;
      const record = clean(entry, redactor, new Date(now()).toISOString());
      full = lines.bytes + Buffer.byteLength(JSON.stringify(record)) > maxBytes;
      lines.append(
        full
          ? { at: record.at, type: 'note', text: `The transcript ends here: it reached ${maxBytes} bytes.` }
          : record,
      );
    },
    close: () => lines.close(),
  };
}

/** Lines that are no entries are skipped: losing the rest of a stream for one of them helps nobody. */
export function readTranscript(file: string): {
  readonly records: readonly TranscriptRecord[];
  readonly torn: boolean;
} {
  const { lines, torn } = readJsonLines(file);
  const records = lines.flatMap(({ value }) => {
    const read = recordSchema.safeParse(value);
    return read.success ? [read.data] : [];
  });
  return { records, torn };
}

/** A file name for any key: readable, never a path, and different for different keys. */
export function transcriptName(key: string): string {
  const readable = key.replaceAll(/[^A-Za-z0-9_-]+/g, '-').slice(0, 100);
  return `${readable}.${createHash('sha256').update(key).digest('hex').slice(0, 12)}.jsonl`;
}

function clean(entry: TranscriptEntry, redactor: Redactor, at: string): TranscriptRecord {
  const text = redactor.redact(entry.text);
  const record = {
    at,
    type: entry.type,
    text: text.length > maxTextLength ? `${text.slice(0, maxTextLength)} […]` : text,
  };
  if (entry.tool === undefined) return record;
  const { paths } = entry.tool;
  return { ...record, tool: { ...entry.tool, paths: paths.map((path) => redactor.redact(path)) } };
}
