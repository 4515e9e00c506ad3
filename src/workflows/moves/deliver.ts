/**
 * A task from its first line to its receipt: developed, integrated, and developed again on a newer base
 * when the merge conflicts, within a bound. Whatever happens, the outcome names the commit that holds the
 * work, and a workspace goes only when its content is captured.
 */
import type { Bench } from '../../engine/bench.ts';
import type { TaskOutcome } from '../../engine/facts.ts';
import type { Task } from '../../plan/plan.ts';
import { type DevelopRequest, develop, type Situation, workspaceName } from './develop.ts';
import { describeUnmerged, integrate } from './integrate.ts';

export interface DeliverRequest<T> extends Omit<DevelopRequest<T>, 'mergeRound' | 'start'> {
  readonly tasks: readonly Task[];
  /** How often a merge conflict may send the task back. */
  readonly conflictRounds: number;
}

export async function deliver<T>(bench: Bench, request: DeliverRequest<T>): Promise<TaskOutcome> {
  const { task, tasks, checks, scope } = request;
  let start: Situation = { mode: 'first' };
  for (let mergeRound = 1; ; mergeRound += 1) {
    const developed = await develop(bench, { ...request, mergeRound, start });
    if (developed.status === 'failed') return failed(task, developed.reason, developed.commit);
    const integrated = await integrate(bench, { task, tasks, developed, checks, scope, mergeRound });
    const name = workspaceName(task.id, mergeRound);
    await bench.perform('workspace.drop', `${name}/drop`, { workspace: name, captured: developed.commit });
    if (integrated.status === 'merged') {
      return { task: task.id, status: 'done', reason: '', commit: integrated.receipt.after };
    }
    if (integrated.status !== 'conflict' || mergeRound > request.conflictRounds) {
      return failed(task, describeUnmerged(integrated), developed.commit);
    }
    start = { mode: 'conflict', files: integrated.files };
  }
}

function failed(task: Task, reason: string, commit: string): TaskOutcome {
  return { task: task.id, status: 'failed', reason, commit };
}
