/**
 * A module from its first line to its merge, through everything that can come between: a plan that is revised, an agent that
 * breaks down, a merge that conflicts, a person who leaves it out. Each go starts from the integration head as it is then.
 */
import type { Bench, ScheduleLane } from '../../../engine/bench.ts';
import type { StepEndInput, TaskOutcome } from '../../../engine/facts.ts';
import { dependencyClosure } from '../../../plan/graph.ts';
import { type Task, taskSchema } from '../../../plan/plan.ts';
import { shortCommit } from '../../../views/figures.ts';
import { workspaceName } from '../../moves/develop.ts';
import { describeUnmerged, integrate } from '../../moves/integrate.ts';
import type { DeveloperSituation } from '../briefs/module-briefs.ts';
import { draftOf } from '../briefs/shared-sections.ts';
import { type BuiltModule, type DesignContext, moduleId, moduleOf } from '../context.ts';
import { readStanding } from '../keep-delivery.ts';
import type { DeliveryStanding } from '../plan/delivery-state.ts';
import type { ModulePlan } from '../../../delivery/module-plan.ts';
import { coverageText } from '../rules/coverage.ts';
import { afterBreakdown } from './ask-after-breakdown.ts';
import { buildModule } from './build-module.ts';
import { measureCoverage } from './measure-coverage.ts';
import type { ModuleBuilt } from './module-round.ts';
import { testerFiles } from '../plan/module-plan.ts';
import { moduleWrites } from './plan-modules.ts';
import { recordDecided, recordMerged } from './record-module.ts';
import { revisePlan } from './revise-plan.ts';

const mostGoes = 12;
const mostConflicts = 3;
const sourceChars = 80_000;

export interface ModuleWork {
  readonly context: DesignContext;
  readonly task: Task;
  readonly lane: ScheduleLane;
}

export async function runModule(bench: Bench, { context: planned, task, lane }: ModuleWork): Promise<TaskOutcome> {
  const notes: string[] = [];
  let start: DeveloperSituation | undefined;
  let conflicts = 0;
  for (let go = 1; go <= mostGoes; go += 1) {
    const name = workspaceName(task.id, go);
    const { commit: base, judge } = await bench.perform('integration.read', `${name}/base`, { task: task.id });
    const known = await readStanding(bench, `${name}/known`, planned);
    const context = { ...planned, ...known };
    const module = moduleOf(context, task.id);
    const plan = known.plans.get(module.id);
    if (plan === undefined) return failed(task, 'it has no plan', base);
    const missing = skippedNeeds(context, known.standing.modules, module);
    if (missing !== undefined)
      return skipped(bench, { context, task, reason: `it needs ${missing}, which was left out`, commit: base });
    const own = taskFor(context, task, module, plan);
    const sources = await bench.perform('sources.read', `${name}/sources`, {
      commit: base,
      paths: [...neededPaths(context, module)],
      chars: sourceChars,
    });
    const isThere = context.evolving.has(module.id) || task.id !== module.id;
    const first: DeveloperSituation = isThere
      ? { mode: 'evolve', delivery: context.input.plan.delivery }
      : { mode: 'initial' };
    const built = await buildModule(bench, {
      name,
      task: own,
      subject: { context, module, plan, sources },
      base,
      judge,
      start: start ?? first,
      notes,
    });
    start = undefined;
    const next = await settle(bench, { context, task: own, module, lane, name, go, built, notes });
    if (next.status === 'over') return next.outcome;
    if (next.status === 'conflict') {
      conflicts += 1;
      const said =
        conflicts > mostConflicts ? await askAboutConflict(bench, { context, name, module, why: next.why }) : '';
      if (said === 'skip') return skipped(bench, { context, task, reason: next.why, commit: base });
      if (said === 'abort') return failed(task, next.why, base);
      if (said !== '') conflicts = 0;
      start = { mode: 'conflict', why: [next.why, said].filter((part) => part !== '').join('\n'), diff: next.diff };
    }
  }
  return failed(task, `it was begun ${mostGoes} times without an end`, bench.run.base);
}

/** Agents could not bring it into the code as it is now: a person says how, leaves it out, or stops. */
async function askAboutConflict(
  bench: Bench,
  about: { readonly context: DesignContext; readonly name: string; readonly module: BuiltModule; readonly why: string },
): Promise<string> {
  const { context, name, module, why } = about;
  const answer = await bench.ask(`${name}/conflict`, {
    title: `${module.id} ${module.name} does not fit what others merged meanwhile. What should happen next?`,
    detail: why,
    options: [
      { id: 'again', label: 'Try again (say how)' },
      { id: 'skip', label: `Leave ${module.id} out` },
      { id: 'abort', label: 'Stop the run', recommended: true },
    ],
    freeText: true,
    topic: 'decision',
  });
  const choice = answer.option ?? 'again';
  const text = answer.text ?? '';
  await recordDecided(bench, context, {
    key: `${name}/conflict`,
    id: module.id,
    choice: text === '' ? choice : text,
    outcome: choice === 'again' ? 'The developer tries again.' : 'The module is given up.',
  });
  return choice === 'skip' || choice === 'abort' ? choice : text || 'A person wants it tried again.';
}

