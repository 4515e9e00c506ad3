/**
 * How close the workflow `modules` itself comes to the lower bound: every effect answers at once but for workers, who
 * sleep. What is measured is what the workflow adds by its order of steps, with and without barriers.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../src/engine/bench.ts';
import type { EffectInput, EffectKind } from '../src/engine/effect-map.ts';
import { runSchedule } from '../src/engine/schedule.ts';
import { unrecordedHooks } from './schedule.ts';
import { criticalPath, expectedMinutes } from '../src/plan/graph.ts';
import type { Task } from '../src/plan/plan.ts';
import { modulesDefinition } from '../src/workflows/modules/definition.ts';
import { moduleRoles } from '../src/workflows/modules/roles.ts';
import { runnableWorkflow } from '../src/workflows/runnable-workflow.ts';
import type { Figure } from './ratio.ts';

const limit = 8;
const commit = 'a'.repeat(40);

export async function modulesFigures(quick: boolean, tasks: readonly Task[]): Promise<Figure[]> {
  const msPerMinute = quick ? 6 : 25;
  const work = tasks.reduce((total, task) => total + expectedMinutes(task), 0);
  const bound = Math.max(criticalPath(tasks, expectedMinutes).minutes, work / limit) * msPerMinute;
  const free = await makespan(tasks, msPerMinute, false);
  const barred = await makespan(tasks, msPerMinute, true);
  return [
    {
      name: `makespan of \`modules\` with ${tasks.length} modules, limit ${limit} / max(critical path, work/limit)`,
      value: free / bound,
      ...(quick ? {} : { aim: 1.05 }),
      detail: `bound ${(bound / 1000).toFixed(1)} s`,
    },
    { name: 'the same with barriers', value: barred / bound, detail: `${(barred / 1000).toFixed(1)} s` },
  ];
}

async function makespan(tasks: readonly Task[], msPerMinute: number, barriers: boolean): Promise<number> {
  const start = performance.now();
  const result = await (await runnableWorkflow(modulesDefinition)).run(benchFor(tasks, msPerMinute, barriers));
  if (result.status !== 'done') throw new Error(`the run of the benchmark must be done: ${result.reason}`);
  return performance.now() - start;
}

function benchFor(tasks: readonly Task[], msPerMinute: number, barriers: boolean): Bench {
  const minutes = new Map(tasks.map((task) => [task.id, expectedMinutes(task)]));
  let turn: Promise<unknown> = Promise.resolve();
  const input = {
    requirement: 'bench',
    slug: 'bench',
    agents: Object.fromEntries(Object.keys(moduleRoles).map((role) => [role, 'none'])),
    parallel: limit,
    options: { barriers },
  };
  const perform = async (kind: EffectKind, _key: string, asked: unknown): Promise<unknown> => {
    if (kind !== 'agent.run') return answers[kind];
    const { role, task } = asked as EffectInput<'agent.run'>;
    if (role === 'worker') await sleep((minutes.get(task ?? '') ?? 0) * msPerMinute);
    const reply = role === 'architect' ? { tasks } : replies[role];
    const usage = { inputTokens: 0, outputTokens: 0, costUsd: 0, turns: 0 };
    const outcome = { status: 'replied', reply, usage, durationMs: 0 };
    return { outcome, commit, changes: [], leftBehind: [], agentCommits: [], notes: [] };
  };
  return {
    run: {
      id: 'bench',
      title: '',
      workflowVersion: 2,
      base: 'b'.repeat(40),
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

const replies: Readonly<Record<string, unknown>> = {
  worker: { status: 'done', summary: '' },
  reviewer: { findings: [] },
  auditor: { findings: [] },
  learner: { lessons: [] },
};

const report = {
  status: 'passed',
  source: 'plan',
  commit,
  judge: commit,
  commands: [{ label: 'x', status: 'passed', reason: '', output: '' }],
  checkChanged: [],
};

const answers: Readonly<Partial<Record<EffectKind, unknown>>> = {
  'integration.read': { commit, judge: commit },
  'check.run': report,
  'evidence.measure': { redGreen: [], findings: [] },
  'merge.prepare': { status: 'ready', commit, before: commit, changes: [], judge: commit },
  'merge.land': { status: 'merged', receipt: { after: commit } },
  'branch.publish': { ref: 'refs/heads/forge/bench', after: commit },
  'memory.recall': { lessons: [], problems: [] },
  'memory.save': { added: 0, merged: 0, files: [] },
  'sources.read': { files: [], omitted: [] },
  'contracts.check': { results: [] },
  'transcript.summarise': { tool_counts: {}, edited_files: [], read_files: [], last_5_actions: [] },
  'diff.read': { text: '', cut: false },
  'forecast.make': { text: '', limits: '', soft: [] },
  'workspace.drop': { dropped: true, reason: '' },
};
