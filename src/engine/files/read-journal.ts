/**
 * A journal's text becomes facts: pure, and strict. Only a last line without its newline is torn (the
 * writer died inside the write) and may be cut off; anything else that is wrong is reported with its line.
 * Lines of an older format are upgraded step by step; a newer one is refused with a sentence.
 * A line whose hash follows from the one before is what Forge wrote, and was checked against its schema then. Whoever goes
 * on writing checks the schema again (`validate`); those who only look need not load any schema.
 */
import { createHash } from 'node:crypto';
import { ForgeError } from '../../errors.ts';
import type { Fact } from '../facts.ts';

/** The format of a journal line. Raise it together with a step in `upgrades`. */
export const journalFormat = 2;

export interface JournalContent {
  readonly facts: readonly Fact[];
  /** Hash of the last good line, to chain the next one to. */
  readonly hash: string;
  /** Bytes up to and including the last good newline. */
  readonly goodBytes: number;
  /** Bytes after it: a torn last line, 0 when there is none. */
  readonly tornBytes: number;
}

/** Turns a line of format n into one of format n + 1. */
export type Upgrade = (line: RawLine) => RawLine;
export type RawLine = Readonly<Record<string, unknown>> & { readonly v: number };

/** `upgrades[n]` reads format n. */
const upgrades: Readonly<Record<number, Upgrade>> = {
  /** Format 2 keeps what is large in blobs. Lines of format 1 hold everything themselves; some lack a list that came later. */
  1: (line) =>
    line['type'] === 'task.reopened' ? { ...line, data: { steps: [], ...(line['data'] as Readonly<object>) } } : line,
};

/** The first format whose lines name blobs. */
const blobFormat = 2;

const firstHash = '0'.repeat(64);

/** Where reading goes on: after a line that was read before. */
export interface JournalCursor {
  readonly hash: string;
  readonly seq: number;
}

export interface ReadOptions {
  /** Named in errors. */
  readonly file: string;
  readonly upgrades?: Readonly<Record<number, Upgrade>>;
  readonly format?: number;
  /** The content follows these lines, which were read before. */
  readonly after?: JournalCursor;
  /** Checks a fact's data against its schema; what it returns is what is used. Throws what is wrong. */
  readonly validate?: (type: string, data: unknown) => unknown;
  /** Puts what was kept in blobs back into a fact's data. */
  readonly hydrate?: (data: unknown) => unknown;
}

export function readJournal(content: Buffer, options: ReadOptions): JournalContent {
  const facts: Fact[] = [];
  let { hash, seq } = options.after ?? { hash: firstHash, seq: 0 };
  let start = 0;
  for (;;) {
    const end = content.indexOf(0x0a, start);
    if (end === -1) break;
    const text = content.toString('utf8', start, end);
    seq += 1;
    const fact = readLine(text, { ...options, line: seq, previous: hash });
    facts.push(fact);
    hash = fact.hash;
    start = end + 1;
  }
  return { facts, hash, goodBytes: start, tornBytes: content.length - start };
}

/** The text of a line, chained to the one before it. The hash covers the text itself, not a re-serialisation. */
export function writeLine(body: Omit<Fact, 'hash'>, previous: string): { text: string; hash: string } {
  const bare = JSON.stringify(body);
  const hash = chain(previous, bare);
  return { text: `${bare.slice(0, -1)},"hash":"${hash}"}\n`, hash };
}

interface LineContext extends ReadOptions {
  readonly line: number;
  readonly previous: string;
}

function readLine(text: string, context: LineContext): Fact {
  const raw = parseLine(text, context);
  const format = context.format ?? journalFormat;
  if (raw.v > format) {
    throw new ForgeError('journal-newer', `${context.file} was written by a newer Forge (journal format ${raw.v})`, {
      hint: `This Forge reads formats up to ${format}. Update Forge and try again.`,
    });
  }
  const mark = text.lastIndexOf(',"hash":"');
  const hash = mark === -1 ? '' : text.slice(mark + 9, -2);
  if (hash !== chain(context.previous, `${text.slice(0, mark)}}`)) {
    throw corrupt(context, 'its hash does not follow from the lines before it');
  }
  const line = upgradeLine(raw, context, format);
  const { type, seq, data } = line;
  if (seq !== context.line) throw corrupt(context, `it has sequence number ${String(seq)}`);
  if (typeof type !== 'string' || typeof line['at'] !== 'string' || typeof line['key'] !== 'string')
    throw corrupt(context, 'it has no type, time or key');
  const valid = validated(type, data, context);
  const whole = raw.v >= blobFormat && context.hydrate !== undefined ? context.hydrate(valid) : valid;
  return { v: format, seq, at: line['at'], type, key: line['key'], data: whole, hash } as Fact;
}

function validated(type: string, data: unknown, context: LineContext): unknown {
  try {
    return context.validate === undefined ? data : context.validate(type, data);
  } catch (error) {
    throw corrupt(context, error instanceof Error ? error.message : String(error));
  }
}

function parseLine(text: string, context: LineContext): RawLine {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    throw corrupt(context, 'it is not JSON');
  }
  if (typeof raw !== 'object' || raw === null || typeof (raw as RawLine).v !== 'number') {
    throw corrupt(context, 'it is not a fact');
  }
  return raw as RawLine;
}

function upgradeLine(raw: RawLine, context: LineContext, format: number): RawLine {
  const steps = context.upgrades ?? upgrades;
  let line = raw;
  while (line.v < format) {
    const step = steps[line.v];
    if (step === undefined) throw corrupt(context, `format ${line.v} is not known`);
    line = { ...step(line), v: line.v + 1 };
  }
  return line;
}

function chain(previous: string, bare: string): string {
  return createHash('sha256').update(previous).update('\n').update(bare).digest('hex');
}

function corrupt(context: LineContext, what: string): ForgeError {
  return new ForgeError('journal-corrupt', `${context.file}, line ${context.line}: ${what}`, {
    hint: 'The journal was changed by something other than Forge. Restore it from a backup; nothing was modified.',
  });
}