/** The task as its plan says: what it may change, and what it is about. */
export function taskFor(
  context: DesignContext,
  task: Pick<Task, 'id' | 'depends'>,
  module: BuiltModule,
  plan: ModulePlan,
): Task {
  const subject = context.evolving.has(module.id) ? `evolve to delivery-${context.input.plan.delivery}` : 'implement';
  return taskSchema.parse({
    id: task.id,
    title: `feat(${module.id}): ${subject} ${module.name}`,
    objective: plan.steps.map(({ title }) => `- ${title}`).join('\n'),
    depends: task.depends,
    writes: [...moduleWrites(context.conventions, module.id, plan)],
    complexity: plan.steps.length > 8 ? 'L' : plan.steps.length > 3 ? 'M' : 'S',
    ...(context.evolving.has(module.id) || task.id !== module.id
      ? {
          behaviourChanges: [
            {
              what: `The plan of ${module.id} was revised: ${plan.steps.map(({ title }) => title).join('; ')}`.slice(
                0,
                900,
              ),
            },
          ],
        }
      : {}),
  });
}

function skippedNeeds(
  context: Pick<DesignContext, 'modules'>,
  rows: ReadonlyMap<string, { readonly dev?: string | undefined }>,
  { id }: BuiltModule,
): string | undefined {
  return dependencyClosure(context.modules, id).find((other) => rows.get(other)?.dev === 'Skipped');
}

/** Code of what it needs, its own, and the draft that it keeps. */
function neededPaths({ modules, plans }: DesignContext, module: BuiltModule): readonly string[] {
  const needed = dependencyClosure(modules, module.id).toReversed();
  const draft = draftOf(module);
  const own = [...needed, module.id].flatMap((other) => plans.get(other)?.files ?? []);
  return [...own, ...(draft === undefined ? [] : [draft, `${draft}/**`])];
}

type Settled =
  | { readonly status: 'over'; readonly outcome: TaskOutcome }
  | { readonly status: 'again' }
  | { readonly status: 'conflict'; readonly why: string; readonly diff: string };

interface Settling extends ModuleWork {
  readonly module: BuiltModule;
  readonly name: string;
  readonly go: number;
  readonly built: ModuleBuilt;
  readonly notes: readonly string[];
}

async function settle(bench: Bench, about: Settling): Promise<Settled> {
  const { context, task, name, built } = about;
  switch (built.kind) {
    case 'passed':
      return mergeModule(bench, about, built);
    case 'revision': {
      await bench.perform('workspace.drop', `${name}/drop`, { workspace: name, captured: built.commit });
      const revised = await revisePlan(bench, { ...about, issue: built.issue, commit: built.commit });
      return revised.status === 'revised' ? { status: 'again' } : { status: 'over', outcome: revised.outcome };
    }
    case 'broken': {
      const answer = await afterBreakdown(bench, {
        context,
        key: `${name}/broken`,
        id: moduleId(task.id),
        reason: built.reason,
      });
      if (answer === 'retry') return { status: 'again' };
      if (answer === 'skip')
        return {
          status: 'over',
          outcome: await skipped(bench, { context, task, reason: built.reason, commit: built.commit }),
        };
      return { status: 'over', outcome: failed(task, built.reason, built.commit) };
    }
    case 'skipped':
      return { status: 'over', outcome: leftOut(task, built.reason, built.commit, built.retries) };
    case 'failed':
      return { status: 'over', outcome: failed(task, built.reason, built.commit) };
  }
}

