/**
 * Which untracked files are nobody's work: what the user's own rules say, and what was put into the workspace beside
 * the commit. Well-known dependency and cache directories are passed over too, unless the commit tracks one; where no
 * rule of the project ignores them, that is a reason of its own and keeps the workspace. Pure.
 */
import { encodePath } from './raw-path.ts';

/** Directories that package managers and frameworks fill by themselves, unless somebody put work there. */
const dependencyNames = [
  'node_modules',
  'bower_components',
  'jspm_packages',
  '.venv',
  'venv',
  '.next',
  '.nuxt',
  '.svelte-kit',
  '.terraform',
] as const;

/** Directories that only ever hold what a tool can make again. */
const cacheNames = [
  '.pnpm-store',
  '__pycache__',
  '.pytest_cache',
  '.mypy_cache',
  '.ruff_cache',
  '.tox',
  '.nox',
  '.gradle',
  '.turbo',
  '.parcel-cache',
  '.dart_tool',
] as const;

export const dependencyDirectories: readonly string[] = [...dependencyNames, ...cacheNames];

export function isCacheDirectory(name: string): boolean {
  return (cacheNames as readonly string[]).includes(name);
}

/** Text of the engine's `info/exclude`, one character per byte: rules that somebody wrote, and what was put in. */
export function excludeText(userRules: string, provided: readonly string[]): string {
  return `${userRules}${provided.map((path) => `/${escapePattern(path)}\n`).join('')}`;
}

/** The same for the agent's own git, which need not see dependencies either. `directories` are those the commit tracks. */
export function agentExcludeText(directories: readonly string[], engineText: string): string {
  const tracked = new Set(directories.flatMap((directory) => directory.split('/')));
  const known = dependencyDirectories.filter((name) => !tracked.has(name)).map((name) => `${name}/\n`);
  return `${known.join('')}${engineText}`;
}

/** A pattern that matches exactly this path. */
export function escapePattern(path: string): string {
  return encodePath(path)
    .replaceAll(/[\\*?[]/g, '\\$&')
    .replaceAll('\n', '?')
    .replace(/ $/, '\\ ');
}
