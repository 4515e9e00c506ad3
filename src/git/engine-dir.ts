/**
 * Git directories written by hand: no template, no `git init`, nothing inherited. The engine's own ones are
 * where its git reads configuration from, and no jail ever exposes them; the agent's is a clone it may do
 * anything to. Both see files byte for byte as the commits hold them: no line ending, filter, keyword or
 * encoding conversion, in either direction.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Repository, Workspace } from './git.ts';
import type { GitCall } from './run-git.ts';

/** Work on objects of the user's repository under our configuration. Knows no refs: full ids only. */
export function objectCall(repo: Repository): GitCall {
  return {
    cwd: repo.engineDir,
    gitDir: repo.engineDir,
    objectsDir: repo.objectsDir,
    env: { GIT_SHALLOW_FILE: join(repo.gitDir, 'shallow') },
  };
}

/** Work on refs of the user's repository. */
export function refCall(repo: Repository): GitCall {
  return { cwd: repo.gitDir, gitDir: repo.gitDir };
}

/** Work on a workspace's tree with the engine's git directory and index; `tree/.git` is never read. */
export function treeCall(repo: Repository, workspace: Pick<Workspace, 'engineDir' | 'tree'>): GitCall {
  return {
    cwd: workspace.tree,
    gitDir: workspace.engineDir,
    workTree: workspace.tree,
    objectsDir: repo.objectsDir,
    env: { GIT_SHALLOW_FILE: join(repo.gitDir, 'shallow') },
  };
}

export interface GitDirContent {
  readonly objectFormat: 'sha1' | 'sha256';
  readonly bare: boolean;
  /** Content of info/exclude, one character per byte. */
  readonly exclude: string;
}

export async function writeEngineDir(dir: string, content: GitDirContent): Promise<void> {
  await Promise.all([
    mkdir(join(dir, 'refs'), { recursive: true }),
    mkdir(join(dir, 'objects'), { recursive: true }),
    mkdir(join(dir, 'info'), { recursive: true }),
  ]);
  await Promise.all([
    writeStable(join(dir, 'HEAD'), 'ref: refs/heads/engine\n'),
    writeStable(join(dir, 'config'), configText(content)),
    writeStable(join(dir, 'info', 'exclude'), content.exclude),
    writeStable(join(dir, 'info', 'attributes'), byteExact),
  ]);
}

export interface AgentGitContent extends GitDirContent {
  readonly commit: string;
  /** Absolute path of the object store to borrow from. */
  readonly objectsDir: string;
  readonly identity: Identity;
  /** Content of the user's shallow file, where there is one. */
  readonly shallow: Uint8Array | undefined;
}

export interface Identity {
  readonly name: string;
  readonly email: string;
}

/** The agent's clone, on a branch `work` at the commit; its index is copied in by the caller. */
export async function writeAgentGit(dir: string, content: AgentGitContent): Promise<void> {
  await Promise.all([
    mkdir(join(dir, 'refs', 'heads'), { recursive: true }),
    mkdir(join(dir, 'refs', 'tags'), { recursive: true }),
    mkdir(join(dir, 'objects', 'info'), { recursive: true }),
    mkdir(join(dir, 'info'), { recursive: true }),
  ]);
  await Promise.all([
    writeFile(join(dir, 'HEAD'), 'ref: refs/heads/work\n'),
    writeFile(join(dir, 'refs', 'heads', 'work'), `${content.commit}\n`),
    writeFile(join(dir, 'config'), `${configText(content)}${identityText(content.identity)}`),
    writeFile(join(dir, 'objects', 'info', 'alternates'), alternateLine(content.objectsDir)),
    writeFile(join(dir, 'info', 'exclude'), content.exclude, 'latin1'),
    writeFile(join(dir, 'info', 'attributes'), byteExact),
    content.shallow === undefined ? undefined : writeFile(join(dir, 'shallow'), content.shallow),
  ]);
}

/** Another Forge may be reading the file: it changes in one step, and only if it changes. */
async function writeStable(path: string, text: string): Promise<void> {
  if ((await readFile(path, 'latin1').catch(() => undefined)) === text) return;
  const temporary = `${path}.${randomUUID()}`;
  await writeFile(temporary, text, 'latin1');
  await rename(temporary, path);
}

/** `-text` alone is a value; the others have to become unspecified (`-working-tree-encoding` is fatal). */
const byteExact = '* -text !eol !crlf !filter !ident !working-tree-encoding !merge\n';

function configText(content: GitDirContent): string {
  const sha256 = content.objectFormat === 'sha256';
  const foldsCase = process.platform === 'darwin' || process.platform === 'win32';
  return [
    '[core]',
    `\trepositoryformatversion = ${sha256 ? 1 : 0}`,
    `\tbare = ${content.bare}`,
    '\tfilemode = true',
    '\tsymlinks = true',
    `\tignorecase = ${foldsCase}`,
    `\tlogallrefupdates = ${!content.bare}`,
    // Names that only other systems forbid (a backslash, `git~1`) are ordinary here and must be captured.
    `\tprotectNTFS = ${foldsCase}`,
    `\tprotectHFS = ${foldsCase}`,
    '[gc]',
    '\tauto = 0',
    ...(sha256 ? ['[extensions]', '\tobjectformat = sha256'] : []),
    '',
  ].join('\n');
}

/** Configuration that names who commits: for the clone, and for repositories an agent makes in it. */
export function identityText(identity: Identity): string {
  return ['[user]', `\tname = ${quoteValue(identity.name)}`, `\temail = ${quoteValue(identity.email)}`, ''].join('\n');
}

function quoteValue(value: string): string {
  const oneLine = value.replaceAll(/\p{Cc}/gu, ' ');
  return `"${oneLine.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

/** One store per line; git unquotes lines that begin with a quote, so any path can be written. */
export function alternateLine(path: string): string {
  const plain = !/^["#]|\n/.test(path);
  if (plain) return `${path}\n`;
  return `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"\n`;
}
