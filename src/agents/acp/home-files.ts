/**
 * Puts configuration into an agent's home. An earlier job could write there, so nothing found in it is trusted: a
 * symlink in the way is removed, never followed, and files are made anew. Nothing of the agent may be running.
 */
import { constants } from 'node:fs';
import { lstat, mkdir, open, rm } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';

/** `files`: path below the home → content. */
export async function writeHomeFiles(home: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const file = await clearPlace(home, path);
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
    const handle = await open(file, flags, 0o600);
    try {
      await handle.writeFile(content);
    } finally {
      await handle.close();
    }
  }
}

async function clearPlace(home: string, path: string): Promise<string> {
  const inside = normalize(path);
  if (inside.startsWith('..') || inside.startsWith('/')) throw new Error(`${path} is not below an agent's home`);
  let directory = home;
  for (const name of dirname(inside).split('/')) {
    directory = join(directory, name);
    const found = await lstat(directory).catch(() => undefined);
    if (found?.isDirectory() === true) continue;
    await rm(directory, { force: true });
    await mkdir(directory, { mode: 0o700 });
  }
  const place = join(home, inside);
  await rm(place, { recursive: true, force: true });
  return place;
}
