/**
 * What is large in a fact (a prompt with its sources, an output, a diff) lies beside the journal in a file named by the
 * SHA-256 of its content; the fact holds only that name. Invariants: a blob is on disk under its name before the fact that
 * names it is written; content never changes under a name and is checked whenever it is read; equal content is kept once.
 * It is written after redaction, as the journal is.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ForgeError, messageOf } from '../../errors.ts';
import { syncDirectory, syncFile } from './durable-file.ts';

export class BlobStore {
  readonly #directory: string;
  /** Known to be durable in this process. */
  readonly #kept = new Set<string>();
  #unsynced: string[] = [];

  /** `directory` is the run's. */
  constructor(directory: string) {
    this.#directory = join(directory, 'blobs');
  }

  /** Its name. The content is durable; the name is so after `sync`. */
  put(content: string): string {
    const bytes = Buffer.from(content, 'utf8');
    const name = nameOf(bytes);
    if (this.#kept.has(name) || this.#unsynced.includes(name)) return name;
    this.#write(name, bytes);
    this.#unsynced.push(name);
    return name;
  }

  /** Everything that was put is durable under its name when it returns. */
  sync(): void {
    if (this.#unsynced.length === 0) return;
    syncFile(this.#directory);
    for (const name of this.#unsynced) this.#kept.add(name);
    this.#unsynced = [];
  }

  read(name: string): string {
    const file = this.#fileOf(name);
    let bytes: Buffer;
    try {
      bytes = readFileSync(file);
    } catch (error) {
      throw unreadable(`${file} cannot be read: ${messageOf(error)}`, error);
    }
    if (nameOf(bytes) !== name) throw unreadable(`${file} does not hold what its name says`);
    return bytes.toString('utf8');
  }

  #fileOf(name: string): string {
    if (!/^[0-9a-f]{64}$/.test(name)) throw unreadable(`${JSON.stringify(name)} is not the name of stored content`);
    return join(this.#directory, name);
  }

  #write(name: string, bytes: Buffer): void {
    const file = this.#fileOf(name);
    if (mkdirSync(this.#directory, { recursive: true, mode: 0o700 }) !== undefined) syncDirectory(this.#directory);
    const aside = `${file}.${process.pid}.tmp`;
    // What is there under the name may be left of a process that died before it was durable: it is replaced.
    writeFileSync(aside, bytes, { mode: 0o600 });
    syncFile(aside);
    renameSync(aside, file);
  }
}

function nameOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function unreadable(message: string, cause?: unknown): ForgeError {
  return new ForgeError('blob-unreadable', message, {
    hint: 'Files of the run are damaged or missing. Restore the directory of the run from a backup; Forge changed nothing.',
    cause,
  });
}
