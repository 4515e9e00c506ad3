/** Annotated tags: made once, never moved; and those of a repository as the user sees them, for who only looks. */
import { ForgeError } from '../errors.ts';
import { objectCall, refCall } from './engine-dir.ts';
import type { Repository } from './git.ts';
import { engineIdentity } from './commit.ts';
import { git, gitLine } from './run-git.ts';

export interface TagRequest {
  readonly name: string;
  readonly commit: string;
  readonly message: string;
  readonly date: Date;
}

/** The commit that the name stands for already, if it is another one; undefined when the tag is there as wanted. */
export async function createTag(
  repo: Repository,
  { name, commit, message, date }: TagRequest,
): Promise<string | undefined> {
  const ref = `refs/tags/${name}`;
  const { code } = await git(['check-ref-format', ref], { ...refCall(repo), answers: [0, 1] });
  if (code !== 0) throw new ForgeError('bad-input', `${JSON.stringify(name.slice(0, 100))} cannot name a tag`);
  const known = await commitAt(repo, ref);
  if (known !== undefined) return known === commit ? undefined : known;
  const tagger = `${engineIdentity.name} <${engineIdentity.email}> ${Math.floor(date.getTime() / 1000)} +0000`;
  const text = `object ${commit}\ntype commit\ntag ${name}\ntagger ${tagger}\n\n${message.trim()}\n`;
  const id = await gitLine(['hash-object', '-w', '-t', 'tag', '--stdin'], { ...objectCall(repo), stdin: text });
  const zero = '0'.repeat(id.length);
  const made = await git(['update-ref', ref, id, zero], { ...refCall(repo), answers: [0, 1, 128] });
  if (made.code === 0) return undefined;
  const now = await commitAt(repo, ref);
  return now === commit ? undefined : (now ?? '');
}

async function commitAt(repo: Repository, ref: string): Promise<string | undefined> {
  const { code, stdout } = await git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`], {
    ...refCall(repo),
    answers: [0, 1, 128],
  });
  return code === 0 ? stdout.toString('utf8').trim() : undefined;
}

export interface TagLine {
  readonly name: string;
  readonly commit: string;
  /** ISO, when the tag was made. */
  readonly at: string;
}

/** Tags whose commit HEAD holds, oldest first. Needs no state of Forge. */
export async function listMergedTags(root: string): Promise<readonly TagLine[]> {
  const format = '--format=%(objectname) %(*objectname) %(creatordate:iso-strict) %(refname:strip=2)';
  const args = ['for-each-ref', '--merged=HEAD', '--sort=creatordate', format, 'refs/tags/'];
  const { code, stdout } = await git(args, { cwd: root, config: 'user', answers: [0, 128, 129], timeMs: 60_000 });
  if (code !== 0) return [];
  return stdout
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [object = '', peeled = '', at = '', ...name] = line.split(' ');
      return { name: name.join(' '), commit: peeled === '' ? object : peeled, at };
    });
}
