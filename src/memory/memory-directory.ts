/**
 * One directory of lesson files, read and written. Only regular files of bounded size that are text are read; a link, a
 * pipe, something huge or binary is reported, keeps its name and is never written over. A file is replaced as a
 * whole, so a reader or a crash never sees half of one.
 */
import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { messageOf } from '../errors.ts';
import { writeConfined } from '../files/confined.ts';
import type { Lesson, LessonScope } from './lesson.ts';
import { type LessonProblem, parseLessons } from './lesson-file.ts';

export interface MemoryFile {
  readonly name: string;
  readonly text: string;
  readonly lessons: readonly Lesson[];
  /** Permissions to keep; a file that is not there yet has none. */
  readonly mode: number | undefined;
}

export interface MemoryRead {
  readonly files: readonly MemoryFile[];
  /** Names of what could not be read. */
  readonly taken: readonly string[];
  readonly problems: readonly LessonProblem[];
}

const maxBytes = 1024 * 1024;
const maxFiles = 200;

export async function readMemory(directory: string, scope: LessonScope): Promise<MemoryRead> {
  const files: MemoryFile[] = [];
  const problems: LessonProblem[] = [];
  const listed = await listNames(directory);
  const taken = [...listed.unread];
  if (listed.problem !== undefined) problems.push({ source: directory, line: 0, problem: listed.problem });
  for (const name of listed.names) {
    const source = join(directory, name);
    try {
      const { text, mode } = await readText(source);
      const parsed = parseLessons(text, source, scope);
      files.push({ name, text, lessons: parsed.lessons, mode });
      problems.push(...parsed.problems);
    } catch (error) {
      taken.push(name);
      problems.push({ source, line: 0, problem: `It cannot be read: ${why(error)}.` });
    }
  }
  return { files, taken, problems };
}

interface Names {
  readonly names: readonly string[];
  readonly unread: readonly string[];
  readonly problem?: string;
}

async function listNames(directory: string): Promise<Names> {
  try {
    const names = (await readdir(directory)).filter((name) => name.endsWith('.md') && !name.startsWith('.')).sort();
    if (names.length <= maxFiles) return { names, unread: [] };
    const problem = `It has more than ${maxFiles} files; the rest was not read.`;
    return { names: names.slice(0, maxFiles), unread: names.slice(maxFiles), problem };
  } catch (error) {
    const isAbsent = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (isAbsent) return { names: [], unread: [] };
    return { names: [], unread: [], problem: `It cannot be read: ${messageOf(error)}.` };
  }
}

async function readText(path: string): Promise<{ text: string; mode: number }> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw new Error('it is not a regular file');
    if (stat.size > maxBytes) throw new Error(`it is larger than ${maxBytes} bytes`);
    // Bytes that are not text would not survive being written again.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await file.readFile());
    return { text, mode: stat.mode & 0o777 };
  } finally {
    await file.close();
  }
}

function why(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ELOOP') return 'it is a symbolic link';
  return code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'it is not UTF-8 text' : messageOf(error);
}

export async function writeMemory(path: string, text: string, mode: number | undefined): Promise<void> {
  writeConfined(dirname(path), basename(path), text, mode === undefined ? {} : { mode });
}
