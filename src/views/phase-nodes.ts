/** Nodes that more than one workflow has, and what is true of any part that has not ended. */
import { isOver } from '../engine/run-state.ts';
import { agentNode, groupNode, leaf, type NodeStatus, type Scene, type ViewNode } from './view-node.ts';

/** Of something that has not ended: at work, asking, cut off, or not begun. */
export function underWay(scene: Scene, parts: readonly ViewNode[], asked = false): NodeStatus {
  if (isOver(scene.chronicle.state)) return parts.length === 0 ? 'skipped' : 'failed';
  if (asked || parts.length === 0) return 'waiting';
  return scene.isLive ? 'running' : 'interrupted';
}

export function learnNode(scene: Scene): ViewNode {
  const { effects } = scene.chronicle.state;
  const parts = [
    ...(effects.has('learn') ? [agentNode(scene, 'learn', 'learner')] : []),
    ...(effects.has('save') ? [leaf(scene, 'save', { id: 'save', label: 'memory', kind: 'learn' })] : []),
  ];
  const last = parts.at(-1);
  const isDone = last !== undefined && last.status !== 'running' && last.status !== 'interrupted';
  const status = isDone ? last.status : underWay(scene, parts);
  return groupNode({ id: 'learn', label: 'Learn', kind: 'learn', status, detail: parts[0]?.detail ?? '' }, parts);
}
