/** What a run keeps beside its facts, as files in its directory. No link is followed on the way to any of them. */
import { closeSync, constants, fstatSync, lstatSync, mkdirSync, openSync, readSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listConfined, readConfined, removeConfined, writeConfined } from '../../files/confined.ts';
import { openLines } from '../../files/json-lines.ts';
import { type LineMatches, type LinePage, readLines, searchLines } from '../../files/line-index.ts';
import { compareIds } from '../../plan/task-id.ts';
import type { ArtifactEntry, ArtifactLines, LocalFolder, RunArtifacts } from '../run-artifacts.ts';

const mostBytes = 512 * 1024 * 1024;

export class FileArtifacts implements RunArtifacts {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async read(name: string): Promise<Buffer | undefined> {
    const found = readConfined(this.#directory, name, mostBytes);
    return found.status === 'read' ? found.bytes : undefined;
  }

  async readFrom(name: string, place: number): Promise<Buffer> {
    let descriptor: number;
    try {
      descriptor = openSync(join(this.#directory, name), constants.O_RDONLY | constants.O_NOFOLLOW);
    } catch {
      return Buffer.alloc(0);
    }
    try {
      const { size } = fstatSync(descriptor);
      const start = Math.max(0, place < 0 ? size + place : place);
      const bytes = Buffer.alloc(Math.max(0, size - start));
      return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, start));
    } finally {
      closeSync(descriptor);
    }
  }

  async lines(name: string, from: number, count: number): Promise<LinePage> {
    return readLines(join(this.#directory, name), from, count);
  }

  async searchLines(name: string, fits: (text: string) => boolean, most: number): Promise<LineMatches> {
    return searchLines(join(this.#directory, name), fits, most);
  }

  async list(folder: string): Promise<readonly ArtifactEntry[]> {
    const found = listConfined(this.#directory, folder);
    if (found.status !== 'read') return [];
    return found.entries
      .filter(({ name, kind }) => kind === 'file' && !name.startsWith('.'))
      .map(({ name }) => ({ name, bytes: lstatSync(join(this.#directory, folder, name)).size }))
      .sort((a, b) => compareIds(a.name, b.name));
  }

  async write(name: string, content: string): Promise<void> {
    this.#make(this.#directory);
    writeConfined(this.#directory, name, content, { isDurable: false });
  }

  async remove(name: string): Promise<void> {
    removeConfined(this.#directory, name);
  }

  append(name: string): ArtifactLines {
    const file = join(this.#directory, name);
    this.#make(dirname(file));
    const lines = openLines(file);
    return {
      get bytes() {
        return lines.bytes;
      },
      append: (line) => lines.append(line),
      close: async () => lines.close(),
    };
  }

  async openFolder(folder: string): Promise<LocalFolder> {
    const path = join(this.#directory, folder);
    this.#make(path);
    return { path, keep: async () => {} };
  }

  /** What agents said may be private: the directories are the user's alone. */
  #make(directory: string): void {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  }
}
