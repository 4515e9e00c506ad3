/**
 * A node of what a display shows, and how one effect becomes one: an agent's session with its attempts, a
 * check, evidence, a merge. Nothing here knows a workflow; texts are as they came and are made safe when drawn.
 */
import type { EffectOutput } from '../engine/effect-map.ts';
import type { Usage } from '../policy/usage.ts';
import { replyAttempts } from '../policy/reply.ts';
import { replyFault } from './agent-reading.ts';
import { attemptsOf, type Chronicle } from './chronicle.ts';
import { addKnownUsage, counted } from './figures.ts';
import { workedMs } from './timeline.ts';
import { checksText, replyText } from './wording.ts';

/** The sort of work: `run`, `task`, `agent`, `check`, `merge`, or what a step calls itself. */
export type NodeKind = string;
export type NodeStatus =
  | 'waiting'
  | 'running'
  | 'done'
  | 'failed'
  /** A person has to do something first. */
  | 'blocked'
  | 'skipped'
  | 'unverified'
  | 'interrupted';

export interface ViewNode {
  readonly id: string;
  readonly label: string;
  readonly kind: NodeKind;
  readonly status: NodeStatus;
  readonly detail: string;
  readonly startedAt?: string;
  readonly endedAt?: string;
  /** Time at work: pauses and crashes do not count. */
  readonly elapsedMs: number;
  readonly usage?: Usage;
  readonly children: readonly ViewNode[];
}

/** What nodes are made from: the facts so far, and the moment they are looked at. */
export interface Scene {
  readonly chronicle: Chronicle;
  readonly now: string;
  /** A process is at work on the run. */
  readonly isLive: boolean;
  /** What agents are doing, by effect key. */
  readonly activity: ReadonlyMap<string, string>;
}

type Named = Pick<ViewNode, 'id' | 'label' | 'kind'>;

/** A node over others: their time and spend add up. */
export function groupNode(named: Named & Pick<ViewNode, 'status' | 'detail'>, children: readonly ViewNode[]): ViewNode {
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

/** One piece of work asked of an agent. Its attempts are shown only where there was more than one. */
export function agentNode(scene: Scene, key: string, label: string): ViewNode {
  const keys = attemptsOf(scene.chronicle, key);
  const attempts = keys.map((one, index) => attemptNode(scene, one, index + 1));
  const last = attempts.at(-1);
  if (last === undefined) return { ...leaf(scene, key, { id: key, label, kind: 'agent' }), status: 'waiting' };
  const recovering = attempts.length > 1 && last.status === 'running';
  const prefix = recovering ? `recovery mode ${attempts.length}/${replyAttempts}` : '';
  const detail = [prefix, last.detail].filter((part) => part !== '').join(': ');
  const group = groupNode({ id: key, label, kind: 'agent', status: last.status, detail }, attempts);
  return attempts.length === 1 ? { ...group, children: [] } : group;
}

function attemptNode(scene: Scene, key: string, attempt: number): ViewNode {
  const reading = scene.chronicle.readings.get(key);
  const label = attempt === 1 ? 'attempt 1' : `recovery ${attempt}/${replyAttempts}`;
  const node = leaf(scene, key, { id: key, label, kind: 'agent' });
  if (reading === undefined) return { ...node, detail: node.status === 'running' ? doing(scene, key) : '' };
  const { usage } = reading;
  if (reading.status === 'accepted') {
    const { text, status } = replyText(reading);
    return { ...node, usage, detail: text, status };
  }
  if (reading.status === 'trouble') return { ...node, usage, detail: reading.why, status: 'failed' };
  // A tester without a verdict proves nothing in either direction.
  const status = reading.isLast && reading.role === 'tester' ? 'unverified' : 'failed';
  return { ...node, usage, detail: `${replyFault(reading)}: ${reading.why}`, status };
}

/** What an agent at work does now; one that may not begin yet says what for. */
function doing({ chronicle, activity }: Scene, key: string): string {
  return chronicle.remarks.get(key) ?? activity.get(key) ?? '';
}

const checkStatus = { passed: 'done', flaky: 'done', failed: 'failed', unverified: 'unverified' } as const;

export function checkNode(scene: Scene, key: string, label: string): ViewNode {
  const node = leaf(scene, key, { id: key, label, kind: 'check' });
  const report = outputOf(scene.chronicle, key, 'check.run');
  if (report === undefined) return node;
  return { ...node, status: checkStatus[report.status] ?? 'unverified', detail: checksText(report) };
}

export function evidenceNode(scene: Scene, key: string, label: string): ViewNode {
  const node = leaf(scene, key, { id: key, label, kind: 'check' });
  const measured = outputOf(scene.chronicle, key, 'evidence.measure');
  if (measured === undefined) return node;
  const red = measured.redGreen.filter((one) => one.result === 'red').length;
  const parts = [
    ...(measured.redGreen.length === 0 ? [] : [`red before green: ${red} of ${measured.redGreen.length}`]),
    ...(measured.findings.length === 0 ? [] : [counted(measured.findings.length, 'finding')]),
  ];
  return { ...node, detail: parts.join(', ') };
}

/** An effect without a word about what it came to. */
export function leaf({ chronicle, now, isLive }: Scene, key: string, named: Named): ViewNode {
  const effect = chronicle.state.effects.get(key);
  const timing = chronicle.timeline.effects.get(key);
  const elapsedMs = workedMs(timing, isLive ? now : chronicle.timeline.seen);
  const times = {
    ...(timing === undefined ? {} : { startedAt: timing.startedAt }),
    ...(timing?.endedAt === undefined ? {} : { endedAt: timing.endedAt }),
  };
  const status = statusOf(effect, isLive);
  return { ...named, status, detail: '', ...times, elapsedMs, children: [] };
}

function statusOf(effect: { result: unknown; open: unknown } | undefined, isLive: boolean): NodeStatus {
  if (effect === undefined) return 'waiting';
  if (effect.result !== undefined) return 'done';
  return isLive && effect.open !== undefined ? 'running' : 'interrupted';
}

type Read = 'check.run' | 'contracts.check' | 'evidence.measure' | 'memory.save' | 'merge.prepare' | 'merge.land';

/** The engine parsed every output before it became a fact. */
export function outputOf<K extends Read>({ state }: Chronicle, key: string, kind: K): EffectOutput<K> | undefined {
  const effect = state.effects.get(key);
  return effect?.kind === kind ? (effect.result?.output as EffectOutput<K> | undefined) : undefined;
}
