/**
 * The commit phase: the verified work is carried onto the integration head, one record at a time, with the checks on the
 * merged tree and the git hooks that the settings name. A message that `commit-msg` refuses is written again once; any other
 * refusal, and a conflict, goes to a person.
 */
import type { Bench } from '../../engine/bench.ts';
import type { Task } from '../../plan/plan.ts';
import type { HookRun } from '../../policy/hook-run.ts';
import type { PipelinePhase } from '../../policy/pipeline-settings.ts';
import { describeUnmerged, integrate } from '../moves/integrate.ts';
import { phaseRole } from '../../pipelines/phase-roles.ts';
import { isFinished } from '../../pipelines/record-states.ts';
import { askPhase, type PhaseAnswer } from './ask-phase.ts';
import { recordsOf } from './context.ts';
import { advanceDeskTime, measuredOf, type RecordDesk, writeDesk } from './desk.ts';
import { endRefused, hookText, reportHook } from './hook-rule.ts';
import { endEscalated, endUnwritten, type PhaseEnd, type PhaseRequest } from './phase.ts';
import { passedOf, verifyWork } from './phase-work.ts';
import type { WorkResult } from './role-results.ts';

type CommitText = Pick<WorkResult, 'objective' | 'key_changes'>;

const nothingMerged = 'nothing was merged: everything it does was there already';

/** A message that a hook refuses is written again so often. */
const mostRewordings = 1;

type Merged = { readonly status: 'merged' } | Extract<PhaseEnd, { status: 'escalated' }>;

export async function mergeRecordWork(bench: Bench, request: PhaseRequest, result: CommitText): Promise<Merged> {
  let text = result;
  for (let round = 1; ; round += 1) {
    const merged = await mergeOnce(bench, request, { text, round });
    if (merged.status !== 'refused') return merged;
    const { hook } = merged;
    const { phase, key } = request;
    await reportHook(bench, `${key}/refused#${round}`, request, hook);
    const mayReword = hook.hook === 'commit-msg' && hook.status === 'failed' && phase.role === 'commit';
    if (!mayReword || round > mostRewordings) return endRefused(authorOf(request, hook), hook);
    const again = await rewordCommit(bench, request, { hook, round });
    if (again.status === 'escalated') return again;
    text = again.result;
  }
}

/** The phase to go on from: the files are the engineer's, the message is that of the commit phase. */
function authorOf({ pipeline, phase, at }: PhaseRequest, { hook }: HookRun): PipelinePhase {
  const builds = pipeline.phases.slice(0, at).filter(({ role }) => role === 'implement' || role === 'update-impl');
  return hook === 'pre-commit' ? (builds.at(-1) ?? phase) : phase;
}

async function rewordCommit(
  bench: Bench,
  request: PhaseRequest,
  { hook, round }: { readonly hook: HookRun; readonly round: number },
): Promise<PhaseAnswer> {
  const { desk, phase, iteration, key } = request;
  const answer = await askPhase(bench, request, { suffix: `/reword#${round}`, sentBack: hookText(hook) });
  if (answer.status === 'escalated') return answer;
  const measured = advanceDeskTime(desk, measuredOf(answer.work, desk.at));
  const place = { persona: phaseRole(phase.role).persona, phase: phase.role, iteration };
  await writeDesk(bench, `${key}/reword#${round}/end`, desk, {
    events: [{ matter: { action: 'complete', ...place, notes: answer.result.objective }, measured }],
  });
  return answer;
}

async function mergeOnce(
  bench: Bench,
  request: PhaseRequest,
  { text, round }: { readonly text: CommitText; readonly round: number },
): Promise<Merged | { readonly status: 'refused'; readonly hook: HookRun }> {
  const { standing, phase, context, key, task, desk } = request;
  // A record whose work is in the base already has nothing to merge.
  if (standing.commit === standing.base) {
    desk.notes.push(nothingMerged);
    standing.merged = true;
    return { status: 'merged' };
  }
  // What was written after the last verification is verified as well: nothing slips in behind a review.
  if (standing.passed?.commit !== standing.commit) {
    const verified = await verifyWork(bench, `${key}/verify`, request, true);
    if (verified.status !== 'passed') return endEscalated('checks-red', phase, verified.reason);
    standing.passed = passedOf(request, verified, { leftBehind: standing.passed?.leftBehind ?? [] });
  }
  const { passed } = standing;
  if (passed === undefined) throw new Error('work was merged that nobody verified');
  let changed: string | undefined;
  const merged = await integrate(bench, {
    checkMerged: async (at) => {
      changed = await findStateChange(bench, `${at}/record`, desk);
      return changed;
    },
    task: commitTask(task, text),
    tasks: [task],
    developed: passed,
    checks: context.checks,
    scope: context.input.scope,
    mergeRound: request.iteration,
    ...(round === 1 ? {} : { below: `${key}/reword#${round - 1}/` }),
  });
  if (merged.status === 'merged') {
    standing.merged = true;
    standing.commit = merged.receipt.after;
    return { status: 'merged' };
  }
  if (changed !== undefined) return endUnwritten({ status: 'conflict', detail: changed }, phase);
  if (merged.status === 'red' && merged.hook !== undefined) return { status: 'refused', hook: merged.hook };
  const why = describeUnmerged(merged);
  if (merged.status === 'empty') {
    desk.notes.push(nothingMerged);
    standing.merged = true;
    return { status: 'merged' };
  }
  if (merged.status === 'conflict')
    return endEscalated('merge-conflict', phase, why, 'Try it again on top of what was merged meanwhile.');
  return endEscalated(merged.status === 'red' ? 'checks-red' : 'merge-refused', phase, why);
}

/** Nobody's work is merged after a person gave its record another state. */
async function findStateChange(bench: Bench, key: string, desk: RecordDesk): Promise<string | undefined> {
  const read = await bench.perform('records.read', key, { ids: [desk.id] });
  const found = recordsOf(read, desk.kind).find((one) => one[desk.kind === 'bug' ? 'bugId' : 'taskId'] === desk.id);
  const [now, known] = [found?.['status'], desk.record['status']].map(String);
  // Finished is what this merge makes it: nobody stops the work by that.
  return now === known || isFinished(desk.kind, String(now))
    ? undefined
    : `status: on disk (${now}), in this run (${known}). Nothing was merged`;
}

/** The message of the commit is the summary of the commit phase. */
function commitTask(task: Task, { objective, key_changes: changes }: CommitText): Task {
  return {
    ...task,
    title: `${task.id}: ${objective}`.slice(0, 120),
    objective: changes.map((one) => `- ${one}`).join('\n'),
  };
}
