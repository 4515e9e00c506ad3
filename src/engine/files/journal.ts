/**
 * The one write path of a run: an append-only file, fsynced on every append. One process holds it (see
 * lease.ts). A fact is true once `append` has returned, and never before.
 * Synchronous on purpose: an append is one write and one fdatasync, and nothing may come between a
 * decision and its record.
 */
import {
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { ForgeError } from '../../errors.ts';
import type { Clock } from '../clock.ts';
import type { AppendProbe, FactLog } from '../fact-log.ts';
import { type Fact, type FactInput, type FactOf, type FactType, factSchemas } from '../facts.ts';
import { validateFact } from '../validate-fact.ts';
import { extractBlobs, restoreBlobs } from './blob-content.ts';
import { BlobStore } from './blob-store.ts';
import { syncDirectory } from './durable-file.ts';
import { readingOf } from './journal-file.ts';
import { type JournalContent, type JournalCursor, journalFormat, readJournal, writeLine } from './read-journal.ts';

export interface JournalOptions {
  readonly file: string;
  readonly clock: Clock;
  /** Takes secrets out of every string before it is written. */
  readonly redact?: (text: string) => string;
  /** For benchmarks that only want the file: an append may be lost with the machine. */
  readonly unsafeNoSync?: boolean;
  /** Called around each append; the crash harness dies here. */
  readonly probe?: AppendProbe;
}

export class Journal implements FactLog {
  readonly file: string;
  readonly #clock: Clock;
  readonly #redact: ((text: string) => string) | undefined;
  readonly #probe: AppendProbe | undefined;
  readonly #sync: (fd: number) => void;
  readonly #fd: number;
  readonly #inode: number;
  readonly #blobs: BlobStore;
  #hash: string;
  #seq: number;
  #bytes: number;
  #failure: ForgeError | undefined;

  private constructor(options: JournalOptions, fd: number, content: JournalContent) {
    this.file = options.file;
    this.#clock = options.clock;
    this.#redact = options.redact;
    this.#probe = options.probe;
    this.#sync = options.unsafeNoSync === true ? () => {} : fdatasyncSync;
    this.#fd = fd;
    this.#inode = fstatSync(fd).ino;
    this.#blobs = new BlobStore(dirname(options.file));
    this.#hash = content.hash;
    this.#seq = content.facts.length;
    this.#bytes = content.goodBytes;
  }

  static create(options: JournalOptions): Journal {
    const { O_CREAT, O_EXCL, O_RDWR, O_APPEND } = constants;
    const fd = openSync(options.file, O_CREAT | O_EXCL | O_RDWR | O_APPEND, 0o600);
    syncDirectory(options.file);
    return new Journal(options, fd, readJournal(Buffer.alloc(0), options));
  }

  /** Opens for writing; the caller holds the lease. A torn last line is cut off, having never been acknowledged. */
  static open(options: JournalOptions): { journal: Journal; facts: readonly Fact[] } {
    const fd = openSync(options.file, constants.O_RDWR | constants.O_APPEND);
    try {
      const content = readJournal(readFileSync(fd), { ...readingOf(options.file), validate: validateFact });
      if (content.tornBytes > 0) {
        ftruncateSync(fd, content.goodBytes);
        fdatasyncSync(fd);
      }
      return { journal: new Journal(options, fd, content), facts: content.facts };
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }

  append<T extends FactType>(type: T, key: string, input: FactInput<T>): FactOf<T> {
    if (this.#failure !== undefined) throw this.#failure;
    this.#assertStillOurs();
    const seq = this.#seq + 1;
    const data = this.redacted(factSchemas[type].parse(input));
    const small = extractBlobs(type, data, this.#blobs);
    this.#blobs.sync();
    const at = this.#clock.now().toISOString();
    const body = { v: journalFormat, seq, at, type, key, data: small } as Omit<Fact, 'hash'>;
    const { text, hash } = writeLine(body, this.#hash);
    this.#probe?.before(seq, text);
    this.#bytes += this.#write(Buffer.from(text, 'utf8'));
    this.#seq = seq;
    this.#hash = hash;
    this.#probe?.after(seq);
    return { ...body, data: restoreBlobs(small, this.#blobs), hash } as unknown as FactOf<T>;
  }

  /** How far it goes: what an index is about. */
  get end(): JournalCursor & { readonly inode: number; readonly bytes: number } {
    return { seq: this.#seq, hash: this.#hash, inode: this.#inode, bytes: this.#bytes };
  }

  close(): void {
    closeSync(this.#fd);
  }

  /** As it would be written. */
  redacted<D>(data: D): D {
    return this.#redact === undefined ? data : (redactDeep(data, this.#redact) as D);
  }

  /** A write that fails half-way (a full disk) is taken back if possible, and nothing is written after it. */
  #write(bytes: Buffer): number {
    try {
      let written = 0;
      while (written < bytes.length) written += writeSync(this.#fd, bytes, written);
      this.#sync(this.#fd);
      return bytes.length;
    } catch (error) {
      this.#failure = new ForgeError(
        'journal-write-failed',
        `${this.file} cannot be written: ${(error as Error).message}`,
        {
          hint: 'Free some space or fix the disk, then resume the run: everything recorded so far is safe.',
          cause: error,
        },
      );
      this.#takeBack();
      throw this.#failure;
    }
  }

  #takeBack(): void {
    try {
      ftruncateSync(this.#fd, this.#bytes);
    } catch {
      // What is left is a torn line, which the next opening cuts off, or a whole one that says what was true.
    }
  }

  /** A take-over by another host moves the journal to a new file: a holder that wakes up finds another inode. */
  #assertStillOurs(): void {
    const now = statSync(this.file, { throwIfNoEntry: false });
    if (now === undefined || now.ino !== this.#inode) {
      throw new ForgeError('lease-lost', `${this.file} was taken over by another process`, {
        hint: 'Nothing was written. The run continues in the process that took it over.',
      });
    }
  }
}

function redactDeep(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactDeep(item, redact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, redactDeep(item, redact)]));
}
