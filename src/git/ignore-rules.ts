/**
 * Which untracked files are nobody's work. Three layers, the first the weakest, as one `info/exclude`: well-known
 * dependency and cache directories (unless the commit tracks one), the user's own rules, and what was put into
 * the workspace beside the commit. Pure.
 */
import { encodePath } from './raw-path.ts';

/** Directories that package managers and tools fill by themselves, whatever a repository's rules say. */
export const dependencyDirectories = [
  'node_modules',
  'bower_components',
  'jspm_packages',
  '.pnpm-store',
  '.venv',
  'venv',
  '__pycache__',
  '.pytest_cache',
  '.mypy_cache',
  '.ruff_cache',
  '.tox',
  '.nox',
  '.gradle',
  '.next',
  '.nuxt',
  '.svelte-kit',
  '.turbo',
  '.parcel-cache',
  '.terraform',
  '.dart_tool',
] as const;

/** Text of `info/exclude`, one character per byte. `directories` are those the commit tracks. */
export function excludeText(directories: readonly string[], userRules: string, provided: readonly string[]): string {
  const tracked = new Set(directories.flatMap((directory) => directory.split('/')));
  const known = dependencyDirectories.filter((name) => !tracked.has(name)).map((name) => `${name}/\n`);
  return `${known.join('')}${userRules}${provided.map((path) => `/${escapePattern(path)}\n`).join('')}`;
}

/** A pattern that matches exactly this path. */
export function escapePattern(path: string): string {
  return encodePath(path)
    .replaceAll(/[\\*?[]/g, '\\$&')
    .replaceAll('\n', '?')
    .replace(/ $/, '\\ ');
}
