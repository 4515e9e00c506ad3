/**
 * Does a workspace hold anything that would be lost with it? Asks the record of its last snapshot, the refs of the
 * user's repository and the tree itself. The answer is a reason for a person, or nothing.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readRecord } from './capture-record.ts';
import { copyIndex } from './copy-index.ts';
import type { Repository, Workspace } from './git.ts';
import { decodePath } from './raw-path.ts';
import { capturePrefix } from './ref-name.ts';
import { listRefs } from './refs.ts';
import { scanTree } from './scan-tree.ts';

export async function findUncaptured(repo: Repository, workspace: Workspace): Promise<string | undefined> {
  const record = await readRecord(workspace);
  if (record === undefined) return 'nothing of it has been captured yet';
  if (record.commit !== workspace.base && !(await isSaved(repo, workspace, record.commit))) {
    return `its captured commit ${record.commit.slice(0, 12)} is no longer a ref of the repository`;
  }
  const indexFile = join(workspace.engineDir, 'look.index');
  await copyIndex(join(workspace.engineDir, 'index'), indexFile);
  try {
    const { limits, rulesFrom } = record;
    const scan = await scanTree(repo, workspace, { limits, rulesFrom, indexFile });
    const changed = [...scan.add, ...scan.remove];
    if (changed[0] === undefined) return undefined;
    return `${changed.length} of its paths changed after the last snapshot (${decodePath(changed[0])})`;
  } finally {
    await rm(indexFile, { force: true });
  }
}

async function isSaved(repo: Repository, workspace: Workspace, commit: string): Promise<boolean> {
  const refs = await listRefs(repo, capturePrefix(workspace.run, workspace.name));
  return refs.some((ref) => ref.commit === commit);
}
