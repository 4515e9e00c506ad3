/** A run in a file as a source: answers were made once, and nothing can be asked that was not put in. */
import type { RunFile } from '../../../src/api/run-file.ts';
import { type About, CallError, type Connection, type Listener, type Source, type Subscription } from './source.ts';

export type { RunFile } from '../../../src/api/run-file.ts';

export class FileSource implements Source {
  readonly isLive = false;
  readonly #file: RunFile;

  constructor(file: RunFile) {
    this.#file = file;
  }

  async call<T>(operation: string, input: object): Promise<T> {
    const answer = this.#answer(operation, input as Readonly<Record<string, unknown>>);
    if (answer === undefined) {
      throw new CallError({
        error: 'This is not part of the file',
        code: 'not-in-file',
        hint: 'Ask whoever has the run, or open it with forge ui.',
      });
    }
    return answer as T;
  }

  #answer(operation: string, input: Readonly<Record<string, unknown>>): unknown {
    const file = this.#file;
    const scope = textOf(input['work'] ?? input['task']);
    switch (operation) {
      case 'inspect-run':
        return file.details;
      case 'diff-run':
        return file.diffs[scope]?.summary;
      case 'diff-file':
        return file.diffs[scope]?.files[textOf(input['path'])];
      case 'read-check':
        return file.checks[textOf(input['key'])] ?? { logs: [] };
      case 'list-documents':
        return Object.keys(file.documents).map((name) => ({ name }));
      case 'read-document':
        return { text: file.documents[textOf(input['name'])] ?? '' };
      case 'read-journal':
        return pageOf(file.journal, input);
      case 'read-transcript':
        return pageOf(file.transcripts[textOf(input['key'])] ?? [], input);
      default:
        return undefined;
    }
  }

  follow({ operation, input }: Subscription, listener: Listener): () => void {
    const value: unknown =
      operation === 'watch-run'
        ? { ...this.#file.whole, now: new Date().toISOString() }
        : operation === 'watch-transcript'
          ? { total: (this.#file.transcripts[textOf(input['key'])] ?? []).length, isOpen: false }
          : undefined;
    if (value !== undefined) queueMicrotask(() => listener.value(value as never));
    return () => undefined;
  }

  connection(): Connection {
    return 'open';
  }

  onConnection(): () => void {
    return () => undefined;
  }

  reconnect(): void {
    // There is nobody to ask.
  }

  listenHidden(): void {
    // Nothing comes.
  }

  async about(): Promise<About> {
    return { version: this.#file.version, all: false, cwd: '', repositories: [] };
  }

  async makeLink(): Promise<string> {
    return location.href;
  }
}

function pageOf(lines: readonly string[], input: Readonly<Record<string, unknown>>): unknown {
  const numbered = lines.map((text, at) => ({ number: at + 1, text }));
  const {
    from = 1,
    count = 200,
    search,
    type,
  } = input as { from?: number; count?: number; search?: string; type?: string };
  if (search === undefined && type === undefined)
    return { total: lines.length, lines: numbered.slice(from - 1, from - 1 + count) };
  const wanted = JSON.stringify(search ?? '')
    .slice(1, -1)
    .toLowerCase();
  const fits = numbered.filter(
    ({ text }) =>
      text.toLowerCase().includes(wanted) && (type === undefined || text.slice(0, 200).includes(`"type":"${type}`)),
  );
  return { total: lines.length, found: fits.length, lines: fits.slice(0, count) };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
