/**
 * What an agent said and did while it worked: one append-only stream of JSON lines per job key. A stream for people,
 * never a source of truth, so it is not synced; but it is redacted and capped, since an agent writes it.
 */
import type { Redactor } from '../process/redact.ts';
import { noUsage, type Usage } from '../policy/usage.ts';
import type { TranscriptEntry } from './agent.ts';
import { parseJsonLines } from '../files/json-lines.ts';

const recordTypes = ['text', 'thought', 'tool', 'output', 'error', 'note', 'usage'] as const;

export interface TranscriptRecord {
  /** ISO time of the injected clock. */
  readonly at: string;
  readonly type: (typeof recordTypes)[number];
  readonly text: string;
  readonly tool?: ToolRecord | undefined;
}

interface ToolRecord {
  readonly name: string;
  readonly kind?: string | undefined;
  readonly paths: readonly string[];
  readonly status: string;
}

export interface Transcript {
  append(entry: TranscriptEntry): void;
  close(): Promise<void>;
}

/** Where its lines go. */
export interface TranscriptLines {
  readonly bytes: number;
  append(line: string): void;
  close(): Promise<void>;
}

export interface TranscriptOptions {
  readonly lines: TranscriptLines;
  readonly redactor: Redactor;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly maxBytes?: number;
}

const defaultMaxBytes = 16 * 1024 * 1024;
const maxTextLength = 64 * 1024;

/** Continues the lines of an earlier attempt at the same key. */
export function openTranscript(options: TranscriptOptions): Transcript {
  const { redactor, now, lines, maxBytes = defaultMaxBytes } = options;
  let full = lines.bytes >= maxBytes;
  return {
    append(entry) {
      if (full) return;
      const record = clean(entry, redactor, new Date(now()).toISOString());
      const line = JSON.stringify(record);
      full = lines.bytes + Buffer.byteLength(line) > maxBytes;
      const last = { at: record.at, type: 'note', text: `The transcript ends here: it reached ${maxBytes} bytes.` };
      lines.append(full ? JSON.stringify(last) : line);
    },
    close: () => lines.close(),
  };
}

/** Writes what each turn used: an entry whenever the total that an agent reports has grown. */
export function recordUsage(append: (entry: TranscriptEntry) => void): (total: Usage) => void {
  let last = noUsage;
  return (total) => {
    // Another session counts from the beginning.
    const before = total.inputTokens < last.inputTokens || total.costUsd < last.costUsd ? noUsage : last;
    const [input, output] = [total.inputTokens - before.inputTokens, total.outputTokens - before.outputTokens];
    const cost = total.costUsd - before.costUsd;
    last = total;
    if (input + output <= 0 && cost <= 0) return;
    const price = cost > 0 ? `, $${cost < 0.1 ? cost.toFixed(4) : cost.toFixed(2)}` : '';
    append({ type: 'usage', text: `${input} tokens in, ${output} out${price}` });
  };
}

/** Lines that are not entries are skipped: losing the rest of a stream for one of them helps nobody. */
export function parseTranscript(content: Buffer): {
  readonly records: readonly TranscriptRecord[];
  readonly torn: boolean;
} {
  const { lines, torn } = parseJsonLines(content);
  return { records: lines.flatMap(({ value }) => readRecord(value) ?? []), torn };
}

/** By hand, because reading a transcript must not load a schema library. Unknown fields are left out. */
function readRecord(value: unknown): TranscriptRecord | undefined {
  if (!isObject(value)) return undefined;
  const { at, text, tool } = value;
  const type = recordTypes.find((one) => one === value['type']);
  if (typeof at !== 'string' || typeof text !== 'string' || type === undefined) return undefined;
  if (tool === undefined) return { at, type, text };
  const used = readTool(tool);
  return used === undefined ? undefined : { at, type, text, tool: used };
}

function readTool(value: unknown): ToolRecord | undefined {
  if (!isObject(value)) return undefined;
  const { name, kind, paths, status } = value;
  const isFitting = typeof name === 'string' && typeof status === 'string' && isTexts(paths);
  if (!isFitting || (kind !== undefined && typeof kind !== 'string')) return undefined;
  return { name, ...(kind === undefined ? {} : { kind }), paths, status };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
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
