/** `landing.prepare`: the result on top of the branch as it is now. Objects only; doing it twice is harmless. */
import type { EffectRequest } from '../engine/effect-map.ts';
import type { EffectContext, Performer } from '../engine/performer.ts';
import { listChanges, treeOf } from '../git/changes.ts';
import type { Repository } from '../git/git.ts';
import { commitOnTop, findCommit, rebaseResult, type RebaseRequest, unresolvedFiles } from '../git/rebase.ts';
import { isAncestor, readRef } from '../git/refs.ts';
import type { EffectDeps } from './deps.ts';

export function landingPrepare({ repo }: EffectDeps): Performer<'landing.prepare'> {
  return {
    async perform(request, context) {
      const before = await readRef(repo, `refs/heads/${request.branch}`);
      if (before === undefined) return { status: 'gone' };
      if (await isAncestor(repo, request.commit, before)) return { status: 'there', before };
      if (await isAncestor(repo, before, request.commit)) return ready(repo, before, request.commit);
      const wish = wishOf(request, context, before);
      const { resolved } = request;
      // What was settled for another state of the branch does not count for this one.
      if (resolved !== undefined && resolved.onto === before) return settled(repo, wish, resolved);
      const rebased = await rebaseResult(repo, wish);
      if (rebased.status === 'ready') return ready(repo, before, rebased.commit);
      return { status: 'conflict', commit: rebased.commit, before, files: [...rebased.files] };
    },
  };
}

function wishOf(request: EffectRequest<'landing.prepare'>, { run, state }: EffectContext, onto: string): RebaseRequest {
  const { base, commit, title } = request;
  // The same commit however often it is asked for: its date is the run's.
  return { run: run.id, base, commit, onto, title, date: new Date(state.createdAt) };
}

async function settled(
  repo: Repository,
  wish: RebaseRequest,
  { by, files }: NonNullable<EffectRequest<'landing.prepare'>['resolved']>,
) {
  const before = wish.onto;
  const found = await findCommit(repo, by);
  if (found === undefined) {
    return {
      status: 'unresolved' as const,
      before,
      files: [...files],
      reason: `there is no branch ${JSON.stringify(by)}`,
    };
  }
  const open = await unresolvedFiles(repo, found, files);
  if (open.length > 0) return { status: 'unresolved' as const, before, files: [...open], reason: 'markers are left' };
  return ready(repo, before, await commitOnTop(repo, wish, await treeOf(repo, found)));
}

async function ready(repo: Repository, before: string, commit: string) {
  return { status: 'ready' as const, commit, before, changes: [...(await listChanges(repo, before, commit))] };
}
