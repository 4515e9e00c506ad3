/**
 * How close the workflow `modules` itself comes to the lower bound: every effect answers at once but for workers, who
 * take their time. What is measured is what the workflow adds by its order of steps, with and without barriers, and what
 * is gained where checks run while a reviewer reads.
 */
import type { Bench } from '../src/engine/bench.ts';
import type { EffectInput, EffectKind, EffectOutput } from '../src/engine/effect-map.ts';
import { runSchedule } from '../src/engine/schedule.ts';
import { unrecordedHooks } from './schedule.ts';
import { criticalPath, expectedMinutes } from '../src/plan/graph.ts';
import type { Task } from '../src/plan/plan.ts';
import { modulesDefinition } from '../src/workflows/modules/definition.ts';
import { moduleRoles } from '../src/workflows/modules/roles.ts';
import { runnableWorkflow } from '../src/workflows/runnable-workflow.ts';
import type { Figure } from './ratio.ts';
import { VirtualTime } from './virtual-time.ts';

const limit = 8;
const commit = 'a'.repeat(40);

/** Minutes that each of these takes, besides the workers. */
interface Durations {
  readonly review: number;
  readonly check: number;
}

export async function modulesFigures(tasks: readonly Task[]): Promise<Figure[]> {
  const work = tasks.reduce((total, task) => total + expectedMinutes(task), 0);
  const bound = Math.max(criticalPath(tasks, expectedMinutes).minutes, work / limit);
  const free = await makespan(tasks, false, { review: 0, check: 0 });
  const barred = await makespan(tasks, true, { review: 0, check: 0 });
  // One module alone: what it takes from its first line to its merge.
  const alone = await makespan(
    tasks.slice(0, 1).map((task) => ({ ...task, depends: [] })),
    false,
    { review: 4, check: 4 },
  );
  const own = expectedMinutes(tasks[0] as Task);
  return [
    {
      name: `makespan of \`modules\` with ${tasks.length} modules, limit ${limit} / max(critical path, work/limit)`,
      value: free / bound,
      aim: 1.05,
      detail: `${free.toFixed(0)} minutes of agents, bound ${bound.toFixed(0)}`,
    },
    { name: 'the same with barriers', value: barred / bound, detail: `${barred.toFixed(0)} minutes` },
    {
      name: 'review and checks of a module / the longer of the two, both of the same length',
      value: (alone - own) / 4,
      aim: 1.05,
      detail: `${alone.toFixed(0)} minutes, of which the worker takes ${own.toFixed(0)}`,
    },
  ];
}

async function makespan(tasks: readonly Task[], barriers: boolean, durations: Durations): Promise<number> {
  const time = new VirtualTime();
  const workflow = await runnableWorkflow(modulesDefinition);
  return time.measure(async () => {
    const result = await workflow.run(benchFor(tasks, time, { barriers, durations }));
    if (result.status !== 'done') throw new Error(`the run of the benchmark must be done: ${result.reason}`);
  });
}

function benchFor(
  tasks: readonly Task[],
  time: VirtualTime,
  { barriers, durations }: { readonly barriers: boolean; readonly durations: Durations },
): Bench {
  const minutes = new Map(tasks.map((task) => [task.id, expectedMinutes(task)]));
  const checked = new Set<string>();
  let turn: Promise<unknown> = Promise.resolve();
  const input = {
    requirement: 'bench',
    slug: 'bench',
    agents: Object.fromEntries(Object.keys(moduleRoles).map((role) => [role, 'none'])),
    parallel: limit,
    options: { barriers },
  };
  const perform = async (kind: EffectKind, _key: string, asked: unknown): Promise<unknown> => {
    const { task } = asked as { readonly task?: string };
    // The same commit is checked once: what was found out is kept by its tree.
    if (kind === 'check.run' && task !== undefined && !checked.has(task)) {
      await time.sleep(durations.check);
      checked.add(task);
    }
    if (kind !== 'agent.run') return answers[kind];
    const { role } = asked as EffectInput<'agent.run'>;
    await time.sleep(role === 'worker' ? (minutes.get(task ?? '') ?? 0) : role === 'reviewer' ? durations.review : 0);
    return agentAnswer(role, tasks);
  };
  return {
    run: {
      id: 'bench',
      title: '',
      workflowVersion: modulesDefinition.version,
      base: commit,
      branch: undefined,
      root: '',
      input,
      settings: {},
    },
    perform: perform as Bench['perform'],
    step: (_key, _start, one) => one(),
    announce: async () => {},
    schedule: (some, options, one) => runSchedule(some, options, unrecordedHooks, one),
    exclusive: (_name, one) => {
      const mine = turn.then(one);
      turn = mine.catch(() => undefined);
      return mine;
    },
    ask: async () => ({ option: 'yes', by: 'bench' }),
    record: async () => {},
    signal: new AbortController().signal,
  };
}

/** What an agent of a role leaves that has nothing to do. */
export function agentAnswer(role: string, tasks: readonly Task[]): EffectOutput<'agent.run'> {
  const reply = role === 'architect' ? { tasks } : replies[role];
  const usage = { inputTokens: 0, outputTokens: 0, costUsd: 0, turns: 0 };
  const outcome = { status: 'replied', reply, usage, durationMs: 0 };
  const left = { outcome, commit, changes: [], leftBehind: [], agentCommits: [], notes: [] };
  return left as unknown as EffectOutput<'agent.run'>;
}

const replies: Readonly<Record<string, unknown>> = {
  worker: { status: 'done', summary: '' },
  reviewer: { findings: [] },
  auditor: { findings: [] },
  learner: { lessons: [] },
};

const report: EffectOutput<'check.run'> = {
  commit,
  tree: commit,
  judge: commit,
  source: 'plan',
  status: 'passed',
  commands: [
    {
      argv: ['x'],
      label: 'x',
      cwd: '.',
      exit: 0,
      status: 'passed',
      reason: '',
      durationMs: 1,
      newFailures: [],
      output: '',
      cached: false,
    },
  ],
  checkChanged: [],
};

/** What the effects of a run answer in which all goes well. */
export const answers: Readonly<{ [K in EffectKind]?: EffectOutput<K> }> = {
  'integration.read': { commit, judge: commit },
  'check.run': report,
  'evidence.measure': { redGreen: [], findings: [] },
  'merge.prepare': {
    status: 'ready',
    commit,
    before: commit,
    changes: [{ path: 'x', status: 'added' }],
    judge: commit,
  },
  'merge.land': {
    status: 'merged',
    receipt: {
      task: 'x',
      declared: [],
      changed: [],
      flags: [],
      leftBehind: [],
      before: commit,
      after: commit,
      source: commit,
      base: commit,
      checks: [],
    },
  },
  'branch.publish': { ref: 'refs/heads/forge/bench', before: undefined, after: commit },
  'memory.recall': { lessons: [], problems: [] },
  'memory.save': { added: 0, merged: 0, files: [] },
  'sources.read': { files: [], omitted: [] },
  'contracts.check': { results: [] },
  'transcript.summarise': { tool_counts: {}, edited_files: [], read_files: [], last_5_actions: [] },
  'diff.read': { text: '', cut: false },
  'forecast.make': { text: '', limits: '', soft: [] },
  'workspace.drop': { dropped: true, reason: '' },
};
