/**
 * Small files that tools of a skin keep for somebody who works without a run of Forge's: in the repository's folder of
 * the state directory, so that no checkout brings any along. Only real directories are entered and files are replaced
 * whole; what cannot be read counts as not there. `root` is that folder everywhere here.
 */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { z } from 'zod';
import { ForgeError } from '../errors.ts';
import { whileLocked } from '../files/directory-lock.ts';

/** Names a run, a module or a session: one harmless path component. */
export const stateId = z
  .string()
  .regex(/^(?!\.+$)[\w.-]{1,128}$/, 'use 1 to 128 letters, digits, dots, dashes and underscores');

/** Where tools keep their files. */
export function toolPlace(root: string, ...names: readonly string[]): string {
  return join(root, 'mcp', ...names);
}

const mostBytes = 4 * 1024 * 1024;

export async function readState(root: string, file: string): Promise<unknown> {
  const text = await readText(root, file);
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

export async function readText(root: string, file: string): Promise<string | undefined> {
  if (!(await isReal(root, dirname(file)))) return undefined;
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => undefined,
  );
  if (handle === undefined) return undefined;
  try {
    const found = await handle.stat();
    return found.isFile() && found.size <= mostBytes ? await handle.readFile('utf8') : undefined;
  } finally {
    await handle.close();
  }
}

/** Reads, changes and replaces in one turn: two servers may be at it. */
export async function changeState<T>(
  root: string,
  file: string,
  change: (before: unknown) => { readonly after: unknown; readonly answer: T },
): Promise<T> {
  await makeDirectory(root, dirname(file));
  return whileLocked(dirname(file), async () => {
    const { after, answer } = change(await readState(root, file));
    const text = `${JSON.stringify(after, null, 2)}\n`;
    if (Buffer.byteLength(text) > mostBytes) {
      throw new ForgeError('bad-input', `More than ${mostBytes} bytes are not kept`, { hint: 'Save less.' });
    }
    const aside = `${file}.${randomUUID()}.tmp`;
    try {
      await writeFile(aside, text, { flag: 'wx' });
      await rename(aside, file);
    } finally {
      await rm(aside, { force: true });
    }
    return answer;
  });
}

/** Appends a line; a file that has grown large begins anew, and the one before it is kept. */
export async function appendLine(root: string, file: string, value: unknown): Promise<void> {
  await makeDirectory(root, dirname(file));
  const before = await stat(file).catch(() => undefined);
  if ((before?.size ?? 0) > mostBytes / 2) await rename(file, `${file}.old`);
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;
  const handle = await open(file, flags, 0o644);
  try {
    await handle.writeFile(`${JSON.stringify(value)}\n`);
  } finally {
    await handle.close();
  }
}

/** Names of the files with an ending, without it. */
export async function listStates(root: string, directory: string, ending: string): Promise<readonly string[]> {
  if (!(await isReal(root, directory))) return [];
  const entries = await readdir(directory, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => entry.name.slice(0, -ending.length))
    .filter((name) => stateId.safeParse(name).success);
}

async function makeDirectory(root: string, directory: string): Promise<void> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  let current = root;
  for (const part of relative(root, directory).split(sep)) {
    current = join(current, part);
    await mkdir(current).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    if ((await lstat(current)).isDirectory()) continue;
    throw new ForgeError('bad-config', `${current} is not a directory of its own`, {
      hint: 'Remove the link or file; Forge keeps its own files there.',
    });
  }
}

async function isReal(root: string, directory: string): Promise<boolean> {
  let current = root;
  for (const part of relative(root, directory).split(sep)) {
    current = join(current, part);
    if ((await lstat(current).catch(() => undefined))?.isDirectory() !== true) return false;
  }
  return true;
}
