/** The nodes of a `waves` run: planning, base checks, waves with tasks and rounds, the integration test, learning. */
import type { TaskOutcome } from '../engine/facts.ts';
import { isOver } from '../engine/run-state.ts';
import type { Task } from '../plan/plan.ts';
import { shortCommit } from './figures.ts';
import { learnNode, underWay } from './phase-nodes.ts';
import { type Proposal, proposalOf } from './proposal.ts';
import {
  agentNode,
  checkNode,
  evidenceNode,
  groupNode,
  mergeNode,
  type NodeStatus,
  type Scene,
  type ViewNode,
} from './view-node.ts';
import { fixRounds, integrationRounds, mergesOf, roundsOf, type WaveRound, wavesStep } from './waves-keys.ts';
import { planFigures } from './wording.ts';

export function waveNodes(scene: Scene): ViewNode[] {
  const { effects } = scene.chronicle.state;
  const proposal = proposalOf(scene.chronicle);
  const waves = proposal?.waves ?? [];
  return [
    planNode(scene, proposal),
    ...(effects.has('baseline') ? [checkNode(scene, 'baseline', 'Checks on the base')] : []),
    ...waves.map((_, index) => waveNode(scene, index + 1, proposal as Proposal)),
    ...(waves.length > 1 ? [integrationNode(scene)] : []),
    ...(proposal === undefined ? [] : [learnNode(scene)]),
  ];
}

function planNode(scene: Scene, proposal: Proposal | undefined): ViewNode {
  const { state } = scene.chronicle;
  const rounds: ViewNode[] = [];
  for (let round = 1; state.effects.has(`plan#${round}`); round += 1) {
    rounds.push(agentNode(scene, `plan#${round}`, round === 1 ? 'planner' : `planner, round ${round}`));
  }
  const asked = [...state.questions.values()].some(({ answer }) => answer === undefined);
  const detail = proposal === undefined ? '' : planFigures(proposal);
  const status = proposal?.isApproved === true ? 'done' : underWay(scene, rounds, asked);
  return groupNode({ id: 'plan', label: 'Plan', kind: 'plan', status, detail }, rounds);
}

function waveNode(scene: Scene, number: number, { tasks, waves }: Proposal): ViewNode {
  const id = `W${number}`;
  const { chronicle } = scene;
  const record = chronicle.state.tasks.get(id);
  const rounds = roundsOf(chronicle, id).map((round, index, all) =>
    roundNode(scene, round, index < all.length - 1 || record?.outcome !== undefined),
  );
  const merges = mergesOf(chronicle, id).map((key) => mergeNode(scene, key, 'merge'));
  const outcome = record?.outcome;
  const parts = [...rounds, ...merges];
  const status = outcome === undefined ? underWay(scene, parts) : endStatus(outcome.status, rounds.at(-1));
  const members = waves[number - 1] ?? [];
  const merged = chronicle.state.receipts.find((receipt) => receipt.task === id)?.after;
  const detail = waveDetail({ outcome, parts, status, merged });
  const children = [...members.map((member) => taskNode(member, tasks, status)), ...parts];
  return groupNode(
    { id, label: `Wave ${number}/${waves.length} [${members.join(', ')}]`, kind: 'wave', status, detail },
    children,
  );
}

function endStatus(status: TaskOutcome['status'], lastRound: ViewNode | undefined): NodeStatus {
  if (status === 'skipped' || status === 'blocked') return 'skipped';
  // Without a verdict in either direction: not accepted, and not shown to be wrong.
  return lastRound?.status === 'unverified' ? 'unverified' : status;
}

function waveDetail(about: {
  outcome: Pick<TaskOutcome, 'status' | 'reason'> | undefined;
  merged: string | undefined;
  parts: readonly ViewNode[];
  status: NodeStatus;
}): string {
  const { outcome, parts, status, merged } = about;
  if (outcome === undefined) {
    const last = parts.at(-1);
    if (last === undefined || status === 'waiting') return '';
    return last.kind === 'merge' ? 'merging' : last.detail;
  }
  if (outcome.status !== 'done') return outcome.reason;
  return merged === undefined ? 'done' : `merged ${shortCommit(merged)}`;
}

