/**
 * Which tool laid a `.gsd` folder out, from the names of its files alone, and where in it a document lies. The same
 * folder name is used by other tools: their files are named and left alone. Pure.
 */
import type { GsdLayout } from './gsd-project.ts';

export function detectLayout(paths: readonly string[]): GsdLayout {
  if (paths.length === 0) return 'absent';
  const some = (pattern: RegExp): boolean => paths.some((path) => pattern.test(path));
  if (some(/^milestones\/M[^/]*\/slices\/S[^/]*\/tasks\/T[^/]*\/T[^/]*-PLAN\.md$/)) return 'task-folders';
  if (some(/^milestones\/M[^/]*\/M[^/]*-[A-Z-]+\.(?:md|json)$/)) return isForges(paths) ? 'task-folders' : 'nested';
  if (some(/^milestones\/M[^/]*\/(?:roadmap|context)\.md$/)) return 'early';
  if (some(/^phases\/\d+-[^/]*\/\d+-ROADMAP\.md$/)) return 'flat';
  return 'foreign';
}

/** Without a task nothing shows where task files go, but for documents that only tools with task folders write. */
function isForges(paths: readonly string[]): boolean {
  const isTask = (path: string): boolean => /^milestones\/M[^/]*\/slices\/S[^/]*\/tasks\/T/i.test(path);
  return !paths.some(isTask) && paths.some((path) => /^milestones\/M[^/]*\/M[^/]*-(?:SCOPE|STATE)\.md$/.test(path));
}

/** The paths of one folder, by what they are. */
export class GsdFolder {
  readonly #paths: readonly string[];
  /** Names of the files in each directory. */
  readonly #files = new Map<string, string[]>();

  constructor(paths: readonly string[]) {
    this.#paths = [...paths].sort();
    for (const path of this.#paths) {
      const at = path.lastIndexOf('/');
      const files = this.#files.get(path.slice(0, Math.max(0, at)));
      if (files === undefined) this.#files.set(path.slice(0, Math.max(0, at)), [path.slice(at + 1)]);
      else files.push(path.slice(at + 1));
    }
  }

  /** Names of the folders directly in `directory`. */
  folders(directory: string): readonly string[] {
    const names = this.#below(directory).flatMap((rest) =>
      rest.includes('/') ? [rest.slice(0, rest.indexOf('/'))] : [],
    );
    return [...new Set(names)];
  }

  hasAny(directory: string): boolean {
    return this.#below(directory).length > 0;
  }

  /**
   * The document `S01-PLAN.md` of `S01`, also as `plan.md` (before there were prefixes), and for `M001-abc123` with or
   * without what follows the number.
   */
  document(directory: string, id: string, name: string): string | undefined {
    const short = /^M\d+/.exec(id)?.[0] ?? id;
    const wanted = [`${id}-${name}.md`, `${short}-${name}.md`, `${name}.md`].map((one) => one.toLowerCase());
    const files = this.#files.get(directory) ?? [];
    const found = wanted.flatMap((one) => files.filter((file) => file.toLowerCase() === one));
    return found[0] === undefined ? undefined : `${directory}/${found[0]}`;
  }

  /**
   * The document `T01-PLAN.md` of a task, in a folder of its own or beside those of other tasks, where only its prefix
   * says whose it is.
   */
  taskDocument(directory: string, id: string, name: string): string | undefined {
    const own = this.document(`${directory}/${id}`, id, name);
    if (own !== undefined) return own;
    const beside = this.document(directory, id, name);
    const isPrefixed = beside
      ?.slice(directory.length + 1)
      .toUpperCase()
      .startsWith(`${id}-`);
    return isPrefixed === true ? beside : undefined;
  }

  #below(directory: string): readonly string[] {
    const prefix = `${directory}/`;
    return this.#paths.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
  }
}
