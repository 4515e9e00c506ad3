/**
 * The nodes of any run, drawn from its steps, tasks and effects as they were recorded. It knows no workflow: titles,
 * details and figures are those of whoever made the step. What only keeps the books is not drawn, and an effect is drawn
 * by itself only where no step speaks for it. Linear in what is drawn.
 */
import type { Place, StepEnd } from '../engine/facts.ts';
import { isRunOver, type StepRecord, type TaskRecord } from '../engine/run-state.ts';
import type { Usage } from '../policy/usage.ts';
import { addKnownUsage, shortCommit } from './figures.ts';
import { entriesAt, type OutlineEntry, placeId, taskTitle } from './outline.ts';
import { workedMs } from './timeline.ts';
import { effectNode, groupNode, type NodeSource, type NodeStatus, type ViewNode } from './view-node.ts';

export function stepNodes(scene: NodeSource): ViewNode[] {
  return childrenAt(scene, undefined);
}

/** What hangs below a place: what started, in order, with the tasks of a schedule together; then what is to come. */
function childrenAt(scene: NodeSource, place: Place | undefined): ViewNode[] {
  const { state, outline } = scene.chronicle;
  const scheduled = outline.scheduled.get(placeId(place)) ?? [];
  const known = new Set(scheduled);
  const nodes: ViewNode[] = [];
  let drewTasks = false;
  for (const entry of entriesAt(outline, state, place)) {
    if (entry.type !== 'task') nodes.push(...nodeOf(scene, entry, place));
    else if (!known.has(entry.key)) nodes.push(taskNode(scene, entry.key));
    else if (!drewTasks) {
      drewTasks = true;
      nodes.push(...scheduled.map((key) => taskNode(scene, key)));
    }
  }
  if (!drewTasks) nodes.push(...scheduled.map((key) => taskNode(scene, key)));
  return [...nodes, ...announcedAt(scene, place)];
}

function announcedAt({ chronicle: { state, outline } }: NodeSource, place: Place | undefined): ViewNode[] {
  const isKnown = (key: string): boolean => state.steps.has(key) || state.tasks.has(key) || state.scheduled.has(key);
  return (outline.announced.get(placeId(place)) ?? []).flatMap((key): ViewNode[] => {
    const step = state.announced.get(key);
    if (step === undefined || isKnown(key)) return [];
    const { kind, title: label } = step;
    const status = isRunOver(state) ? 'skipped' : 'waiting';
    return [groupNode({ id: key, type: kind === 'task' ? 'task' : 'step', label, kind, status, detail: '' }, [])];
  });
}

function nodeOf(scene: NodeSource, entry: OutlineEntry, place: Place | undefined): readonly ViewNode[] {
  if (entry.type === 'step') return [stepNode(scene, entry.key)];
  if (entry.type !== 'effect' || place?.type === 'step') return [];
  return [effectNode(scene, entry.key) ?? []].flat();
}

function stepNode(scene: NodeSource, key: string): ViewNode {
  const place: Place = { type: 'step', key };
  const isOver = scene.chronicle.state.steps.get(key)?.end !== undefined;
  return settledNode(scene, place, isOver, () => drawStep(scene, place));
}

/** What is over is drawn once, until something below it is recorded. */
function settledNode(scene: NodeSource, place: Place, isOver: boolean, draw: () => ViewNode): ViewNode {
  if (!isOver || scene.drawn === undefined) return draw();
  const known = scene.drawn.get(place);
  if (known !== undefined) return known;
  const node = draw();
  scene.drawn.keep(place, node);
  return node;
}

function drawStep(scene: NodeSource, place: Place): ViewNode {
  const { key } = place;
  const { state, timeline } = scene.chronicle;
  const step = state.steps.get(key) as StepRecord;
  const inside = childrenAt(scene, place);
  const timing = timeline.steps.get(key);
  const usage = usageBelow(scene, place);
  const status = step.end === undefined ? openStatus(scene, place) : step.end.status;
  return {
    id: key,
    type: 'step',
    label: step.title,
    kind: step.kind,
    status,
    detail: step.end === undefined ? openDetail(scene, step, place, inside) : endDetail(step.end),
    startedAt: step.startedAt,
    ...(step.end === undefined ? {} : { endedAt: step.end.at }),
    elapsedMs: workedMs(timing, scene.isLive ? scene.now : timeline.seen),
    ...(usage === undefined ? {} : { usage }),
    ...(step.end === undefined ? {} : { figures: step.end.figures, lines: step.end.lines, links: step.end.links }),
    children: inside,
  };
}

