/**
 * The nodes of a `modules` run: planning, base checks, each module with who worked on it and what was measured, the
 * final review with its lenses and what they sent back, learning.
 */
import { isOver } from '../engine/run-state.ts';
import type { Task } from '../plan/plan.ts';
import { shortCommit } from './figures.ts';
import {
  eventsOf,
  finalRound,
  fixesOf,
  fixTitle,
  lensNames,
  lensWords,
  type ModuleEvent,
  recordOf,
  retriesOf,
  reviewRounds,
} from './modules-keys.ts';
import { modulesProposal, type ModulesProposal } from './modules-proposal.ts';
import { modulesProgress, nothingToReview, proposalFigures, releaseText } from './modules-wording.ts';
import { learnNode, underWay } from './phase-nodes.ts';
import { lastMeasured, measuredRound, scoreText } from './validation.ts';
import {
  agentNode,
  checkNode,
  evidenceNode,
  groupNode,
  leaf,
  mergeNode,
  type NodeStatus,
  type Scene,
  type ViewNode,
} from './view-node.ts';

export function moduleNodes(scene: Scene): ViewNode[] {
  const { effects } = scene.chronicle.state;
  const proposal = modulesProposal(scene.chronicle);
  return [
    planNode(scene, proposal),
    ...(effects.has('baseline') ? [checkNode(scene, 'baseline', 'Checks on the base')] : []),
    ...(proposal?.tasks ?? []).map((task) => moduleNode(scene, task)),
    ...(proposal === undefined ? [] : [finalNode(scene), learnNode(scene)]),
  ];
}

function planNode(scene: Scene, proposal: ModulesProposal | undefined): ViewNode {
  const { state } = scene.chronicle;
  const rounds: ViewNode[] = [];
  for (let round = 1; state.effects.has(`plan#${round}`); round += 1) {
    rounds.push(agentNode(scene, `plan#${round}`, round === 1 ? 'architect' : `architect, round ${round}`));
  }
  const asked = [...state.questions.values()].some(({ answer }) => answer === undefined);
  const status = proposal?.isApproved === true ? 'done' : underWay(scene, rounds, asked);
  return groupNode({ id: 'plan', label: 'Plan', kind: 'plan', status, detail: proposalFigures(proposal) }, rounds);
}

function moduleNode(scene: Scene, task: Pick<Task, 'id' | 'title' | 'depends' | 'costBudget'>): ViewNode {
  const { chronicle } = scene;
  const parts = eventsOf(chronicle, task.id).map((event) => eventNode(scene, task, event));
  const outcome = recordOf(chronicle, task.id)?.outcome;
  const named = { id: task.id, label: `${task.id} ${task.title}`.trim(), kind: 'task' as const };
  if (outcome === undefined) {
    const status = recordOf(chronicle, task.id) === undefined ? notBegun(scene) : underWay(scene, parts);
    return groupNode({ ...named, status, detail: openDetail(scene, task, parts) }, parts);
  }
  const measured = lastMeasured(chronicle, task.id);
  const score = measured === undefined ? [] : [scoreText(measured)];
  const merged = outcome.commit === undefined ? [] : [`merged ${shortCommit(outcome.commit)}`];
  const detail = outcome.status === 'done' ? [...score, ...merged].join(', ') : outcome.reason;
  return groupNode({ ...named, status: outcome.status, detail }, parts);
}

function notBegun({ chronicle }: Scene): NodeStatus {
  return isOver(chronicle.state) ? 'skipped' : 'waiting';
}

/** What is going on with a module: the newest thing about it, or what it waits for. */
function openDetail(scene: Scene, { depends }: Pick<Task, 'depends'>, parts: readonly ViewNode[]): string {
  const last = parts.at(-1);
  if (last === undefined) {
    const open = depends.filter((id) => recordOf(scene.chronicle, id)?.outcome?.status !== 'done');
    return open.length === 0 || isOver(scene.chronicle.state) ? '' : `after ${open.join(', ')}`;
  }
  return last.kind === 'merge' ? 'merging' : last.label;
}

function eventNode(scene: Scene, task: Pick<Task, 'id' | 'costBudget'>, event: ModuleEvent): ViewNode {
  const { key, round } = event;
  switch (event.type) {
    case 'validation':
      return validationNode(scene, task.id, event);
    case 'merge':
      return mergeNode(scene, key, round === 1 ? 'merge' : `merge, turn ${round}`);
    case 'debugger':
      return agentNode(scene, key, `debugger, retry ${round}/${retriesOf(task)}`);
    case 'reviewer':
      return reviewNode(scene, key, round);
    case 'worker': {
      const again = key.includes('@') ? 'worker, after a merge that did not fit' : 'worker';
      return agentNode(scene, key, round === 1 ? again : `worker, review round ${round}`);
    }
    case 'overseer':
      return agentNode(scene, key, 'overseer');
  }
}

