/**
 * Which tool laid a `.gsd` folder out, from the names of its files alone, and where in it a document lies. The same
 * folder name is used by other tools: their files are named and left alone. Pure.
 */
import type { GsdLayout } from './gsd-project.ts';

export function detectLayout(paths: readonly string[]): GsdLayout {
  if (paths.length === 0) return 'absent';
  const some = (pattern: RegExp): boolean => paths.some((path) => pattern.test(path));
  if (some(/^milestones\/M[^/]*\/slices\/S[^/]*\/tasks\/T[^/]*\/T[^/]*-PLAN\.md$/)) return 'task-folders';
  if (some(/^milestones\/M[^/]*\/M[^/]*-[A-Z-]+\.(?:md|json)$/)) return 'nested';
  if (some(/^milestones\/M[^/]*\/(?:roadmap|context)\.md$/)) return 'early';
  if (some(/^phases\/\d+-[^/]*\/\d+-ROADMAP\.md$/)) return 'flat';
  return 'foreign';
}

/** The paths of one folder, by what they are. */
export class GsdFolder {
  readonly #paths: readonly string[];

  constructor(paths: readonly string[]) {
    this.#paths = [...paths].sort();
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
    const files = this.#below(directory).filter((rest) => !rest.includes('/'));
    const found = wanted.flatMap((one) => files.filter((file) => file.toLowerCase() === one));
    return found[0] === undefined ? undefined : `${directory}/${found[0]}`;
  }

  #below(directory: string): readonly string[] {
    const prefix = `${directory}/`;
    return this.#paths.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
  }
}
