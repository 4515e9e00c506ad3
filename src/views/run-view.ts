/**
 * A run as a tree for displays: drawn from the chronicle, which a live display advances fact by fact, over
 * the steps, tasks and effects of any workflow. `now` and what agents are doing come from outside.
 */
import type { RunStatus } from '../engine/run-state.ts';
import { quoteCommand } from '../plan/quote-command.ts';
import type { Chronicle, RunStanding } from './chronicle.ts';
import type { DrawnNodes } from './drawn-nodes.ts';
import { stepNodes } from './step-tree.ts';
import { workedMs } from './timeline.ts';
import type { NodeSource, NodeStatus, ViewNode } from './view-node.ts';

export interface RunView {
  readonly root: ViewNode;
  /** What a person is asked right now. */
  readonly questions: readonly { readonly key: string; readonly title: string }[];
  /** Where the whole run stands, as its workflow said last. */
  readonly standing: RunStanding | undefined;
  /** Commands that look into what failed while the rest goes on. */
  readonly hints: readonly string[];
}

export interface RunViewOptions {
  readonly now: Date;
  /** What agents are doing, by effect key. */
  readonly activity?: ReadonlyMap<string, string>;
  /** False: the journal says running, but no process holds it. */
  readonly isHeld?: boolean;
  /** What was drawn before. */
  readonly drawn?: DrawnNodes;
}

export function runView(chronicle: Chronicle, options: RunViewOptions): RunView {
  const { state, timeline } = chronicle;
  const isLive = state.status === 'running' && options.isHeld !== false;
  const now = options.now.toISOString();
  const { activity = new Map<string, string>(), drawn } = options;
  const scene: NodeSource = { chronicle, now, isLive, activity, ...(drawn === undefined ? {} : { drawn }) };
  const children = stepNodes(scene);
  const { usage } = state;
  const hasUsage = usage.inputTokens + usage.outputTokens + usage.costUsd > 0;
  const status = state.status === 'running' && !isLive ? 'interrupted' : statuses[state.status];
  const root: ViewNode = {
    id: state.created?.run ?? '',
    type: 'run',
    label: state.created?.title ?? 'a run',
    kind: 'run',
    status,
    detail: describe(chronicle, isLive),
    ...(timeline.run.startedAt === '' ? {} : { startedAt: timeline.run.startedAt }),
    ...(timeline.run.endedAt === undefined ? {} : { endedAt: timeline.run.endedAt }),
    elapsedMs: workedMs(timeline.run, isLive ? now : timeline.seen),
    ...(hasUsage ? { usage } : {}),
    children,
  };
  const { standing } = chronicle;
  return { root, questions: openQuestions(chronicle), standing, hints: isLive ? failedHints(chronicle) : [] };
}

function failedHints({ state }: Chronicle): readonly string[] {
  const failed = [...state.tasks.values()].filter(({ outcome }) => outcome?.status === 'failed');
  return failed.map(({ task }) => quoteCommand(['forge', 'logs', state.created?.run ?? '', task]));
}

export function openQuestions({ state }: Chronicle): RunView['questions'] {
  if (statuses[state.status] === 'done' || statuses[state.status] === 'failed') return [];
  return [...state.questions].flatMap(([key, { question, answer }]) =>
    answer === undefined ? [{ key, title: question.title }] : [],
  );
}

const statuses: Readonly<Record<RunStatus, NodeStatus>> = {
  created: 'waiting',
  running: 'running',
  waiting: 'waiting',
  paused: 'interrupted',
  limited: 'interrupted',
  stopped: 'interrupted',
  done: 'done',
  failed: 'failed',
  cancelled: 'failed',
};

function describe({ state }: Chronicle, isLive: boolean): string {
  if (state.status === 'running') return isLive ? '' : 'interrupted';
  const word = { limited: 'stopped by a limit', created: 'not started' }[state.status as string] ?? state.status;
  return state.reason === '' || state.status === 'done' ? word : `${word}: ${state.reason}`;
}
