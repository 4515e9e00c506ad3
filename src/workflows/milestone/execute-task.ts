/**
 * The unit `execute-task`: a security checklist where the plan asks for one, the work, the merge, and where too much is
 * missing the split into smaller tasks of the same schedule. Whatever happens, the outcome names the commit that holds
 * the work and what is left to do.
 */
import type { Bench, ScheduleLane } from '../../engine/bench.ts';
import type { TaskOutcome } from '../../engine/facts.ts';
import type { Task } from '../../plan/plan.ts';
import { countText, shortCommit } from '../../views/figures.ts';
import { taskText } from '../moves/brief-parts.ts';
import { describeUnmerged, integrate } from '../moves/integrate.ts';
import type { Checks } from '../moves/verify.ts';
import { askReader } from './ask-unit.ts';
import { briefFor, briefRules, droppedPart, memoryPart, milestoneParts } from './briefs.ts';
import { type BuiltTask, buildTask, type TaskSituation } from './build-task.ts';
import { decomposeTask } from './decompose-task.ts';
import { securityText, taskPlanText } from './documents/plan-texts.ts';
import { continueText, taskSummaryText } from './documents/result-texts.ts';
import { leaveDocument } from './leave-document.ts';
import type { MilestoneContext } from './milestone-context.ts';
import { owedBy, promisesOf, toTask } from './planned-task.ts';
import type { PlannedTask } from './role-results.ts';
import { securityWords } from './rules/security-words.ts';
import { readTaskData, type TaskData } from './task-data.ts';

export interface TaskRequest {
  readonly context: MilestoneContext;
  readonly slice: string;
  readonly planned: PlannedTask;
  readonly lane: ScheduleLane;
  /** Tasks of the slice, for who writes what. */
  readonly others: readonly Task[];
  /** What an earlier session wrote down before it stopped. */
  readonly continued: string;
  /** The checklist that an earlier session wrote; empty where there is none. */
  readonly security: string;
  /** Called with what this task is split into, before those tasks start. */
  readonly split: (parts: readonly PlannedTask[]) => void;
}

/** How often a merge that does not fit sends a task back. */
const mostMerges = 3;

export function executeTask(bench: Bench, request: TaskRequest): Promise<TaskOutcome> {
  const key = `${request.slice}/${request.planned.id}/unit`;
  const end = ({ status, reason, detail }: TaskOutcome) =>
    ({
      status: status === 'done' || status === 'skipped' ? 'done' : status,
      detail: reason === '' ? (detail ?? '') : reason,
    }) as const;
  return bench.step(key, { kind: 'unit', title: 'execute-task', end }, () => execute(bench, request));
}

async function execute(bench: Bench, request: TaskRequest): Promise<TaskOutcome> {
  const { context, slice, planned } = request;
  const task = toTask(slice, planned);
  const data = readTaskData({ truths: planned.mustHaves.truths });
  await leaveDocument(bench, `${task.id}/started`, {
    path: context.paths.task(slice, planned.id, 'PLAN.md'),
    content: taskPlanText(context.id, slice, planned, 'RUNNING'),
  });
  const security = await securityChecklist(bench, request);
  const checks: Checks = { ...context.checks, entries: [...context.checks.entries, ...planned.verify] };
  let start: TaskSituation =
    request.continued === '' ? { mode: 'first' } : { mode: 'continue', notes: request.continued, isHere: false };
  for (let mergeRound = 1; ; mergeRound += 1) {
    const name = mergeRound === 1 ? task.id : `${task.id}@${mergeRound}`;
    const workspace = name.replaceAll('/', '-');
    const { commit: base, judge } = await bench.perform('integration.read', `${name}/base`, { task: task.id });
    const brief = (situation: TaskSituation) => executorBrief(request, { task, situation, security, data });
    const built = await buildTask(bench, {
      context,
      task,
      planned,
      name,
      workspace,
      base,
      judge,
      checks,
      start,
      brief,
      data,
    });
    if (built.status !== 'passed' && built.status !== 'decompose')
      return stopped(bench, request, { task, built, data });
    const integrated = await integrate(bench, {
      task,
      tasks: request.others,
      developed: built.passed,
      checks,
      scope: context.input.scope,
      mergeRound,
    });
    await bench.perform('workspace.drop', `${name}/drop`, { workspace, captured: built.passed.commit });
    const isThere = integrated.status === 'merged' || (integrated.status === 'empty' && built.status === 'decompose');
    if (isThere) {
      data.commit = integrated.status === 'merged' ? integrated.receipt.after : base;
      return built.status === 'decompose'
        ? decomposeTask(bench, request, { task, data, unmet: built.unmet, reason: built.reason })
        : finished(bench, request, { task, data });
    }
    const isMendable = integrated.status === 'conflict' || integrated.status === 'red';
    if (!isMendable || mergeRound >= mostMerges) {
      const reason = describeUnmerged(integrated);
      return stopped(bench, request, { task, built: { status: 'failed', reason, commit: built.passed.commit }, data });
    }
    start = { mode: 'conflict', why: describeUnmerged(integrated) };
  }
}

