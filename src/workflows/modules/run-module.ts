/**
 * One module from its first line to its receipt: built from where the integration head stands, merged, and built again
 * on a newer head when it no longer fits, within a bound. Whatever happens, the outcome names the commit that holds the
 * work and says what became of it.
 */
import type { Bench } from '../../engine/bench.ts';
import type { TaskOutcome } from '../../engine/facts.ts';
import type { Task } from '../../plan/plan.ts';
import type { Lesson } from '../../policy/lesson.ts';
import { shortCommit } from '../../views/figures.ts';
import { workspaceName } from '../moves/develop.ts';
import { describeUnmerged, integrate, type Unmerged } from '../moves/integrate.ts';
import type { Checks } from '../moves/verify.ts';
import type { WorkerSituation } from './briefs.ts';
import { type BuildOutcome, buildModule } from './build-module.ts';
import { checkContracts } from './check-contracts-step.ts';
import type { ModuleData } from './module-data.ts';
import type { ModulesInput } from './modules-input.ts';
import type { ContractModules } from './validate-module.ts';

export interface ModuleContext {
  readonly input: ModulesInput;
  readonly plan: readonly Task[];
  readonly checks: Checks;
  readonly lessons: readonly Lesson[];
  readonly lite: boolean;
  /** Before the ids in keys, where modules are scheduled with a key prefix. */
  readonly below?: string;
}

/** How often a merge that does not fit sends a module back. */
const mostMerges = 3;
const sourceChars = 80_000;
/** Files that may be named to a worker as the sources of what it needs; the nearest count. */
const mostPaths = 50;

export async function runModule(bench: Bench, task: Task, context: ModuleContext): Promise<TaskOutcome> {
  const { input, plan, below = '' } = context;
  const checks = { ...context.checks, entries: entriesOf(task, context) };
  const looked = input.contracts ? plan : [];
  const modules = looked.map(({ id, writes }): ContractModules[number] => ({ task: id, paths: writes }));
  const data: ModuleData = { attempts: 0, retries: 0, score: 0, notes: [], warnings: [] };
  let start: WorkerSituation = { mode: 'implement' };
  for (let mergeRound = 1; ; mergeRound += 1) {
    const own = workspaceName(task.id, mergeRound);
    const name = `${below}${own}`;
    const workspace = context.lite ? 'lite' : own;
    const { commit: base, judge } = await bench.perform('integration.read', `${name}/base`, { task: task.id });
    const sources = await bench.perform('sources.read', `${name}/sources`, {
      commit: base,
      paths: dependencyPaths(task, plan),
      chars: sourceChars,
    });
    const brief = { input, task, plan, sources, lessons: context.lessons };
    const built = await buildModule(bench, { name, workspace, brief, checks, modules, base, judge, start, data });
    if (built.status !== 'passed') {
      // The one workspace must not hand this module's work to the next; it is captured.
      if (context.lite) await bench.perform('workspace.drop', `${name}/drop`, { workspace, captured: built.commit });
      return ended(task, built, data);
    }
    const integrated = await integrate(bench, {
      task,
      tasks: plan,
      developed: built.passed,
      checks,
      scope: input.scope,
      mergeRound,
      below,
      keep: input.history === 'all',
      checkMerged: (key, commit) => contractsOf(bench, { key, commit, base, modules, task }),
    });
    if (integrated.status === 'merged') {
      await bench.perform('workspace.drop', `${name}/drop`, { workspace, captured: built.commit });
      const { after } = integrated.receipt;
      const detail = `score ${data.score.toFixed(2)}, merged ${shortCommit(after)}`;
      return { task: task.id, status: 'done', reason: '', detail, commit: after, ...reportOf(data) };
    }
    if (!isMendable(integrated) || mergeRound >= mostMerges) {
      if (context.lite) await bench.perform('workspace.drop', `${name}/drop`, { workspace, captured: built.commit });
      return ended(task, { status: 'failed', reason: describeUnmerged(integrated), commit: built.commit }, data);
    }
    data.notes.push(`merged again: ${describeUnmerged(integrated)}`);
    start = await situationOf(bench, name, { integrated, built, base });
    await bench.perform('workspace.drop', `${name}/drop`, { workspace, captured: built.commit });
  }
}

/** The module's own commands, and those that count for all. */
function entriesOf(task: Task, { checks }: ModuleContext): Checks['entries'] {
  const all = [...checks.entries, ...task.verify];
  return [...new Map(all.map((entry) => [JSON.stringify(entry), entry])).values()];
}

/** Files of what it needs: direct dependencies first, then what those need, then its own as they are now. */
function dependencyPaths(task: Task, plan: readonly Task[]): string[] {
  const placeOf = new Map(plan.map((other, place) => [other.id, place]));
  const found = new Set<number>();
  let next = task.depends;
  while (next.length > 0) {
    const places = [...new Set(next)].flatMap((id) => placeOf.get(id) ?? []).filter((place) => !found.has(place));
    const level = places.sort((a, b) => a - b);
    for (const place of level) found.add(place);
    next = level.flatMap((place) => plan[place]?.depends ?? []);
  }
  const own = task.writes.slice(0, mostPaths);
  const needed = [...found].flatMap((place) => plan[place]?.writes ?? []).slice(0, mostPaths - own.length);
  return [...needed, ...own];
}

async function contractsOf(
  bench: Bench,
  about: { key: string; commit: string; base: string; modules: ContractModules; task: Task },
): Promise<string | undefined> {
  const { key, commit, base, modules, task } = about;
  const results = await checkContracts(bench, `${key}/contracts`, { commit, base, modules, about: task.id });
  const failed = results.filter((result) => !result.passed);
  if (failed.length === 0) return undefined;
  return `modules do not fit together: ${failed.map(({ file, message }) => `${file}: ${message}`).join('; ')}`;
}

function isMendable({ status }: Unmerged): boolean {
  return status === 'conflict' || status === 'red';
}

async function situationOf(
  bench: Bench,
  name: string,
  about: { integrated: Unmerged; built: Extract<BuildOutcome, { status: 'passed' }>; base: string },
): Promise<WorkerSituation> {
  const { integrated, built, base } = about;
  const diff = await bench.perform('diff.read', `${name}/diff`, { from: base, to: built.commit, chars: 60_000 });
  return { mode: 'conflict', why: describeUnmerged(integrated), diff: diff.text };
}

function ended(
  task: Task,
  end: { readonly status: 'failed' | 'blocked'; readonly reason: string; readonly commit: string },
  data: ModuleData,
): TaskOutcome {
  return { task: task.id, ...end, ...reportOf(data) };
}

function reportOf(data: ModuleData): Pick<TaskOutcome, 'figures' | 'report' | 'data'> {
  const { attempts, retries, score, notes } = data;
  const figures = attempts === 0 ? {} : { attempts, retries, score: Number(score.toFixed(2)) };
  return { figures, report: { notes: [...notes] }, data: { ...data } };
}
