/**
 * The nodes of any run, made from its keys alone: `T1/develop#1` is a step of T1. Tasks of an accepted plan
 * are there before they start; what only keeps the books (reading the head, dropping a workspace) is left out.
 */
import { type EffectRecord, isOver } from '../engine/run-state.ts';
import { shortCommit } from './figures.ts';
import {
  agentNode,
  checkNode,
  evidenceNode,
  groupNode,
  leaf,
  mergeNode,
  type NodeKind,
  type NodeStatus,
  type Scene,
  type ViewNode,
} from './view-node.ts';

const bookkeeping = new Set(['integration.read', 'workspace.drop']);

export function keyNodes(scene: Scene): ViewNode[] {
  const { state } = scene.chronicle;
  const titles = new Map(state.plan?.tasks.map((task) => [task.id, task.title]));
  const groups = new Map<string, ViewNode[]>();
  const addTasks = (): void => {
    for (const id of [...titles.keys(), ...state.tasks.keys()]) if (!groups.has(id)) groups.set(id, []);
  };
  for (const [key, effect] of state.effects) {
    if (bookkeeping.has(effect.kind)) continue;
    const id = taskOf(key.split('/', 1)[0] ?? key);
    // All tasks stand where the first of them began, in the plan's order.
    if (titles.has(id) || state.tasks.has(id)) addTasks();
    const group = groups.get(id) ?? [];
    groups.set(id, group);
    const step = stepNode(scene, key, effect);
    if (step !== undefined) group.push(step);
  }
  addTasks();
  return [...groups].map(([id, steps]) => {
    const isTask = state.tasks.has(id) || titles.has(id);
    const [only] = steps;
    return !isTask && steps.length === 1 && only !== undefined
      ? only
      : topNode(scene, { id, title: titles.get(id) }, steps);
  });
}

/** A task done again after a conflict, `T1@2`, is still that task. */
function taskOf(first: string): string {
  return first.replace(/@\d+$/, '');
}

function topNode(
  scene: Scene,
  { id, title }: { id: string; title: string | undefined },
  steps: readonly ViewNode[],
): ViewNode {
  const { state } = scene.chronicle;
  const record = state.tasks.get(id);
  const outcome = record?.outcome;
  const label = title === undefined ? id : `${id} ${title}`;
  const kind: NodeKind = record !== undefined || title !== undefined ? 'task' : 'round';
  if (outcome === undefined) {
    const status = openStatus(scene, steps, record !== undefined);
    const detail = status === 'running' ? (steps.at(-1)?.label ?? '') : '';
    return groupNode({ id, label, kind, status, detail }, steps);
  }
  const merged = outcome.commit === undefined ? '' : `commit ${shortCommit(outcome.commit)}`;
  const detail = outcome.status === 'done' ? merged : outcome.reason;
  const status = outcome.status === 'blocked' ? 'skipped' : outcome.status;
  return groupNode({ id, label, kind, status, detail }, steps);
}

function openStatus({ chronicle, isLive }: Scene, steps: readonly ViewNode[], isStarted: boolean): NodeStatus {
  const last = steps.at(-1);
  if (last === undefined && !isStarted) return isOver(chronicle.state) ? 'skipped' : 'waiting';
  if (last !== undefined && isOver(chronicle.state)) return last.status;
  if (!isStarted && last !== undefined && last.status !== 'running') return last.status;
  return isLive ? 'running' : 'interrupted';
}

/** Undefined for what is drawn with another: later attempts, parts of a merge. */
function stepNode(scene: Scene, key: string, { kind }: EffectRecord): ViewNode | undefined {
  const label = labelOf(key);
  switch (kind) {
    case 'agent.run':
      return key.includes('/recovery#') ? undefined : agentNode(scene, key, label);
    case 'check.run':
      return /\/integrate#\d+\/check$/.test(key) ? undefined : checkNode(scene, key, label);
    case 'evidence.measure':
      return evidenceNode(scene, key, label);
    case 'merge.prepare':
      return mergeNode(scene, key.replace(/\/prepare$/, ''), labelOf(key.replace(/\/prepare$/, '')));
    case 'merge.land':
      return key.endsWith('/land') ? undefined : leaf(scene, key, { id: key, label, kind: 'merge' });
    default:
      return leaf(scene, key, { id: key, label, kind: kind.startsWith('memory.') ? 'learn' : 'merge' });
  }
}

/** Without the task, which stands above; a later generation says so. */
function labelOf(key: string): string {
  const [first = key, ...rest] = key.split('/');
  if (rest.length === 0) return key;
  const generation = /@(\d+)$/.exec(first)?.[1];
  return `${rest.join(' ')}${generation === undefined ? '' : ` (again, ${generation})`}`;
}
