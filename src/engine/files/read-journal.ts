/**
 * A journal's text becomes facts: pure, and strict. Only a last line without its newline is torn (the
 * writer died inside the write) and may be cut off; anything else that is wrong is reported with its line.
 * Lines of an older format are upgraded step by step; a newer one is refused with a sentence.
 * A line whose hash follows from the one before is what Forge wrote, and was checked against its schema then. Whoever goes
 * on writing checks the schema again (`validate`); those who only look need not load any schema.
 */
import { hash as digest } from 'node:crypto';
import { ForgeError } from '../../errors.ts';
import type { Fact } from '../facts.ts';
import { blobProperty, hasShapedBlobs } from './blob-content.ts';

/** The format of a journal line. Raise it together with a step in `upgrades`. */
export const journalFormat = 3;

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
  /** Format 3 says what makes an effect this work and no other only in its input. */
  2: (line) => {
    if (line['type'] !== 'effect.started') return line;
    const { identity: _, ...data } = line['data'] as Readonly<Record<string, unknown>>;
    return { ...line, data };
  },
};

/** The first format whose lines name blobs. */
const blobFormat = 2;
/** How such a line is told from one that holds everything itself. */
const blobMark = `"${blobProperty}"`;

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
  /** So many bytes of the content were read and found whole before, and are the same since: their hashes are not made again. */
  readonly verifiedBytes?: number;
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
    const isVerified = end < (options.verifiedBytes ?? 0);
    const fact = readLine(text, seq, isVerified ? undefined : hash, options);
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

/**
 * Without the hash of the line before, its own is not checked. Long runs have hundreds of thousands of lines: nothing is
 * made here that a line does not need.
 */
function readLine(text: string, number: number, previous: string | undefined, options: ReadOptions): Fact {
  const wrong = (what: string): ForgeError => corrupt(options.file, number, what);
  const raw = parseLine(text, wrong);
  const format = options.format ?? journalFormat;
  if (raw.v > format) {
    throw new ForgeError('journal-newer', `${options.file} was written by a newer Forge (journal format ${raw.v})`, {
      hint: `This Forge reads formats up to ${format}. Update Forge and try again.`,
    });
  }
  const mark = text.lastIndexOf(',"hash":"');
  const hash = mark === -1 ? '' : text.slice(mark + 9, -2);
  if (previous !== undefined && hash !== chain(previous, `${text.slice(0, mark)}}`)) {
    throw wrong('its hash does not follow from the lines before it');
  }
  const line = raw.v === format ? raw : upgradeLine(raw, options, { format, wrong });
  const { type, seq, data } = line;
  if (seq !== number) throw wrong(`it has sequence number ${String(seq)}`);
  if (typeof type !== 'string' || typeof line['at'] !== 'string' || typeof line['key'] !== 'string')
    throw wrong('it has no type, time or key');
  const isWhole = raw.v < blobFormat || options.hydrate === undefined || !text.includes(blobMark);
  const hydrate = isWhole ? undefined : options.hydrate;
  const validate = (value: unknown): unknown =>
    options.validate === undefined ? value : validated(() => options.validate?.(type, value), wrong);
  // What has a fixed shape is put back before its shape is checked.
  const whole = hasShapedBlobs(type)
    ? validate(hydrate === undefined ? data : hydrate(data))
    : (hydrate ?? same)(validate(data));
  return { v: format, seq, at: line['at'], type, key: line['key'], data: whole, hash } as Fact;
}

const same = (value: unknown): unknown => value;

type Wrong = (what: string) => ForgeError;

function validated(validate: () => unknown, wrong: Wrong): unknown {
  try {
    return validate();
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : String(error));
  }
}

function parseLine(text: string, wrong: Wrong): RawLine {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    throw wrong('it is not JSON');
  }
  if (typeof raw !== 'object' || raw === null || typeof (raw as RawLine).v !== 'number') {
    throw wrong('it is not a fact');
  }
  return raw as RawLine;
}

function upgradeLine(
  raw: RawLine,
  options: ReadOptions,
  { format, wrong }: { readonly format: number; readonly wrong: Wrong },
): RawLine {
  const steps = options.upgrades ?? upgrades;
  let line = raw;
  while (line.v < format) {
    const step = steps[line.v];
    if (step === undefined) throw wrong(`format ${line.v} is not known`);
    line = { ...step(line), v: line.v + 1 };
  }
  return line;
}

function chain(previous: string, bare: string): string {
  return digest('sha256', `${previous}\n${bare}`);
}

function corrupt(file: string, line: number, what: string): ForgeError {
  return new ForgeError('journal-corrupt', `${file}, line ${line}: ${what}`, {
    hint: 'Something other than Forge changed the journal. Restore it from a backup; Forge changed nothing.',
  });
}
