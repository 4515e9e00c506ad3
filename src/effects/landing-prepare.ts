/**
 * `landing.prepare`: the result on top of the branch as it is now. Objects only; doing it twice is harmless. What settles
 * a conflict has to hold the branch, so that nothing on it is lost; an agent may change nothing but the files in conflict.
 */
import type { EffectOutput, EffectRequest } from '../engine/effect-map.ts';
import type { EffectContext, Performer } from '../engine/performer.ts';
import { listChanges, treeOf } from '../git/changes.ts';
import { diffText } from '../git/diff-text.ts';
import type { Repository } from '../git/git.ts';
import { isForward } from '../git/land.ts';
import { commitOnTop, findCommit, rebaseResult, type RebaseRequest, unresolvedFiles } from '../git/rebase.ts';
import { isAncestor, readRef } from '../git/refs.ts';
import { findSecrets } from '../process/find-secrets.ts';
import type { EffectDeps } from './deps.ts';

type Request = EffectRequest<'landing.prepare'>;
type Resolved = NonNullable<Request['resolved']>;
type Prepared = EffectOutput<'landing.prepare'>;

export function landingPrepare({ repo, secrets }: EffectDeps): Performer<'landing.prepare'> {
  return {
    async perform(request, context) {
      const before = await readRef(repo, `refs/heads/${request.branch}`);
      if (before === undefined) return { status: 'gone' };
      if (await isAncestor(repo, request.commit, before)) return { status: 'there', before };
      const { branch, base } = context.run;
      const since = branch === request.branch ? base : undefined;
      if (await isForward(repo, { from: before, to: request.commit, since }))
        return ready(repo, request, { before, commit: request.commit });
      const wish = wishOf(request, context, before);
      const { resolved } = request;
      // What was settled for another state of the branch does not count for this one.
      if (resolved !== undefined && resolved.onto === before)
        return settled({ repo, secrets }, request, { wish, resolved });
      const rebased = await rebaseResult(repo, wish);
      if (rebased.status === 'conflict')
        return { status: 'conflict', commit: rebased.commit, before, files: [...rebased.files] };
      // Somebody has put the same changes there: a commit that changes nothing helps nobody.
      if ((await treeOf(repo, rebased.commit)) === (await treeOf(repo, before))) return { status: 'there', before };
      return ready(repo, request, { before, commit: rebased.commit });
    },
  };
}

function wishOf(request: Request, { run, snapshot }: EffectContext, onto: string): RebaseRequest {
  const { base, commit, title } = request;
  // The same commit however often it is asked for: its date is the run's.
  return { run: run.id, base, commit, onto, title, date: new Date(snapshot.createdAt) };
}

type Deps = Pick<EffectDeps, 'repo' | 'secrets'>;

async function settled(
  deps: Deps,
  request: Request,
  { wish, resolved }: { readonly wish: RebaseRequest; readonly resolved: Resolved },
): Promise<Prepared> {
  const { repo } = deps;
  const { onto: before } = wish;
  const { by, files } = resolved;
  const found = await findCommit(repo, by);
  const problem = found === undefined ? `there is no branch ${by}` : await problemWith(deps, found, { wish, resolved });
  if (found === undefined || problem !== undefined)
    return { status: 'unresolved', before, files: [...files], reason: problem ?? '' };
  return ready(repo, request, { before, commit: await commitOnTop(repo, wish, await treeOf(repo, found)) });
}

async function problemWith(
  { repo, secrets }: Deps,
  found: string,
  { wish, resolved: { by, files, from } }: { readonly wish: RebaseRequest; readonly resolved: Resolved },
): Promise<string | undefined> {
  const { onto, commit } = wish;
  if (found === onto || !(await isAncestor(repo, onto, found)))
    return `${by} does not start from the commit with the marked places`;
  const open = await unresolvedFiles(repo, found, { files, sides: [onto, commit] });
  if (open.length > 0) return `conflict markers are left in ${some(open)}`;
  if (from === undefined) return undefined;
  const others = (await listChanges(repo, from, found)).map(({ path }) => path).filter((path) => !files.includes(path));
  if (others.length > 0) return `files that are not in conflict were changed: ${some(others)}`;
  const leaked = findSecrets(await diffText(repo, from, found, { binary: true }), secrets);
  const known = leaked.filter(({ kind }) => kind === 'known').map(({ path }) => path);
  return known.length === 0 ? undefined : `a secret that agents were given is in ${some(known)}`;
}

async function ready(
  repo: Repository,
  { commit: result, accepted }: Request,
  { before, commit }: { readonly before: string; readonly commit: string },
): Promise<Prepared> {
  const changes = [...(await listChanges(repo, before, commit))];
  if (accepted === undefined) return { status: 'ready', commit, before, changes };
  const differing = new Set((await listChanges(repo, result, commit)).map(({ path }) => path));
  return { status: 'ready', commit, before, changes, same: accepted.filter((path) => !differing.has(path)) };
}

function some(paths: readonly string[]): string {
  const shown = paths.slice(0, 5).join(', ');
  return paths.length > 5 ? `${shown} and ${paths.length - 5} more` : shown;
}
