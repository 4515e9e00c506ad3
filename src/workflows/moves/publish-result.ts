/**
 * The end of a run: everything that judges runs once more, on exactly the commit that is published, and the commit
 * becomes a branch. Results are remembered by tree, so the check costs nothing where the last merge was checked with
 * the same commands. Tests that a person let go with a merge do not stop it; any other lack of evidence makes the run
 * fail. A run that changed nothing is neither checked nor published.
 */
import type { Bench, WorkflowResult } from '../../engine/bench.ts';
import type { StepEndInput } from '../../engine/facts.ts';
import { isAcceptable } from '../../policy/check-standing.ts';
import { repositoriesOf } from '../../policy/run-repositories.ts';
import { runCheck } from './check-steps.ts';
import { type Checks, describeChecks } from './verify.ts';

export interface PublishRequest {
  /** What the merged work is checked with. */
  readonly checks: Checks;
  /** Message of the one commit that the branch gets; without one it keeps the history of the run. */
  readonly squash?: string | undefined;
  /** Why the run fails whatever the checks say. */
  readonly failures: readonly string[];
}

export interface PublishedResult extends Pick<WorkflowResult, 'status'> {
  /** Every reason why the run fails, in one line; empty where it does not. */
  readonly reason: string;
  /** Whether the checks stand on the commit that was published. */
  readonly isConfirmed: boolean;
  /** For the workflow's output: the branch, if there is something to publish. */
  readonly published: { readonly branch?: string; readonly repositories?: PublishedPart[] };
}

export async function publishResult(bench: Bench, request: PublishRequest): Promise<PublishedResult> {
  const { checks, squash, failures } = request;
  const { commit, judge } = await bench.perform('integration.read', 'final', {});
  const isEmpty = commit === bench.run.base;
  const unconfirmed = isEmpty ? undefined : await confirmResult(bench, { commit, judge, checks });
  const asked = squash === undefined ? { commit } : { commit, squash };
  const branch = isEmpty ? undefined : await bench.perform('branch.publish', 'publish', asked);
  const repositories = isEmpty ? [] : await publishParts(bench, { commit, message: squash ?? bench.run.title });
  const reasons = [...failures, ...(unconfirmed === undefined ? [] : [unconfirmed])];
  return {
    status: reasons.length === 0 ? 'done' : 'failed',
    reason: reasons.join('; '),
    isConfirmed: unconfirmed === undefined,
    published: {
      ...(branch === undefined ? {} : { branch: branch.ref.replace('refs/heads/', '') }),
      ...(repositories.length === 0 ? {} : { repositories }),
    },
  };
}

interface PublishedPart {
  readonly path: string;
  readonly root: string;
  readonly branch: string;
}

async function publishParts(
  bench: Bench,
  request: { readonly commit: string; readonly message: string },
): Promise<PublishedPart[]> {
  if (repositoriesOf(bench.run.input) === undefined) return [];
  const end = (parts: readonly PublishedPart[]): StepEndInput => ({
    status: 'done',
    detail: parts.map(({ path, branch }) => `${path}: ${branch}`).join(', ') || 'nothing changed there',
  });
  const start = { kind: 'publish', title: 'Branches in the other repositories', end };
  return bench.step('publish/repositories/step', start, async () => {
    const { branches } = await bench.perform('repositories.publish', 'publish/repositories', request);
    return branches.map(({ path, root, branch }) => ({ path, root, branch }));
  });
}

/** Why the commit cannot be called done; undefined where it can. */
export async function confirmResult(
  bench: Bench,
  { commit, judge, checks }: { readonly commit: string; readonly judge: string; readonly checks: Checks },
): Promise<string | undefined> {
  const { source, entries, baseline } = checks;
  const asked = { commit, judge, source, entries: [...entries], ...(baseline === undefined ? {} : { baseline }) };
  const report = await runCheck(bench, 'final/check', asked, 'Checks on the result');
  return isAcceptable(report) ? undefined : `the result was not confirmed: ${describeChecks(report)}`;
}