async function mergeModule(
  bench: Bench,
  about: Settling,
  built: Extract<ModuleBuilt, { kind: 'passed' }>,
): Promise<Settled> {
  const { context, task, module, name, go } = about;
  const { passed, message } = built;
  const { commands } = context.conventions;
  const footer = [message.footer, commands.commitFooter].filter((part) => part !== '').join('\n');
  const named = {
    ...task,
    title: `${task.title.split(': ', 1)[0]}: ${subjectOf(task, module, message.description)}`,
    objective: [task.objective, footer].filter((part) => part !== '').join('\n\n'),
  };
  const isThere = context.evolving.has(module.id) || task.id !== module.id;
  const integrated = await integrate(bench, {
    task: named,
    tasks: [named],
    developed: passed,
    checks: context.checks,
    scope: context.input.scope,
    mergeRound: go,
    apart: {
      title: `test(${module.id}): ${isThere ? 'update' : 'add'} integration tests for ${module.name}`,
      body: footer,
      paths: testerFiles(commands, module.id),
    },
  });
  if (integrated.status !== 'merged') {
    const why = describeUnmerged(integrated);
    if (integrated.status === 'empty')
      return { status: 'over', outcome: await merged(bench, about, { ...built, commits: [passed.base] }) };
    if (integrated.status === 'refused') return { status: 'over', outcome: failed(task, why, passed.commit) };
    const { text } = await bench.perform('diff.read', `${name}/diff`, {
      from: passed.base,
      to: passed.commit,
      chars: 60_000,
    });
    await bench.perform('workspace.drop', `${name}/drop`, { workspace: name, captured: passed.commit });
    return { status: 'conflict', why, diff: text };
  }
  await bench.perform('workspace.drop', `${name}/drop`, { workspace: name, captured: passed.commit });
  return {
    status: 'over',
    outcome: await merged(bench, about, { ...built, commits: integrated.commits }),
  };
}

/** `implement Storage`, and for a change what it is about. */
function subjectOf(task: Task, module: BuiltModule, description: string): string {
  const [first = ''] = description.split('\n', 1);
  const about = first.trim().replace(/\.$/, '').slice(0, 60);
  const plain = task.title.slice(task.title.indexOf(': ') + 2);
  if (about === '') return plain;
  if (plain.startsWith('evolve')) return `${plain.replace(` ${module.name}`, '')} — ${about}`;
  return task.id === module.id ? plain : about;
}

async function merged(
  bench: Bench,
  { context, task, name, notes }: Settling,
  built: Extract<ModuleBuilt, { kind: 'passed' }> & { readonly commits: readonly string[] },
): Promise<TaskOutcome> {
  const { commits, retries, passed } = built;
  const commit = commits.at(-1) ?? passed.base;
  const counts = passed.report.commands.flatMap((command) => command.counts ?? []);
  const green = counts.reduce((sum, each) => sum + each.passed, 0);
  // Its own step, so that everybody sees at once how many criteria are proven now, and which lost their proof.
  const start = { kind: 'check', title: 'criteria', end: describeCoverage };
  const standing = await bench.step(`${name}/proof`, start, async () => {
    const measured = await measureCoverage(bench, name, { context, task, commit, judge: passed.report.judge });
    return recordMerged(bench, context, {
      key: name,
      id: moduleId(task.id),
      commits,
      retries,
      tests: `${green} tests pass`,
      notes,
      built: built.standing,
      coverage: measured.advance,
    });
  });
  const { covered, total, weakened } = standing.coverage;
  const lost = Object.entries(weakened).map(([criterion, why]) => `${criterion} lost its proof: ${why}`);
  return {
    task: task.id,
    status: 'done',
    reason: '',
    detail: `merged ${shortCommit(commit)}${total === 0 ? '' : `, ${covered.length} of ${total} criteria proven`}`,
    commit,
    figures: { retries, criteria: `${covered.length}/${total}` },
    report: { notes: [...notes, ...lost] },
    data: { kind: 'merged', retries, commit },
  };
}

function describeCoverage({ coverage }: DeliveryStanding): StepEndInput {
  const lost = Object.entries(coverage.weakened);
  return {
    status: lost.length === 0 ? 'done' : 'failed',
    detail: coverageText(coverage),
    lines: lost.map(([criterion, why]) => `- ${criterion} lost its proof: ${why}`),
  };
}

async function skipped(
  bench: Bench,
  {
    context,
    task,
    reason,
    commit,
  }: { readonly context: DesignContext; readonly task: Task; readonly reason: string; readonly commit: string },
): Promise<TaskOutcome> {
  const id = moduleId(task.id);
  await recordDecided(bench, context, {
    key: `${task.id}/left-out`,
    id,
    choice: reason,
    outcome: 'The module is skipped.',
    row: { dev: 'Skipped', notes: reason.slice(0, 160) },
  });
  return leftOut(task, reason, commit, 0);
}

/** Left out on purpose: what needs it is left out too, everything else goes on. */
function leftOut({ id }: Pick<Task, 'id'>, reason: string, commit: string, retries: number): TaskOutcome {
  return {
    task: id,
    status: 'done',
    reason: '',
    detail: `left out: ${reason}`,
    commit,
    figures: { retries },
    data: { kind: 'skipped', reason },
  };
}

function failed({ id }: Pick<Task, 'id'>, reason: string, commit: string): TaskOutcome {
  return { task: id, status: 'failed', reason, commit, data: { kind: 'failed' } };
}