/** One session does all tasks of a wave, so they stand and fall together. */
function taskNode(id: string, tasks: readonly Task[], wave: NodeStatus): ViewNode {
  const task = tasks.find((one) => one.id === id);
  const named = { id: `task ${id}`, label: `${id} ${task?.title ?? ''}`.trim(), kind: 'task' as const };
  return groupNode({ ...named, status: wave, detail: task?.complexity ?? '' }, []);
}

function roundNode(scene: Scene, round: WaveRound, isSettled: boolean): ViewNode {
  const { effects } = scene.chronicle.state;
  const accepted = `${round.verify}/check/accepted`;
  const check = effects.has(accepted) ? accepted : `${round.verify}/check`;
  const evidence = `${round.verify}/evidence`;
  const children = [
    agentNode(scene, round.develop, 'developer'),
    ...(effects.has(round.test) ? [agentNode(scene, round.test, 'tester')] : []),
    ...(effects.has(check) ? [checkNode(scene, check, 'checks')] : []),
    ...(effects.has(evidence) ? [evidenceNode(scene, evidence, 'evidence')] : []),
  ];
  const outcome = roundOutcome(scene, { children, isSettled, number: round.number });
  return groupNode({ id: round.develop, label: roundLabel(round.number), kind: 'round', ...outcome }, children);
}

interface RoundParts {
  readonly children: readonly ViewNode[];
  /** Another round or the end came after it. */
  readonly isSettled: boolean;
  readonly number: number;
}

/** Whatever part is bad makes the round bad: the engine's red beats a tester's pass, and the other way round. */
function roundOutcome(scene: Scene, { children, isSettled, number }: RoundParts): Pick<ViewNode, 'status' | 'detail'> {
  const last = children.at(-1);
  const test = children.findLast((child) => child.label === 'tester');
  const open = children.some((child) => child.status === 'running' || child.status === 'interrupted');
  const bad = open ? [] : children.filter((child) => child.status === 'failed' || child.status === 'unverified');
  if (bad.length > 0) {
    const status = bad.some((child) => child.status === 'failed') ? 'failed' : 'unverified';
    return {
      status,
      detail: bad.map((child) => (child === test ? child.detail : `${child.label}: ${child.detail}`)).join('; '),
    };
  }
  const isComplete = test?.status === 'done' && children.some((child) => child.label === 'checks');
  if (isComplete && !open) return { status: 'done', detail: test.detail };
  if (isSettled) return { status: 'failed', detail: 'not finished' };
  const words: Readonly<Record<string, string>> = {
    developer: number === 1 ? 'developing' : 'fixing',
    tester: number === 1 ? 'testing' : 'testing again',
  };
  const detail = words[last?.label.split(' ', 1)[0] ?? ''] ?? 'checking';
  return { status: scene.isLive ? 'running' : 'interrupted', detail };
}

function roundLabel(number: number): string {
  return number === 1 ? 'Round 1' : `Fix round ${number - 1}/${fixRounds}`;
}

function integrationNode(scene: Scene): ViewNode {
  const { chronicle } = scene;
  const all = integrationRounds(chronicle);
  const rounds = all.map(({ number, keys }, index) => {
    const children = keys.flatMap((key) => integrationPart(scene, key));
    const isSettled = index < all.length - 1 || isOver(chronicle.state);
    const outcome = roundOutcome(scene, { children, isSettled, number });
    return groupNode({ id: `integration ${number}`, label: roundLabel(number), kind: 'round', ...outcome }, children);
  });
  const last = rounds.at(-1);
  const isEnded = last !== undefined && last.status !== 'failed' && last.status !== 'running';
  const status = isEnded ? last.status : underWay(scene, rounds);
  const detail = last?.detail ?? '';
  return groupNode({ id: 'integration', label: 'Integration test', kind: 'integration', status, detail }, rounds);
}

/** One node per piece of work: attempts and parts of a merge are drawn with the first of them. */
function integrationPart(scene: Scene, key: string): ViewNode[] {
  const step = wavesStep(key);
  if (step === undefined || key.includes('/recovery#')) return [];
  if (step.step === 'integration-test') return [agentNode(scene, key, 'tester')];
  if (step.step === 'integration-fix') return [agentNode(scene, key, `developer W${step.wave}`)];
  if (step.step === 'integration-check') return [checkNode(scene, key, 'checks')];
  if (step.step === 'integration-evidence') return [evidenceNode(scene, key, 'evidence')];
  if (step.step !== 'integration-prepare') return [];
  return [mergeNode(scene, key.slice(0, -'/prepare'.length), 'merge')];
}