/** Asked for once per task, where the words of its plan say so. */
async function securityChecklist(bench: Bench, { context, slice, planned, security }: TaskRequest): Promise<string> {
  if (security !== '') return security;
  const words = securityWords(taskPlanText(context.id, slice, planned, 'planned'));
  if (words.length === 0) return '';
  const key = `${slice}/${planned.id}/security`;
  const read = await askReader(bench, key, {
    input: context.input,
    role: 'security-scout',
    title: 'security checklist',
    brief: briefFor(context, {
      rules: briefRules.security,
      parts: [...milestoneParts(context), { title: 'The task', text: taskText(toTask(slice, planned)) }],
      task: `Write the checklist for ${planned.id}. Its plan mentions: ${words.join(', ')}.`,
    }),
  });
  if (read.status === 'missing') return '';
  await leaveDocument(bench, `${key}/document`, {
    path: context.paths.task(slice, planned.id, 'SECURITY.md'),
    content: securityText(planned.id, words, read.result),
  });
  return read.result.checklist.map((one) => `- ${one}`).join('\n');
}

async function finished(
  bench: Bench,
  request: TaskRequest,
  { task, data }: { task: Task; data: TaskData },
): Promise<TaskOutcome> {
  const { context, slice, planned } = request;
  const place = { milestone: context.id, slice, task: planned.id, title: planned.title };
  const { paths } = context;
  await leaveDocument(bench, `${task.id}/summary`, {
    path: paths.task(slice, planned.id, 'SUMMARY.md'),
    content: taskSummaryText(place, data),
    stamp: 'completed_at',
  });
  await leaveDocument(bench, `${task.id}/ended`, {
    path: paths.task(slice, planned.id, 'PLAN.md'),
    content: taskPlanText(context.id, slice, planned, 'DONE'),
  });
  const repairs = data.repairs.length === 0 ? '' : `, ${countText(data.repairs.length, 'repair')}`;
  return {
    task: planned.id,
    status: 'done',
    reason: '',
    detail: `merged ${shortCommit(data.commit)}${repairs}`,
    commit: data.commit,
    report: { notes: [...data.claims, ...data.pruned.map((one) => `dropped on purpose: ${one}`)] },
    data,
  };
}

async function stopped(
  bench: Bench,
  { context, slice, planned }: TaskRequest,
  about: { task: Task; built: Exclude<BuiltTask, { status: 'passed' | 'decompose' }>; data: TaskData },
): Promise<TaskOutcome> {
  const { task, built, data } = about;
  const place = { milestone: context.id, slice, task: planned.id, title: planned.title };
  if (built.status === 'partial') {
    await leaveDocument(bench, `${task.id}/continue`, {
      path: context.paths.slice(slice, 'continue.md'),
      content: continueText(place, data),
      stamp: 'saved_at',
    });
  }
  data.dropped = [...owedBy(context.input.options, planned, undefined)];
  const status = built.status === 'failed' ? 'failed' : 'blocked';
  return {
    task: planned.id,
    status,
    reason: built.reason,
    commit: built.commit,
    report: { notes: [...data.claims] },
    data,
  };
}

function executorBrief(
  { context, slice, planned }: TaskRequest,
  about: { task: Task; situation: TaskSituation; security: string; data: TaskData },
): (recovery?: string) => string {
  const { task, situation, security, data } = about;
  const known = context.memory.about(`${planned.title} ${planned.objective} ${planned.steps.join(' ')}`);
  data.told = known.map(({ text }) => text);
  const { truths, artifacts, links } = planned.mustHaves;
  const promises = [
    ...truths.map((one) => `- ${one}`),
    ...artifacts.map(
      ({ path, provides, minLines }) => `- \`${path}\`: ${provides} (at least ${minLines} lines, used by other code)`,
    ),
    ...links.map(({ from, to, via }) => `- \`${from}\` uses \`${to}\` (${via})`),
    ...promisesOf(planned).expected.map((path) => `- \`${path}\` exists`),
  ].join('\n');
  return briefFor(context, {
    rules: briefRules.execute,
    isWriter: true,
    parts: [
      ...milestoneParts(context),
      memoryPart(known),
      { title: `Task ${planned.id} of slice ${slice}`, text: taskText(task), budget: 24_000 },
      { title: 'Steps', text: planned.steps.map((step, at) => `${at + 1}. ${step}`).join('\n') },
      { title: 'Must-haves', text: promises },
      { title: 'Security checklist', text: security },
      droppedPart(context.memory.owedIn(slice)),
      { title: 'Where things stand', text: situationText(situation) },
    ],
    task: 'Do the task in this workspace.',
  });
}

function situationText(situation: TaskSituation): string {
  switch (situation.mode) {
    case 'first':
      return '';
    case 'continue':
      return `An earlier session did part of it. ${situation.isHere ? 'What it left is in the workspace.' : 'Look at what of it is in the workspace before you start.'}\n${situation.notes}`;
    case 'fix': {
      const failed = situation.report.commands.filter(({ status }) => status !== 'passed');
      return [
        'Forge ran the checks on what you left, and they are not green:',
        ...failed.map(({ label, reason, output }) => `${label}: ${reason}\n${output.slice(-4000)}`),
        ...situation.findings.map(({ path, line, claim }) => `${path}:${line} ${claim}`),
      ].join('\n');
    }
    case 'repair':
      return [
        'The checks pass, but the plan promised more:',
        ...situation.drift.map((one) => `- ${one}`),
        `Hint: ${situation.reason}.`,
      ].join('\n');
    case 'conflict':
      return `The work could not be merged (${situation.why}). You start from the newer state: do it again there.`;
  }
}
