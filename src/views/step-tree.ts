/**
 * The nodes of any run, drawn from its steps, tasks and effects as they were recorded. It knows no workflow: titles,
 * details and figures are those of whoever made the step. What only keeps the books is not drawn; an effect is drawn by
 * itself only where no step speaks for it, or where a step took several sessions of an agent.
 */
import type { Place, StepEnd } from '../engine/facts.ts';
import { isOver, type StepRecord, type TaskRecord } from '../engine/run-state.ts';
import type { Usage } from '../policy/usage.ts';
import { addKnownUsage, shortCommit } from './figures.ts';
import { entriesAt, type OutlineEntry, taskTitle } from './outline.ts';
import { workedMs } from './timeline.ts';
import {
  agentNode,
  checkNode,
  evidenceNode,
  groupNode,
  leaf,
  type NodeStatus,
  type Scene,
  type ViewNode,
} from './view-node.ts';

export function stepNodes(scene: Scene): ViewNode[] {
  return childrenAt(scene, undefined);
}

/** What hangs below a place: what started, in order, with the tasks of a schedule together; then what is to come. */
function childrenAt(scene: Scene, place: Place | undefined): ViewNode[] {
  const { state, outline } = scene.chronicle;
  const entries = entriesAt(outline, state, place);
  const inSchedule = tasksAt(scene, place);
  const nodes: ViewNode[] = [];
  let drewTasks = false;
  for (const entry of entries) {
    if (entry.type !== 'task') nodes.push(...nodeOf(scene, entry, entries));
    else if (!inSchedule.includes(entry.key)) nodes.push(taskNode(scene, entry.key));
    else if (!drewTasks) {
      drewTasks = true;
      nodes.push(...inSchedule.map((key) => taskNode(scene, key)));
    }
  }
  if (!drewTasks) nodes.push(...inSchedule.map((key) => taskNode(scene, key)));
  return [...nodes, ...announcedAt(scene, place)];
}

function tasksAt({ chronicle: { state } }: Scene, place: Place | undefined): readonly string[] {
  return [...state.scheduled].filter(([, { within }]) => isSamePlace(within, place)).map(([key]) => key);
}

function isSamePlace(a: Place | undefined, b: Place | undefined): boolean {
  return a?.type === b?.type && a?.key === b?.key;
}

function announcedAt({ chronicle: { state } }: Scene, place: Place | undefined): ViewNode[] {
  const isKnown = (key: string): boolean => state.steps.has(key) || state.tasks.has(key) || state.scheduled.has(key);
  return [...state.announced.values()]
    .filter(({ key, within }) => isSamePlace(within, place) && !isKnown(key))
    .map(({ key, kind, title }) =>
      groupNode({ id: key, label: title, kind, status: isOver(state) ? 'skipped' : 'waiting', detail: '' }, []),
    );
}

function nodeOf(scene: Scene, entry: OutlineEntry, siblings: readonly OutlineEntry[]): readonly ViewNode[] {
  if (entry.type === 'step') return [stepNode(scene, entry.key)];
  return entry.type === 'effect' ? effectNodes(scene, entry.key, siblings) : [];
}

function stepNode(scene: Scene, key: string): ViewNode {
  const { state, timeline } = scene.chronicle;
  const step = state.steps.get(key) as StepRecord;
  const place: Place = { type: 'step', key };
  const inside = childrenAt(scene, place);
  const timing = timeline.steps.get(key);
  const usage = usageBelow(scene, place);
  const status = step.end === undefined ? openStatus(scene, place) : step.end.status;
  return {
    id: key,
    label: step.title,
    kind: step.kind,
    status,
    detail: step.end === undefined ? openDetail(scene, step, place, inside) : endDetail(step.end),
    startedAt: step.startedAt,
    ...(step.end === undefined ? {} : { endedAt: step.end.at }),
    elapsedMs: workedMs(timing, scene.isLive ? scene.now : timeline.seen),
    ...(usage === undefined ? {} : { usage }),
    children: inside.length === 1 && inside[0]?.kind === 'agent' && step.kind === 'agent' ? [] : inside,
  };
}

function endDetail({ status, detail }: StepEnd): string {
  return detail === '' && status !== 'done' ? status : detail;
}

function openStatus(scene: Scene, place: Place): NodeStatus {
  const { state } = scene.chronicle;
  if (isOver(state)) return 'failed';
  if (isAsking(scene, place)) return 'waiting';
  return scene.isLive ? 'running' : 'interrupted';
}

