/**
 * Which git is here, and whether it is new enough. 2.38 is the floor: `merge-tree --write-tree` came with it.
 * Pure: vendors decorate the version (Apple, Windows builds, release candidates), the numbers decide.
 */

export interface GitVersion {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}

export const oldestGit: GitVersion = { major: 2, minor: 38, patch: 0 };

/** Reads the answer of `git --version`; undefined when it is none. */
export function parseGitVersion(text: string): GitVersion | undefined {
  const found = /^git version (\d{1,6})\.(\d{1,6})(?:\.(\d{1,6}))?(?![\d])/.exec(text.trim());
  if (found === null) return undefined;
  return { major: Number(found[1]), minor: Number(found[2]), patch: Number(found[3] ?? 0) };
}

export function isNewEnough(version: GitVersion, floor: GitVersion = oldestGit): boolean {
  if (version.major !== floor.major) return version.major > floor.major;
  if (version.minor !== floor.minor) return version.minor > floor.minor;
  return version.patch >= floor.patch;
}

export function formatVersion(version: GitVersion): string {
  return `${version.major}.${version.minor}.${version.patch}`;
}
