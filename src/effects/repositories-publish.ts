/**
 * `repositories.publish`: in a run over several repositories each of the others gets its part of the result, as one commit
 * on a branch of its own. Publishing what is published already moves nothing.
 */
import type { EffectOutput } from '../engine/effect-map.ts';
import type { Performer } from '../engine/performer.ts';
import { writeCommit } from '../git/commit.ts';
import { treeOf } from '../git/changes.ts';
import { type JoinedRepository, otherPart } from '../git/join-repositories.ts';
import { publishBranch } from '../git/land.ts';
import { readRef } from '../git/refs.ts';
import { openRepository, resultBranch } from '../git/repository.ts';
import { repositoriesOf } from '../policy/run-repositories.ts';
import type { EffectDeps } from './deps.ts';

type Published = EffectOutput<'repositories.publish'>['branches'][number];

export function repositoriesPublish({ repo, settings }: EffectDeps): Performer<'repositories.publish'> {
  return {
    async perform({ commit, message }, { run, snapshot }) {
      const { others = [] } = repositoriesOf(run.input) ?? {};
      const branches: Published[] = [];
      for (const { path, root, base } of others) {
        const { dataDir, stateDir } = repo;
        const other: JoinedRepository = { path, base, repo: await openRepository(root, { dataDir, stateDir }) };
        const tree = await otherPart(repo, commit, other);
        const branch = await resultBranch(other.repo, run.id);
        // A run that was tried again has published before: its branch only goes forward.
        const parent = (await readRef(other.repo, `refs/heads/${branch}`)) ?? base;
        const at = { path, root, branch };
        if (tree === (await treeOf(other.repo, parent))) {
          if (parent !== base) branches.push({ ...at, commit: parent });
          continue;
        }
        const made = await writeCommit(other.repo, {
          tree,
          parent,
          message,
          run: run.id,
          authors: [],
          author: settings.commits.as,
          date: new Date(snapshot.createdAt),
        });
        await publishBranch(other.repo, run.id, made);
        branches.push({ ...at, commit: made });
      }
      return { branches };
    },
  };
}
