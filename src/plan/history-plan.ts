/**
 * A stretch of history as a plan: one task per commit that may change exactly what the commit changed, after the commits
 * that touched the same paths before it and beside all others. A path also clashes with what lies below it, for a file
 * may have taken a directory's place. Pure; messages and paths are untrusted and only ever become text of the plan.
 */
import { compilePattern, literalPath, patternsMeet } from './path-pattern.ts';
import { patternProblem } from './path-rules.ts';
import { type Task, taskSchema } from './plan.ts';

export interface HistoryCommit {
  readonly id: string;
  readonly subject: string;
  readonly body: string;
  /** Everything it added, changed or deleted. */
  readonly paths: readonly string[];
}

/** Oldest first, as they followed each other. The task at a place is of the commit at that place. */
export function planHistory(commits: readonly HistoryCommit[]): readonly Task[] {
  const ids = commits.map((commit, place) => `c${place + 1}-${commit.id.slice(0, 7)}`);
  return neededBefore(commits).map((needs, place) => {
    const { subject, body, paths, id } = commits[place] ?? missing();
    return taskSchema.parse({
      id: ids[place],
      title: clip(subject.trim(), 200) || `Commit ${id.slice(0, 12)}`,
      objective: clip(body.trim(), 20_000),
      kind: 'chore',
      depends: needs.map((need) => ids[need]),
      writes: paths.map(declaration),
      // What the commit did is compared as a whole at the end; its project's own tools need not be there.
      verify: ['true'],
      doneWhen: `The paths are as in ${id.slice(0, 12)}`,
      complexity: 'S',
    });
  });
}

/** For each commit the places of those it has to follow; what follows from others is left out. */
function neededBefore(commits: readonly HistoryCommit[]): readonly (readonly number[])[] {
  const lastAt = new Map<string, number>();
  const below = new Map<string, Set<number>>();
  const reached: Set<number>[] = [];
  return commits.map(({ paths }, place) => {
    const met = new Set<number>();
    for (const path of paths) {
      for (const name of [path, ...parents(path)]) {
        const last = lastAt.get(name);
        if (last !== undefined) met.add(last);
      }
      for (const one of below.get(path) ?? []) met.add(one);
    }
    for (const path of paths) {
      lastAt.set(path, place);
      for (const parent of parents(path)) {
        const known = below.get(parent);
        if (known === undefined) below.set(parent, new Set([place]));
        else known.add(place);
      }
    }
    const implied = new Set<number>();
    const direct: number[] = [];
    for (const need of [...met].sort((a, b) => b - a)) {
      if (implied.has(need)) continue;
      direct.push(need);
      implied.add(need);
      for (const earlier of reached[need] ?? []) implied.add(earlier);
    }
    reached.push(implied);
    return direct.sort((a, b) => a - b);
  });
}

/** `a/b/c` → `a`, `a/b`. */
function parents(path: string): readonly string[] {
  const names = path.split('/');
  return names.slice(1).map((_, count) => names.slice(0, count + 1).join('/'));
}

/** A pattern that covers the path: the path itself, but for characters that a plan cannot spell or takes for something else. */
function declaration(path: string): string {
  if (stands(path, path)) return path;
  // oxlint-disable-next-line no-control-regex
  const careful = path.replace(/[\u0000-\u001f\u007f\\{}*!~:]|^\s|\s$/gu, '?');
  if (stands(careful, path)) return careful;
  const [top = ''] = careful.split('/');
  return path.includes('/') ? `${top}/**` : '*';
}

function stands(pattern: string, path: string): boolean {
  return patternProblem(pattern) === undefined && patternsMeet(compilePattern(pattern), literalPath(path));
}

function clip(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

function missing(): never {
  throw new Error('a task was planned for no commit');
}