/** Nothing goes on below but a question that waits for a person. */
function isAsking(scene: Scene, place: Place): boolean {
  const { state, outline } = scene.chronicle;
  let asks = false;
  for (const { type, key } of entriesAt(outline, state, place)) {
    if (type === 'question' && state.questions.get(key)?.answer === undefined) asks = true;
    if (type === 'effect' && state.effects.get(key)?.open !== undefined) return false;
    if (type === 'step' && state.steps.get(key)?.end === undefined) {
      if (!isAsking(scene, { type, key })) return false;
      asks = true;
    }
    if (type === 'task' && state.tasks.get(key)?.outcome === undefined) return false;
  }
  return asks;
}

/** What goes on now: what an agent does, else the newest thing below it. */
function openDetail(scene: Scene, step: StepRecord, place: Place, inside: readonly ViewNode[]): string {
  const doing = activityBelow(scene, place);
  if (doing !== '') return doing;
  const busy = inside.findLast(({ status }) => status === 'running');
  return busy?.label ?? step.detail;
}

function activityBelow({ chronicle, activity }: Scene, place: Place): string {
  const { state, outline, remarks } = chronicle;
  const open = entriesAt(outline, state, place).findLast(
    ({ type, key }) => type === 'effect' && state.effects.get(key)?.open !== undefined,
  );
  return open === undefined ? '' : (remarks.get(open.key) ?? activity.get(open.key) ?? '');
}

function taskNode(scene: Scene, key: string): ViewNode {
  const { state } = scene.chronicle;
  const record = state.tasks.get(key);
  const named = { id: key, label: taskTitle(state, key), kind: 'task' };
  if (record === undefined) {
    const status = isOver(state) ? 'skipped' : 'waiting';
    return groupNode({ ...named, status, detail: status === 'waiting' ? waitsFor(scene, key) : '' }, []);
  }
  const place: Place = { type: 'task', key };
  const inside = childrenAt(scene, place);
  const { outcome } = record;
  if (outcome === undefined) {
    const busy = inside.findLast(({ status }) => status === 'running') ?? inside.at(-1);
    return groupNode({ ...named, status: openStatus(scene, place), detail: busy?.label ?? '' }, inside);
  }
  return groupNode({ ...named, status: outcome.status, detail: outcomeDetail(outcome) }, inside);
}

function outcomeDetail({ status, reason, detail, commit }: NonNullable<TaskRecord['outcome']>): string {
  if (status !== 'done') return reason;
  return detail ?? (commit === undefined ? '' : `commit ${shortCommit(commit)}`);
}

function waitsFor({ chronicle: { state } }: Scene, key: string): string {
  const open = (state.scheduled.get(key)?.depends ?? []).filter(
    (other) => state.scheduled.has(other) && state.tasks.get(other)?.outcome?.status !== 'done',
  );
  return open.length === 0 ? '' : `after ${open.map((other) => state.scheduled.get(other)?.task ?? other).join(', ')}`;
}

/** The kinds that are work of their own. */
const drawn: ReadonlySet<string> = new Set(['agent.run', 'check.run', 'evidence.measure', 'merge.land']);

function effectNodes(scene: Scene, key: string, siblings: readonly OutlineEntry[]): readonly ViewNode[] {
  const { effects, steps } = scene.chronicle.state;
  const kind = effects.get(key)?.kind ?? '';
  if (!drawn.has(kind)) return [];
  const within = effects.get(key)?.within;
  // A step speaks for its effects, unless an agent had to be asked more than once.
  const isSpokenFor = within?.type === 'step' && steps.has(within.key);
  const sessions = siblings.filter((one) => one.type === 'effect' && effects.get(one.key)?.kind === 'agent.run');
  if (isSpokenFor && (kind !== 'agent.run' || sessions.length < 2)) return [];
  const label = key.split('/').slice(1).join(' ') || key;
  if (kind === 'agent.run') return [agentNode(scene, key, label)];
  if (kind === 'check.run') return [checkNode(scene, key, label)];
  if (kind === 'evidence.measure') return [evidenceNode(scene, key, label)];
  return [leaf(scene, key, { id: key, label, kind: 'merge' })];
}

/** What agents used below a place, however deep. */
function usageBelow(scene: Scene, place: Place): Usage | undefined {
  const { state, outline, readings } = scene.chronicle;
  return entriesAt(outline, state, place)
    .map(({ type, key }) => {
      if (type === 'effect') return readings.get(key)?.usage;
      return type === 'question' ? undefined : usageBelow(scene, { type, key });
    })
    .reduce(addKnownUsage, undefined);
}
