/** `branch.publish`: the result as a branch. Publishing what is published already moves nothing. */
import type { EffectRequest } from '../engine/effect-map.ts';
import type { EffectContext, Performer } from '../engine/performer.ts';
import { creditsBetween, writeCommit } from '../git/commit.ts';
import { treeOf } from '../git/changes.ts';
import { ownPart } from '../git/join-repositories.ts';
import { publishBranch } from '../git/land.ts';
import { resultBranch } from '../git/repository.ts';
import { repositoriesOf } from '../policy/run-repositories.ts';
import type { EffectDeps } from './deps.ts';

export function branchPublish({ repo, settings }: EffectDeps): Performer<'branch.publish'> {
  return {
    async perform(request, context) {
      const commit = await toPublish({ repo, settings }, request, context);
      return withoutUndefined(await publishBranch(repo, context.run.id, commit));
    },
    // The branch may have been made by the attempt that was cut off: what undo needs is that it was not there before.
    async recover(request, context) {
      const commit = await toPublish({ repo, settings }, request, context);
      const { ref, before } = await publishBranch(repo, context.run.id, commit);
      return before === commit ? { ref, after: commit } : withoutUndefined({ ref, before, after: commit });
    },
  };
}

/** The same commit however often it is asked for: its date is the run's. */
async function toPublish(
  { repo, settings }: Pick<EffectDeps, 'repo' | 'settings'>,
  { commit, squash }: EffectRequest<'branch.publish'>,
  { run, snapshot }: EffectContext,
): Promise<string> {
  const joined = repositoriesOf(run.input);
  if (squash === undefined && joined === undefined) return commit;
  const own = `refs/heads/${await resultBranch(repo, run.id)}`;
  // A run that was tried again has published before: its branch only goes forward.
  const parent = snapshot.refs.findLast(({ ref }) => ref === own)?.after ?? joined?.home ?? run.base;
  const paths = joined?.others.map(({ path }) => path);
  const tree =
    joined === undefined || paths === undefined
      ? await treeOf(repo, commit)
      : await ownPart(repo, { commit, base: joined.home, paths });
  // Where only other repositories changed, this one has no commit to add.
  if (joined !== undefined && tree === (await treeOf(repo, parent))) return parent;
  return writeCommit(repo, {
    tree,
    parent,
    message: squash ?? run.title,
    run: run.id,
    authors: await creditsBetween(repo, run.base, commit),
    author: settings.commits.as,
    date: new Date(snapshot.createdAt),
  });
}

function withoutUndefined({
  ref,
  before,
  after,
}: {
  ref: string;
  before: string | undefined;
  after: string | undefined;
}) {
  return { ref, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
}
