/**
 * The rules of waves, as decisions over data: whether a grouping is sound, whether it is split too much, and which
 * wave a bug belongs to. A wave costs two agent sessions, a handoff and an integration, so few and full waves are
 * better.
 */
import { isPathCovered } from '../../plan/coverage.ts';
import { type Task, taskRisks } from '../../plan/plan.ts';
import type { Issue } from '../../plan/refusal.ts';
import { verifyOf } from '../../plan/verify-entries.ts';
import { tierNames } from '../../policy/agent-settings.ts';
import { effortNames } from '../../policy/effort.ts';
import type { Bug } from './role-results.ts';

export const mostWaves = 3;
const points: Readonly<Record<Task['complexity'], number>> = { S: 1, M: 2, L: 4 };

export interface WaveJudgement {
  readonly sum: number;
  readonly singleTaskWaves: number;
  /** `replan`: more waves than there may be, not worth a question. `ask`: a person decides whether to merge. */
  readonly action: 'proceed' | 'ask' | 'replan';
  readonly warnings: readonly string[];
}

export function judgeWaves(tasks: readonly Task[], waves: readonly (readonly string[])[]): WaveJudgement {
  const sum = complexitySum(tasks);
  const singleTaskWaves = waves.filter((wave) => wave.length === 1).length;
  const many = waves.length;
  const common = { sum, singleTaskWaves };
  if (many > mostWaves) return { ...common, action: 'replan', warnings: [`${many} waves are more than ${mostWaves}.`] };
  const reasons = [
    ...(singleTaskWaves > 0
      ? [singleTaskWaves === 1 ? '1 wave has only one task.' : `${singleTaskWaves} waves have only one task.`]
      : []),
    ...(many > tasks.length / 2 ? [`${many} waves for ${tasks.length} tasks.`] : []),
    ...(sum <= 15 ? [`The complexity adds up to ${sum}; up to 15 fits one wave.`] : []),
  ];
  const split = many > 1 && reasons.length > 0;
  const far = many >= 3 && sum <= 20 ? [`${many} waves for a complexity of ${sum} are probably too many.`] : [];
  return { ...common, action: split ? 'ask' : 'proceed', warnings: many > 1 ? [...reasons, ...far] : [] };
}

export function complexitySum(tasks: readonly Task[]): number {
  return tasks.reduce((sum, task) => sum + points[task.complexity], 0);
}

/** What is wrong with a grouping itself: every task once, and nothing before what it depends on. */
export function waveIssues(tasks: readonly Task[], waves: readonly (readonly string[])[]): Issue[] {
  const place = new Map<string, number>();
  const issues: Issue[] = [];
  for (const [index, wave] of waves.entries()) {
    for (const [at, id] of wave.entries()) {
      const where = `waves[${index}][${at}]`;
      if (!tasks.some((task) => task.id === id))
        issues.push({ where, problem: `There is no task "${id}".`, fix: 'Name a task of the plan.' });
      else if (place.has(id))
        issues.push({ where, problem: `"${id}" is in a wave already.`, fix: 'Put every task in exactly one wave.' });
      else place.set(id, index);
    }
  }
  for (const task of tasks) {
    const own = place.get(task.id);
    if (own === undefined) {
      issues.push({
        where: 'waves',
        problem: `"${task.id}" is in no wave.`,
        fix: 'Put every task in exactly one wave.',
      });
      continue;
    }
    for (const need of task.depends.filter((id) => (place.get(id) ?? -1) > own)) {
      issues.push({
        where: `waves[${own}]`,
        problem: `"${task.id}" depends on "${need}", which is in a later wave.`,
        fix: `Move "${need}" to the same wave or an earlier one.`,
      });
    }
  }
  return issues;
}

/** Waves as tasks, so that the scheduler can run them: one after the other, dependents skipped when one fails. */
export function waveTasks(tasks: readonly Task[], waves: readonly (readonly string[])[]): Task[] {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const waveOf = new Map(waves.flatMap((wave, index) => wave.map((id) => [id, index] as const)));
  return waves.map((wave, index): Task => {
    const members = wave.flatMap((id) => byId.get(id) ?? []);
    const needs = new Set(members.flatMap((task) => task.depends).map((id) => waveOf.get(id) ?? index));
    needs.delete(index);
    const kinds = new Set(members.map((task) => task.kind));
    return {
      id: `W${index + 1}`,
      title: members.map((task) => task.title).join('; '),
      objective: members.map((task) => `${task.id}: ${task.objective || task.title}`).join('\n'),
      kind: kinds.size === 1 ? (members[0]?.kind ?? 'feature') : 'feature',
      depends: [...needs].sort((a, b) => a - b).map((need) => `W${need + 1}`),
      writes: [...new Set(members.flatMap((task) => task.writes))],
      verify: verifyOf(members),
      doneWhen: members
        .map((task) => task.doneWhen)
        .filter((text) => text !== '')
        .join('; '),
      complexity: 'L',
      expectedMinutes: members.reduce((sum, task) => sum + (task.expectedMinutes ?? points[task.complexity] * 5), 0),
      acceptance: members.flatMap((task) => task.acceptance),
      forbids: [...new Set(members.flatMap((task) => task.forbids))],
      ...changesOf(members),
      ...highest('risk', members, taskRisks),
      ...highest('tier', members, tierNames),
      ...highest('effort', members, effortNames),
    };
  });
}

/** What any of them changes on purpose. */
function changesOf(tasks: readonly Task[]): Pick<Task, 'behaviourChanges'> {
  const all = tasks.flatMap((task) => task.behaviourChanges ?? []);
  return all.length === 0 ? {} : { behaviourChanges: all };
}

/** One session does them all: it gets what the most demanding of them needs. */
function highest<F extends 'risk' | 'tier' | 'effort', V extends string>(
  field: F,
  tasks: readonly Pick<Task, F>[],
  order: readonly V[],
): Partial<Record<F, V>> {
  const named = tasks.map((task) => order.indexOf(task[field] as V));
  const value = order[Math.max(-1, ...named)];
  return value === undefined ? {} : ({ [field]: value } as Partial<Record<F, V>>);
}

/**
 * Bugs by the id of the wave that fixes them, in the order of the waves given: its own, or for a bug across waves (or of
 * a wave that is not among them) the earliest whose files it touches, or the first.
 */
export function groupBugs(bugs: readonly Bug[], waves: readonly Task[]): ReadonlyMap<string, readonly Bug[]> {
  const wanted = bugs.map((bug) => ({ bug, wave: waveOfBug(bug, waves) }));
  const groups = waves.map(({ id }): [string, Bug[]] => [
    id,
    wanted.filter(({ wave }) => wave === id).map(({ bug }) => bug),
  ]);
  return new Map(groups.filter(([, group]) => group.length > 0));
}

function waveOfBug(bug: Bug, waves: readonly Task[]): string | undefined {
  const named = waves.find(({ id }) => id === `W${bug.wave}`);
  const touched = waves.find((wave) => bug.files.some((file) => isPathCovered(wave.writes, file)));
  return (named ?? touched ?? waves[0])?.id;
}
