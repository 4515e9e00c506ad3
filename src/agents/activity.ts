/**
 * Signs of life of an agent: what its process tree has computed and what changed in its workspace. Both
 * are bounded looks from outside: nothing an agent does to its tree can make them slow, follow a link or
 * throw. Processes in the agent's pid namespace are descendants of the jail's process on the host.
 */
import { readFileSync } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { listProcesses } from '../process/process-table.ts';

/** `/proc` counts in hundredths of a second on every Linux that Node runs on. */
const msPerTick = 10;
const maxEntries = 20_000;

/** Milliseconds of CPU used by a process, its descendants and the children they have collected. */
export function treeCpuMs(root: number): number {
  const members = new Set([root]);
  const table = listProcesses();
  for (let before = 0; before < members.size; ) {
    before = members.size;
    for (const entry of table) if (members.has(entry.parent) || entry.group === root) members.add(entry.pid);
  }
  return [...members].reduce((total, pid) => total + cpuTicks(pid), 0) * msPerTick;
}

/**
 * A text that differs when a file was added, removed or changed. Breadth first and cut off at a number of
 * entries: in a tree larger than that, changes deep down show only as CPU use or output.
 */
export async function treeFingerprint(tree: string, limit = maxEntries): Promise<string> {
  const queue = [tree];
  let seen = 0;
  let newest = 0;
  let bytes = 0;
  for (let directory = queue.shift(); directory !== undefined && seen < limit; directory = queue.shift()) {
    for (const name of await readNames(directory, limit - seen)) {
      seen += 1;
      const path = join(directory, name);
      const stat = await lstat(path).catch(() => undefined);
      if (stat === undefined) continue;
      newest = Math.max(newest, stat.ctimeMs);
      bytes += stat.isFile() ? stat.size : 0;
      if (stat.isDirectory()) queue.push(path);
    }
  }
  return `${seen} ${newest} ${bytes}`;
}

/** Never more than `limit` names in memory, however many files an agent made in one directory. */
async function readNames(directory: string, limit: number): Promise<readonly string[]> {
  const names: string[] = [];
  try {
    for await (const entry of await opendir(directory, { bufferSize: 256 })) {
      if (names.push(entry.name) >= limit) break;
    }
  } catch {
    // Gone or unreadable between two looks: what was seen counts.
  }
  return names;
}

function cpuTicks(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name may hold anything; fields count from behind its last parenthesis: own and collected, user and system.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 15).reduce((total, field) => total + Number(field), 0);
  } catch {
    return 0;
  }
}