function endDetail({ status, detail }: StepEnd): string {
  return detail === '' && status !== 'done' ? status : detail;
}

function openStatus(scene: NodeSource, place: Place): NodeStatus {
  const { state } = scene.chronicle;
  if (isRunOver(state)) return 'failed';
  if (isAsking(scene, place)) return 'waiting';
  return scene.isLive ? 'running' : 'interrupted';
}

/** Nothing goes on below but a question that waits for a person. */
function isAsking(scene: NodeSource, place: Place): boolean {
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
function openDetail(scene: NodeSource, step: StepRecord, place: Place, inside: readonly ViewNode[]): string {
  const doing = activityBelow(scene, place);
  if (doing !== '') return doing;
  const busy = inside.findLast(({ status }) => status === 'running');
  return busy?.label ?? step.detail;
}

function activityBelow({ chronicle, activity }: NodeSource, place: Place): string {
  const { state, outline, remarks } = chronicle;
  const open = entriesAt(outline, state, place).findLast(
    ({ type, key }) => type === 'effect' && state.effects.get(key)?.open !== undefined,
  );
  return open === undefined ? '' : (remarks.get(open.key) ?? activity.get(open.key) ?? '');
}

function taskNode(scene: NodeSource, key: string): ViewNode {
  const { state } = scene.chronicle;
  const record = state.tasks.get(key);
  const named = { id: key, type: 'task', label: taskTitle(state, key), kind: 'task' } as const;
  if (record === undefined) {
    const status = isRunOver(state) ? 'skipped' : 'waiting';
    return groupNode({ ...named, status, detail: status === 'waiting' ? waitsFor(scene, key) : '' }, []);
  }
  const place: Place = { type: 'task', key };
  return settledNode(scene, place, record.outcome !== undefined, () => drawTask(scene, place, named));
}

function drawTask(
  scene: NodeSource,
  place: Place,
  named: { readonly id: string; readonly type: 'task'; readonly label: string; readonly kind: string },
): ViewNode {
  const { outcome } = scene.chronicle.state.tasks.get(place.key) as TaskRecord;
  const inside = childrenAt(scene, place);
  if (outcome === undefined) {
    const busy = inside.findLast(({ status }) => status === 'running') ?? inside.at(-1);
    return groupNode({ ...named, status: openStatus(scene, place), detail: busy?.label ?? '' }, inside);
  }
  const { status, figures, report, commit } = outcome;
  const said = {
    ...(figures === undefined ? {} : { figures }),
    ...(report?.notes === undefined ? {} : { lines: report.notes }),
    ...(commit === undefined ? {} : { commit }),
  };
  return groupNode({ ...named, status, detail: outcomeDetail(outcome), ...said }, inside);
}

function outcomeDetail({ status, reason, detail, commit }: NonNullable<TaskRecord['outcome']>): string {
  if (status !== 'done') return reason;
  return detail ?? (commit === undefined ? '' : `commit ${shortCommit(commit)}`);
}

function waitsFor({ chronicle: { state } }: NodeSource, key: string): string {
  const open = (state.scheduled.get(key)?.depends ?? []).filter(
    (other) => state.scheduled.has(other) && state.tasks.get(other)?.outcome?.status !== 'done',
  );
  return open.length === 0 ? '' : `after ${open.map((other) => state.scheduled.get(other)?.task ?? other).join(', ')}`;
}

/** What agents used below a place, however deep. */
function usageBelow(scene: NodeSource, place: Place): Usage | undefined {
  const { state, outline, sessions } = scene.chronicle;
  return entriesAt(outline, state, place)
    .map(({ type, key }) => {
      if (type === 'effect') return sessions.get(key)?.usage;
      return type === 'question' ? undefined : usageBelow(scene, { type, key });
    })
    .reduce(addKnownUsage, undefined);
}
