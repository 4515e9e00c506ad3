/**
 * A node of what a display shows, and how one effect becomes one where no step speaks for it. Plain JSON: a node names
 * the step, task or effect it stands for, so that a display can lead to its log, its diff and the effects behind it.
 * Nothing here knows a workflow; texts are as they came and are made safe when drawn.
 */
import type { EffectOutput } from '../engine/effect-map.ts';
import type { Figures } from '../engine/facts.ts';
import type { EffectRecord } from '../engine/run-state.ts';
import type { Usage } from '../policy/usage.ts';
import { describeSession } from './agent-session.ts';
import type { Chronicle } from './chronicle.ts';
import type { DrawnNodes } from './drawn-nodes.ts';
import { addKnownUsage } from './figures.ts';
import { workedMs } from './timeline.ts';
import { checksText } from './wording.ts';

export const nodeStatuses = [
  'waiting',
  'running',
  'done',
  'failed',
  /** A person has to do something first. */
  'blocked',
  'skipped',
  'unverified',
  'interrupted',
] as const;
export type NodeStatus = (typeof nodeStatuses)[number];

export interface ViewNode {
  /** The key of what it stands for; the run's name for the run itself. */
  readonly id: string;
  readonly type: 'run' | 'step' | 'task' | 'effect';
  readonly label: string;
  /** The sort of work: `agent`, `check`, `merge`, or what a step calls itself. */
  readonly kind: string;
  readonly status: NodeStatus;
  readonly detail: string;
  readonly startedAt?: string;
  readonly endedAt?: string;
  /** Time at work: pauses and crashes do not count. */
  readonly elapsedMs: number;
  readonly usage?: Usage;
  readonly figures?: Figures;
  readonly lines?: readonly string[];
  /** Keys of the effects, questions or records behind it. */
  readonly links?: readonly string[];
  /** The commit that holds its work. */
  readonly commit?: string;
  readonly children: readonly ViewNode[];
}

/** What nodes are made from: the facts so far, and the moment they are looked at. */
export interface NodeSource {
  readonly chronicle: Chronicle;
  readonly now: string;
  /** A process is at work on the run. */
  readonly isLive: boolean;
  /** What agents are doing, by effect key. */
  readonly activity: ReadonlyMap<string, string>;
  /** What was drawn before, for those who draw again and again. */
  readonly drawn?: DrawnNodes;
}

type Named = Omit<ViewNode, 'startedAt' | 'endedAt' | 'elapsedMs' | 'usage' | 'children'>;

/** A node over others: their time and spend add up. */
export function groupNode(named: Named, children: readonly ViewNode[]): ViewNode {
  const starts = children.flatMap((child) => child.startedAt ?? []).sort();
  const ends = children.flatMap((child) => child.endedAt ?? []).sort();
  const usage = children.map((child) => child.usage).reduce(addKnownUsage, undefined);
  const isOpen = named.status === 'running' || named.status === 'waiting' || named.status === 'interrupted';
  const [start] = starts;
  const end = isOpen ? undefined : ends.at(-1);
  return {
    ...named,
    ...(start === undefined ? {} : { startedAt: start }),
    ...(end === undefined ? {} : { endedAt: end }),
    elapsedMs: children.reduce((sum, child) => sum + child.elapsedMs, 0),
    ...(usage === undefined ? {} : { usage }),
    children,
  };
}

/** The kinds of effects that are work of their own, and what displays call them. */
const drawnKinds: Readonly<Record<string, string>> = {
  'agent.run': 'agent',
  'check.run': 'check',
  'evidence.measure': 'check',
  'merge.land': 'merge',
};

/** Undefined for an effect that only keeps the books. */
export function effectNode(scene: NodeSource, key: string): ViewNode | undefined {
  const { chronicle, now, isLive } = scene;
  const effect = chronicle.state.effects.get(key);
  const kind = drawnKinds[effect?.kind ?? ''];
  if (effect === undefined || kind === undefined) return undefined;
  const timing = chronicle.timeline.effects.get(key);
  const session = chronicle.sessions.get(key);
  return {
    id: key,
    type: 'effect',
    label: effectLabel(key),
    kind,
    ...standingOf(scene, key, effect),
    ...(timing === undefined ? {} : { startedAt: timing.startedAt }),
    ...(timing?.endedAt === undefined ? {} : { endedAt: timing.endedAt }),
    elapsedMs: workedMs(timing, isLive ? now : chronicle.timeline.seen),
    ...(session === undefined ? {} : { usage: session.usage }),
    children: [],
  };
}

/** `review check` of `T1/review#1/check`, `review 2 check` of the next one. */
function effectLabel(key: string): string {
  const own = key.split('/').slice(1).join(' ') || key;
  return own.replaceAll(/#1(?!\d)/g, '').replaceAll('#', ' ');
}

const checkStatus = { passed: 'done', flaky: 'done', failed: 'failed', unverified: 'unverified' } as const;

function standingOf(
  { chronicle, activity, isLive }: NodeSource,
  key: string,
  effect: EffectRecord,
): Pick<ViewNode, 'status' | 'detail'> {
  const { kind, result, open } = effect;
  if (result === undefined) {
    const isRunning = isLive && open !== undefined;
    const doing = isRunning ? (chronicle.remarks.get(key) ?? activity.get(key) ?? '') : '';
    return { status: isRunning ? 'running' : 'interrupted', detail: doing };
  }
  const session = chronicle.sessions.get(key);
  if (session !== undefined) {
    return { status: session.outcome.status === 'replied' ? 'done' : 'failed', detail: describeSession(session) };
  }
  if (kind !== 'check.run') return { status: 'done', detail: '' };
  const report = result.output as EffectOutput<'check.run'>;
  return { status: checkStatus[report.status], detail: checksText(report) };
}
