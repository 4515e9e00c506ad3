/**
 * What git knows about a delivery: its branches and whether they are merged, its worktrees and what is uncommitted in each, the
 * subjects of recent commits. Only reads, with the user's own settings; needs no state of Forge. Undefined outside a repository.
 */
import { existsSync } from 'node:fs';
import { git, type GitCall } from './run-git.ts';

export interface DeliveryState {
  readonly branches: readonly { readonly name: string; readonly isMerged: boolean }[];
  readonly worktrees: readonly {
    readonly path: string;
    readonly branch: string;
    readonly changed: readonly string[];
  }[];
  /** Of the commits that the current branch and the branches of the delivery hold. */
  readonly subjects: readonly string[];
}

const mostCommits = 5000;
const mostWorktrees = 50;

export async function readDeliveryState(root: string): Promise<DeliveryState | undefined> {
  const call: GitCall = { cwd: root, config: 'user', answers: [0, 128], timeMs: 60_000 };
  const head = await git(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], { ...call, answers: [0, 1, 128] });
  if (head.code !== 0) return undefined;
  const [branches, merged, subjects, worktrees] = await Promise.all([
    lines(['for-each-ref', '--format=%(refname:short)', 'refs/heads/'], call),
    lines(['for-each-ref', '--merged=HEAD', '--format=%(refname:short)', 'refs/heads/'], call),
    lines(['log', `--max-count=${mostCommits}`, '--format=%s', 'HEAD', '--glob=refs/heads/autoforge/*'], call),
    listWorktrees(call),
  ]);
  const known = new Set(merged);
  return { branches: branches.map((name) => ({ name, isMerged: known.has(name) })), worktrees, subjects };
}

async function lines(args: readonly string[], call: GitCall): Promise<string[]> {
  const { stdout } = await git(args, call);
  return stdout
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
}

async function listWorktrees(call: GitCall): Promise<DeliveryState['worktrees'][number][]> {
  const { stdout } = await git(['worktree', 'list', '--porcelain', '-z'], call);
  const entries = stdout
    .toString('utf8')
    .split('\0\0')
    .map(
      (entry) =>
        new Map(entry.split('\0').map((line) => [line.split(' ', 1)[0] ?? '', line.slice(line.indexOf(' ') + 1)])),
    )
    .filter((entry) => entry.has('worktree'));
  const found: DeliveryState['worktrees'][number][] = [];
  for (const entry of entries.slice(0, mostWorktrees)) {
    const path = entry.get('worktree') ?? '';
    if (!existsSync(path)) continue;
    const status = await git(['status', '--porcelain', '-z', '--no-renames'], { ...call, cwd: path });
    const changed = status.stdout
      .toString('utf8')
      .split('\0')
      .filter((line) => line !== '')
      .map((line) => line.slice(3));
    found.push({ path, branch: (entry.get('branch') ?? '').replace(/^refs\/heads\//, ''), changed });
  }
  return found;
}
