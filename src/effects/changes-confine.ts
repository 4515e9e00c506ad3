/**
 * `changes.confine`: takes back what a commit changed outside of what was allowed. The files are as they were before, in a
 * commit on top, so that nothing is lost: what was taken back stays in the commit below. Objects only.
 */
import type { Performer } from '../engine/performer.ts';
import { listChanges } from '../git/changes.ts';
import { writeCommit } from '../git/commit.ts';
import { diffEntries, editTree } from '../git/tree-edit.ts';
import { isPathCovered } from '../plan/coverage.ts';
import type { EffectDeps } from './deps.ts';

export function changesConfine({ repo, settings }: EffectDeps): Performer<'changes.confine'> {
  return {
    async perform({ from, commit, writes, forbids }, { run, clock }) {
      const isAllowed = (path: string): boolean =>
        (writes === undefined || isPathCovered(writes, path)) && !isPathCovered(forbids, path);
      const changes = [...(await listChanges(repo, from, commit))];
      const wrong = (await diffEntries(repo, from, commit)).filter(({ path }) => !isAllowed(path));
      if (wrong.length === 0) return { commit, changes, restored: [] };
      const tree = await editTree(
        repo,
        commit,
        wrong.map(({ raw, before }) => ({ raw, entry: before })),
      );
      const confined = await writeCommit(repo, {
        tree,
        parent: commit,
        message: 'Take back changes outside of the scope',
        run: run.id,
        authors: [],
        author: settings.commits.as,
        date: clock.now(),
      });
      const restored = changes.filter(({ path }) => !isAllowed(path));
      return { commit: confined, changes: changes.filter(({ path }) => isAllowed(path)), restored };
    },
  };
}
