/**
 * A task as this workflow works on it, from a plan that an agent gave or from a document that is there: what Forge's
 * scheduler and checks need, and what the plan promised. Pure.
 */
import { z } from 'zod';
import type { GsdTask } from '../../gsd/gsd-project.ts';
import { readGsdDocument, readList, sectionLines } from '../../gsd/gsd-text.ts';
import { readMustHaves } from '../../gsd/must-haves.ts';
import { planSchema, type Task, taskKinds, taskRisks, taskSchema, verifyEntrySchema } from '../../plan/plan.ts';
import { validatePlan } from '../../plan/validate-plan.ts';
import type { Inspection, Promises } from '../../policy/promises.ts';
import type { MilestoneInput } from './milestone-input.ts';
import { type PlannedTask, plannedTaskSchema } from './role-results.ts';
import { driftOf } from './rules/drift.ts';
import { isLargeTask } from './rules/repair.ts';

/** Milestone documents belong to Forge: agents read them and leave them alone. */
const forbidden = ['.gsd/**'];

/** The task for scheduler, checks and merges; its id names the slice too, so that it is unique in the run. */
export function toTask(slice: string, planned: PlannedTask): Task {
  const { id, title, objective, kind, depends, writes, verify, doneWhen, risk, tier, effort } = planned;
  return taskSchema.parse({
    id: `${slice}/${id}`,
    title,
    objective,
    kind,
    depends: depends.map((one) => `${slice}/${one}`),
    writes,
    verify,
    doneWhen,
    forbids: forbidden,
    ...(risk === undefined ? {} : { risk }),
    ...(tier === undefined ? {} : { tier }),
    ...(effort === undefined ? {} : { effort }),
  });
}

export function promisesOf({ mustHaves, expectedOutput }: PlannedTask): Promises {
  return { artifacts: mustHaves.artifacts, links: mustHaves.links, expected: expectedOutput };
}

/**
 * What a task owes at its end, in the words by which the next units of its slice are asked for it. Without an inspection
 * nothing of it was merged, so all of it is owed.
 */
export function owedBy(
  options: Pick<MilestoneInput['options'], 'reinject'>,
  { mustHaves: { truths, artifacts } }: PlannedTask,
  inspection: Inspection | undefined,
): readonly string[] {
  if (options.reinject === 'off') return [];
  if (inspection === undefined) return [...truths, ...artifacts.map(({ path }) => path)];
  return [...driftOf(inspection, { unmet: [] })];
}

export function isLarge({ isLarge: said, steps, mustHaves, objective }: PlannedTask): boolean {
  const lines = objective.split('\n').length;
  return isLargeTask({ isLarge: said, steps: steps.length, artifacts: mustHaves.artifacts.length, lines });
}

/** Tools number tasks in more ways than Forge asks its planners to. */
const documentedTaskSchema = plannedTaskSchema.extend({ id: z.string() });

/** No file is longer. */
const mostLines = 1_000_000;

/** What a document says. Its whole text is the objective, so that nothing of it is lost on whoever does the task. */
export function readPlannedTask({ id, title, depends, writes }: GsdTask, source: string): PlannedTask {
  const { front = {}, lines } = readGsdDocument(source);
  const read = readMustHaves(source);
  const promised = read.status === 'read' ? read.mustHaves : undefined;
  const word = (name: string): string | undefined => {
    const value = front[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const tag = word('tag')?.toLowerCase();
  const verify = Array.isArray(front['verify']) ? front['verify'] : (readList(front['verify']) ?? []);
  return documentedTaskSchema.parse({
    id,
    title: short(title === '' ? (word('title') ?? id) : title),
    objective: source.slice(0, 19_000),
    kind: taskKinds.find((one) => one === tag) ?? 'feature',
    depends: depends ?? [],
    writes: writes ?? [],
    verify: verify.filter((one) => verifyEntrySchema.safeParse(one).success).slice(0, 20),
    doneWhen: short(word('done_when') ?? ''),
    steps: (sectionLines(lines, 'Steps') ?? [])
      .flatMap(({ text }) => /^\d+[.)] (.+)$/.exec(text)?.[1] ?? [])
      .slice(0, 100)
      .map(short),
    mustHaves: {
      truths: (promised?.truths ?? []).map(short),
      artifacts: (promised?.artifacts ?? []).map(({ path, provides, minLines, stubPatterns }) => ({
        path: short(path),
        provides: short(provides),
        minLines: Math.min(mostLines, Math.max(0, Math.trunc(minLines) || 0)),
        ...(stubPatterns === undefined ? {} : { stubPatterns: stubPatterns.map(short) }),
      })),
      links: (promised?.keyLinks ?? []).map(({ from, to, via }) => ({
        from: short(from),
        to: short(to),
        via: short(via),
      })),
    },
    expectedOutput: (promised?.expectedOutput ?? []).map(short),
    symbols: (readList(front['symbols']) ?? []).map(short),
    ...(typeof front['large_task'] === 'boolean' ? { isLarge: front['large_task'] } : {}),
    ...optional(
      'risk',
      taskRisks.find((one) => one === word('risk')?.toLowerCase()),
    ),
    ...optional('tier', word('tier') ?? (word('complexity') === 'heavy' ? 'heavy' : undefined)),
    ...optional('effort', word('effort')),
  });
}

/** Commands that cannot be run and paths outside of the repository, with what to do about them. */
export function unusableParts(planned: PlannedTask): readonly string[] {
  const { id, verify } = planned;
  const task = { ...toTask('S', planned), id, depends: [] };
  // The project's own checks run on every task, so one without commands of its own is checked all the same.
  const checked = verify.length === 0 ? { ...task, kind: 'docs' as const } : task;
  const validation = validatePlan(planSchema.parse({ objective: id, tasks: [checked] }));
  if (validation.status === 'valid') return [];
  return validation.issues.map(({ where, problem, fix }) => `${where.replace(/^tasks\[0\]\./, '')}: ${problem} ${fix}`);
}

/** As long as one line of a plan may be. */
function short(text: string): string {
  return text.slice(0, 2000);
}

function optional(name: string, value: string | undefined): Readonly<Record<string, string>> {
  return value === undefined ? {} : { [name]: value.slice(0, 40) };
}

/** The same task as the schedule of its slice knows it: by its short id. */
export function scheduledTask(planned: PlannedTask): Task {
  const { id, title, kind, depends, writes } = planned;
  return taskSchema.parse({ id, title, kind, depends, writes });
}
