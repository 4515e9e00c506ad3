/**
 * Which file of the repository a reviewer means. Readers are asked for relative paths and now and then write where the
 * file lies in their workspace, or begin at the root. What cannot be resolved stays as it was written: nothing is guessed, and
 * nobody is set to fix it. Pure.
 */
import { isPathCovered } from '../plan/coverage.ts';
import { patternProblem } from '../plan/path-rules.ts';

/** `known`: paths and patterns of files that are there. */
export function repositoryPath(file: string, known: readonly string[]): string {
  const path = file
    .trim()
    .replaceAll(/\/{2,}/g, '/')
    .replaceAll(/(?<=^|\/)(\.\/)+/g, '');
  if (!path.startsWith('/')) return path;
  const inWorkspace = /\/workspaces\/[^/]+\/[^/]+\/[^/]+\/tree\/(.+)$/.exec(path)?.[1];
  if (inWorkspace !== undefined) return inWorkspace;
  const names = path.slice(1).split('/');
  const ends = names.map((_, at) => names.slice(at).join('/'));
  // A pattern that begins with anything would take any end for its own.
  const placed = known.filter((one) => !/^[^/]*[*?[\]{}]/.test(one));
  return ends.find((end) => isPathCovered(placed, end)) ?? path;
}

/** Files among these that somebody can be set to: a reviewer's words decide what may be changed, so only plain paths. */
export function fixableFiles(findings: readonly { readonly file: string }[]): readonly string[] {
  return [...new Set(findings.map(({ file }) => file))].filter(isFixable);
}

export function isFixable(file: string): boolean {
  return patternProblem(file) === undefined && file !== '.' && !file.endsWith('/') && !/[*?[\]{}!()]/.test(file);
}
