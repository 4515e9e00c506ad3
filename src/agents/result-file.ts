/**
 * Where a command leaves its result, and how that is read back. The agent owns the directory, so what lies
 * there is hostile: only a regular file of bounded size is read, and no link is followed out of it. Read
 * only after the agent's processes are gone.
 */
import { constants } from 'node:fs';
import { lstat, mkdtemp, open, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface ResultPlace {
  readonly directory: string;
  readonly resultFile: string;
  readonly promptFile: string;
}

export type ResultRead =
  | { readonly status: 'none' }
  /** Something is there that is not read, and why. */
  | { readonly status: 'refused'; readonly reason: string }
  /** The JSON value, or the text itself where it is no JSON: a bad reply, but a reply. */
  | { readonly status: 'read'; readonly value: unknown };

const maxResultBytes = 4 * 1024 * 1024;

export async function makeResultPlace(tmp: string, prompt: string): Promise<ResultPlace> {
  const directory = await mkdtemp(join(await realpath(tmp), 'forge-job-'));
  const place = { directory, resultFile: join(directory, 'result.json'), promptFile: join(directory, 'prompt.md') };
  await writeFile(place.promptFile, prompt);
  return place;
}

export async function readResult(place: ResultPlace): Promise<ResultRead> {
  const real = await realpath(place.directory).catch(() => undefined);
  if (real === undefined) return { status: 'none' };
  if (real !== place.directory) return { status: 'refused', reason: 'its directory was replaced by a link' };
  const found = await lstat(place.resultFile).catch(() => undefined);
  if (found === undefined) return { status: 'none' };
  if (!found.isFile()) return { status: 'refused', reason: 'it is not a regular file' };
  // Not followed and not waited for, whatever it has become since.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(place.resultFile, flags).catch(() => undefined);
  if (file === undefined) return { status: 'refused', reason: 'it cannot be opened' };
  try {
    const stat = await file.stat();
    if (!stat.isFile() || stat.nlink !== 1) return { status: 'refused', reason: 'it is not a regular file of its own' };
    if (stat.size > maxResultBytes) return { status: 'refused', reason: `it is larger than ${maxResultBytes} bytes` };
    if (stat.size === 0) return { status: 'none' };
    const bytes = Buffer.alloc(stat.size);
    const { bytesRead } = await file.read(bytes, 0, stat.size, 0);
    return { status: 'read', value: asJson(bytes.toString('utf8', 0, bytesRead)) };
  } finally {
    await file.close();
  }
}

export async function removeResultPlace(place: ResultPlace): Promise<void> {
  await rm(place.directory, { recursive: true, force: true }).catch(() => {});
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
