/**
 * The project around a directory that somebody named, without opening git or any run: the nearest directory above with a
 * `.git`, else the current one. What is named has to lie inside it, and no link leads to it.
 */
import { lstatSync, realpathSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { ForgeError } from '../errors.ts';
import { type ConfinedTree, openConfinedTree } from '../files/confined-tree.ts';

export interface ProjectTree {
  readonly root: string;
  readonly tree: ConfinedTree;
}

export function openProjectTree(cwd: string): ProjectTree {
  const start = realpathSync(cwd);
  let root = start;
  for (let at = start; ; at = dirname(at)) {
    if (lstatSync(join(at, '.git'), { throwIfNoEntry: false }) !== undefined) {
      root = at;
      break;
    }
    if (dirname(at) === at) break;
  }
  return { root, tree: openConfinedTree(root) };
}

/** A directory as somebody typed it, relative to the project; `what` is its name in messages. */
export function directoryIn(project: ProjectTree, cwd: string, typed: string, what: string): string {
  const way = pathIn(project, cwd, typed, what);
  const found = project.tree.list(way === '.' ? '' : way);
  if (found.status === 'read') return way;
  const why = found.status === 'absent' ? 'does not exist' : found.why;
  throw new ForgeError('bad-input', `${what} ${JSON.stringify(typed.slice(0, 200))} ${why}`, {
    hint: 'Name a plain directory inside the repository.',
  });
}

/** The same for what need not be there. */
export function pathIn({ root }: ProjectTree, cwd: string, typed: string, what: string): string {
  const way = relative(root, resolve(realpathSync(cwd), typed))
    .split(sep)
    .join('/');
  if (typed.includes('\0') || way === '..' || way.startsWith('../')) {
    throw new ForgeError(
      'bad-input',
      `${what} ${JSON.stringify(typed.slice(0, 200))} lies outside the project ${root}`,
      {
        hint: 'Name a directory inside the repository.',
      },
    );
  }
  return way === '' ? '.' : way;
}
