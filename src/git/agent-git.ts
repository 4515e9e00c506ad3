/**
 * Has an agent made a ref in its own `.git`, or moved one? Compared with what lay there when the workspace was made, by
 * names, inodes, sizes and times alone: no file of the agent's is opened. Git replaces a file that it changes, so a
 * commit, a branch, a stash, a tag or another HEAD shows. Any doubt means that a git inside the jail has to look.
 */
import { lstat, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkspacePaths } from './data-dir.ts';

/** What can name a commit: the top level, HEAD and everything below refs. Objects and the index name none. */
export async function rememberAgentGit(paths: Pick<WorkspacePaths, 'engineDir' | 'tree'>): Promise<void> {
  await writeFile(recordFile(paths), (await describeGit(paths.tree)) ?? '');
}

export async function isAgentGitUntouched(paths: Pick<WorkspacePaths, 'engineDir' | 'tree'>): Promise<boolean> {
  const before = await readFile(recordFile(paths), 'utf8').catch(() => '');
  return before !== '' && before === (await describeGit(paths.tree));
}

const mostEntries = 200;

async function describeGit(tree: string): Promise<string | undefined> {
  try {
    const top = join(tree, '.git');
    const lines = (await readdir(top)).sort();
    lines.push(await describeFile(join(top, 'HEAD')));
    const waiting = ['refs'];
    for (let directory = waiting.pop(); directory !== undefined; directory = waiting.pop()) {
      const entries = await readdir(join(top, directory), { withFileTypes: true });
      for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
        const path = `${directory}/${entry.name}`;
        lines.push(path);
        if (lines.length > mostEntries) return undefined;
        if (entry.isDirectory()) waiting.push(path);
        else lines.push(await describeFile(join(top, path)));
      }
    }
    return JSON.stringify(lines);
  } catch {
    return undefined;
  }
}

/** Not the ctime: handing the file over to the jail's user moves it. */
async function describeFile(path: string): Promise<string> {
  const { mode, ino, size, mtimeNs } = await lstat(path, { bigint: true });
  return `${mode} ${ino} ${size} ${mtimeNs}`;
}

function recordFile({ engineDir }: Pick<WorkspacePaths, 'engineDir'>): string {
  return join(engineDir, 'agent-git');
}
