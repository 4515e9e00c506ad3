/**
 * What commits say besides their files: messages, authors, committers. Of commits that become part of somebody's history
 * with all that is in them. Reads objects only.
 */
import { readLine } from './commit-object.ts';
import { objectCall } from './engine-dir.ts';
import type { Repository } from './git.ts';
import { git } from './run-git.ts';

export interface CommitText {
  readonly id: string;
  /** The first one; the empty tree for a commit without any. */
  readonly parent: string;
  /** Names, addresses and message. */
  readonly text: string;
}

const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** Of everything that `to` brings along and `from` does not hold. */
export async function readCommitTexts(repo: Repository, from: string, to: string): Promise<readonly CommitText[]> {
  const line = await readLine(repo, from, to);
  if (line !== undefined)
    return line.map(({ id, parents, author, committer, message }) => {
      return { id, parent: parents[0] ?? emptyTree, text: `${author}\n${committer}\n${message}` };
    });
  const args = ['log', '-z', '--format=%H%n%P%n%an <%ae>%n%cn <%ce>%n%B', '--end-of-options', `${from}..${to}`];
  const { stdout } = await git(args, objectCall(repo));
  const records = stdout.toString('utf8').split('\0');
  return records
    .filter((record) => record.trim() !== '')
    .map((record) => {
      const [id = '', parents = '', ...lines] = record.split('\n');
      return { id, parent: parents.split(' ')[0] || emptyTree, text: lines.join('\n') };
    });
}

/** The message of one commit. */
export async function readMessage(repo: Repository, commit: string): Promise<string> {
  const { stdout } = await git(['log', '-1', '--format=%B', '--end-of-options', commit], objectCall(repo));
  return stdout.toString('utf8');
}
