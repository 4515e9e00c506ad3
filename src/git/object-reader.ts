/**
 * Reads objects by their full ids through one `git cat-file` that stays for as long as questions come, instead of one
 * process per question. It answers in the order it is asked. It ends by itself a moment after the last answer. Forge does
 * not wait for it, and it ends with Forge however Forge ends, because its input is closed then. Objects never change, so
 * an answer cannot be stale; what is not found is looked for again each time.
 */
import { Buffer } from 'node:buffer';
import { ForgeError } from '../errors.ts';
import type { RunningProcess } from '../process/process.ts';
import { objectCall } from './engine-dir.ts';
import type { Repository } from './git.ts';
import { lastLines, startGit } from './run-git.ts';

export interface ObjectInfo {
  readonly id: string;
  readonly type: string;
  readonly size: number;
}

/** Type and size of objects, in the order asked for; undefined where there is none. `<id>^{tree}` names a commit's tree. */
export async function readObjectInfo(
  repo: Repository,
  names: readonly string[],
): Promise<readonly (ObjectInfo | undefined)[]> {
  const answers = await askAll(repo, 'info', names);
  return answers.map((answer) => answer?.info);
}

/** Contents of objects that are there, by id. The caller bounds how much that is. */
export async function readObjects(repo: Repository, ids: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
  const found = new Map<string, Buffer>();
  for (const answer of await askAll(repo, 'contents', ids)) {
    if (answer?.content !== undefined) found.set(answer.info.id, answer.content);
  }
  return found;
}

const objectName = /^(?:[0-9a-f]{40}|[0-9a-f]{64})(?:\^\{tree\})?$/;

/** Is this a name that always means the same object? */
export function isObjectName(name: string): boolean {
  return objectName.test(name);
}

interface Answer {
  readonly info: ObjectInfo;
  readonly content: Buffer | undefined;
}

interface Question {
  readonly wants: 'info' | 'contents';
  readonly resolve: (answer: Answer | undefined) => void;
  readonly reject: (error: unknown) => void;
}

interface Reader {
  readonly running: Promise<RunningProcess>;
  readonly waiting: Question[];
  readonly startedAt: number;
  /** What has arrived and is not an answer yet. */
  chunks: Buffer[];
  bytes: number;
  needed: number;
  idle: NodeJS.Timeout | undefined;
}

const readers = new Map<string, Reader>();
const idleMs = 3000;
/** Long before the limit on time that every git has. */
const longestMs = 5 * 60_000;

async function askAll(
  repo: Repository,
  wants: Question['wants'],
  names: readonly string[],
): Promise<readonly (Answer | undefined)[]> {
  if (names.length === 0) return [];
  const odd = names.find((name) => !isObjectName(name));
  if (odd !== undefined) throw new Error(`${odd} is no full id of an object`);
  const reader = readerOf(repo);
  clearTimeout(reader.idle);
  const answers = names.map(
    () => new Promise<Answer | undefined>((resolve, reject) => void reader.waiting.push({ wants, resolve, reject })),
  );
  const all = Promise.all(answers);
  // Its failure is reported to whoever waits below.
  all.catch(() => undefined);
  const running = await reader.running;
  running.setAwaited(true);
  running.stdin?.write(names.map((name) => `${wants} ${name}\n`).join(''));
  return all;
}

function readerOf(repo: Repository): Reader {
  const key = JSON.stringify(objectCall(repo));
  const known = readers.get(key);
  if (known !== undefined && performance.now() - known.startedAt < longestMs) return known;
  const reader: Reader = {
    running: startGit(['cat-file', '--batch-command'], { ...objectCall(repo), stdin: 'open' }),
    waiting: [],
    startedAt: performance.now(),
    chunks: [],
    bytes: 0,
    needed: 0,
    idle: undefined,
  };
  readers.set(key, reader);
  const forget = (): void => {
    if (readers.get(key) === reader) readers.delete(key);
  };
  reader.running.then(
    (running) => {
      running.stdin?.on('error', () => undefined);
      running.onStdout((chunk) => {
        take(reader, chunk);
        if (reader.waiting.length > 0) return;
        clearTimeout(reader.idle);
        running.setAwaited(false);
        reader.idle = setTimeout(() => {
          forget();
          running.stdin?.end();
        }, idleMs).unref();
      });
      void running.result.then(({ stderr }) => {
        forget();
        clearTimeout(reader.idle);
        const error = new ForgeError('git-failed', `git cat-file ended: ${lastLines(stderr.text.trim())}`);
        for (const question of reader.waiting.splice(0)) question.reject(error);
      });
    },
    (error: unknown) => {
      forget();
      for (const question of reader.waiting.splice(0)) question.reject(error);
    },
  );
  return reader;
}

/** Answers as many questions as what has arrived is enough for. */
function take(reader: Reader, chunk: Buffer): void {
  reader.chunks.push(chunk);
  reader.bytes += chunk.length;
  // A large object comes in many pieces: they are put together once it is complete.
  if (reader.bytes < reader.needed) return;
  let rest = reader.chunks.length === 1 ? chunk : Buffer.concat(reader.chunks);
  reader.needed = 0;
  for (let question = reader.waiting[0]; question !== undefined; question = reader.waiting[0]) {
    const line = rest.indexOf(10);
    if (line === -1) break;
    const [id = '', type = '', size = ''] = rest.toString('latin1', 0, line).split(' ');
    const isThere = /^\d+$/.test(size);
    const end = isThere && question.wants === 'contents' ? line + 1 + Number(size) : line;
    if (rest.length < end + 1) {
      reader.needed = end + 1;
      break;
    }
    // A copy: a small object must not keep a large piece of memory.
    const content = question.wants === 'contents' && isThere ? Buffer.from(rest.subarray(line + 1, end)) : undefined;
    reader.waiting.shift();
    question.resolve(isThere ? { info: { id, type, size: Number(size) }, content } : undefined);
    rest = rest.subarray(end + 1);
  }
  reader.chunks = rest.length === 0 ? [] : [rest];
  reader.bytes = rest.length;
}