function reviewNode(scene: Scene, key: string, round: number): ViewNode {
  return agentNode(scene, key, key.includes('/debug#') || round === 1 ? 'reviewer' : `reviewer, round ${round}`);
}

function validationNode(scene: Scene, module: string, event: Extract<ModuleEvent, { type: 'validation' }>): ViewNode {
  const { key, round } = event;
  const { chronicle } = scene;
  const { effects } = chronicle.state;
  const check = effects.has(`${key}/check/accepted`) ? `${key}/check/accepted` : `${key}/check`;
  const children = [
    leaf(scene, `${key}/contracts`, { id: `${key}/contracts`, label: 'files and contracts', kind: 'check' }),
    ...(effects.has(check) ? [checkNode(scene, check, 'checks')] : []),
    ...(effects.has(`${key}/evidence`) ? [evidenceNode(scene, `${key}/evidence`, 'evidence')] : []),
  ];
  const named = { id: key, label: round === 1 ? 'validation' : `validation ${round}`, kind: 'round' as const };
  const measured = measuredRound(chronicle, module, event);
  const isOpen = children.some(({ status }) => status === 'running' || status === 'interrupted');
  if (measured === undefined || isOpen) {
    const status = scene.isLive ? 'running' : isOver(chronicle.state) ? 'failed' : 'interrupted';
    return groupNode({ ...named, status, detail: children.at(-1)?.label ?? '' }, children);
  }
  const { failed } = measured;
  const names = failed.length === 0 ? '' : `: ${failed.map(({ name }) => name).join('; ')}`;
  const detail = `${scoreText(measured)}${names}`;
  return groupNode({ ...named, status: failed.length === 0 ? 'done' : 'failed', detail }, children);
}

function finalNode(scene: Scene): ViewNode {
  const { chronicle } = scene;
  const rounds = Array.from({ length: reviewRounds(chronicle) }, (_, at) => roundNode(scene, at + 1));
  const named = { id: 'final', label: 'Final review', kind: 'integration' as const };
  const last = rounds.at(-1);
  if (last === undefined) {
    const { total, done, remaining } = modulesProgress(chronicle);
    const isLost = total > 0 && remaining === 0 && done === 0;
    const now = isLost
      ? { status: 'skipped' as const, detail: nothingToReview }
      : { status: notBegun(scene), detail: '' };
    return groupNode({ ...named, ...now }, []);
  }
  const isMending = fixesOf(chronicle, rounds.length).length > 0;
  const isEnded = !isMending && last.status !== 'running' && last.status !== 'interrupted';
  const status = isEnded ? last.status : underWay(scene, rounds);
  return groupNode({ ...named, status, detail: last.detail }, rounds.length === 1 ? last.children : rounds);
}

function roundNode(scene: Scene, round: number): ViewNode {
  const { chronicle } = scene;
  const lenses = lensNames.map((lens) => {
    const key = `final/review#${round}/${lens}`;
    return agentNode(scene, key, `lens ${lens}, ${lensWords[lens] ?? ''}`);
  });
  const fixes = fixesOf(chronicle, round).map((id) =>
    moduleNode(scene, { id, title: fixTitle(chronicle, id), depends: [] }),
  );
  const found = finalRound(chronicle, round);
  const named = { id: `final/review#${round}`, label: `Round ${round}`, kind: 'round' as const };
  if (found === undefined) {
    const status = scene.isLive ? 'running' : 'interrupted';
    return groupNode({ ...named, status: isOver(chronicle.state) ? 'failed' : status, detail: 'reviewing' }, lenses);
  }
  const isMending = fixes.some(({ status }) => status === 'running' || status === 'interrupted');
  const isClear = found.mustFix.length === 0 && found.missing.length === 0;
  const mending = fixes.length === 0 ? '' : ', mending';
  const status = isMending ? underWay(scene, lenses) : isClear ? 'done' : 'failed';
  const detail = `${releaseText(chronicle, found)}${isMending ? mending : ''}`;
  return groupNode({ ...named, status, detail }, [...lenses, ...fixes]);
}
