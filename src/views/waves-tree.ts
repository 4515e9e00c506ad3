/** The nodes of a `waves` run: planning, base checks, waves with tasks and rounds, the integration test, learning. */
import { isOver } from '../engine/run-state.ts';
import type { Task } from '../plan/plan.ts';
import { lastReading } from './chronicle.ts';
import { counted, shortCommit } from './figures.ts';
import { type Proposal, proposalOf } from './proposal.ts';
import {
  agentNode,
  checkNode,
  evidenceNode,
  groupNode,
  leaf,
  mergeNode,
  type NodeStatus,
  outputOf,
  type Scene,
  type ViewNode,
} from './view-node.ts';
import {
  fixRounds,
  integrationRounds,
  isFirst,
  mergesOf,
  openBugs,
  roundsOf,
  type WaveRound,
  wavesStep,
} from './waves-keys.ts';
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

/** Of something that has not ended: at work, asking, cut off, or not begun. */
function underWay(scene: Scene, parts: readonly ViewNode[], asked = false): NodeStatus {
  if (isOver(scene.chronicle.state)) return parts.length === 0 ? 'skipped' : 'failed';
  if (asked || parts.length === 0) return 'waiting';
  return scene.isLive ? 'running' : 'interrupted';
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
  const detail = waveDetail({ outcome, parts, status });
  const children = [...members.map((member) => taskNode(member, tasks, status)), ...parts];
  return groupNode(
    { id, label: `Wave ${number}/${waves.length} [${members.join(', ')}]`, kind: 'wave', status, detail },
    children,
  );
}

function endStatus(status: 'done' | 'failed' | 'skipped' | 'blocked', lastRound: ViewNode | undefined): NodeStatus {
  if (status === 'done') return lastRound?.status === 'unverified' ? 'unverified' : 'done';
  return status === 'failed' ? 'failed' : 'skipped';
}

function waveDetail(about: {
  outcome: { readonly status: string; readonly reason: string; readonly commit?: string | undefined } | undefined;
  parts: readonly ViewNode[];
  status: NodeStatus;
}): string {
  const { outcome, parts, status } = about;
  if (outcome === undefined) {
    const last = parts.at(-1);
    if (last === undefined || status === 'waiting') return '';
    return last.kind === 'merge' ? 'merging' : last.detail;
  }
  if (outcome.status !== 'done') return outcome.reason;
  const merged = outcome.commit === undefined ? 'done' : `merged ${shortCommit(outcome.commit)}`;
  return status === 'unverified' ? `${merged}, test unverified` : merged;
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
    ...(effects.has(check) ? [checkNode(scene, check, 'checks')] : []),
    ...(effects.has(evidence) ? [evidenceNode(scene, evidence, 'evidence')] : []),
    ...(effects.has(round.test) ? [agentNode(scene, round.test, 'tester')] : []),
  ];
  const label = round.number === 1 ? 'Round 1' : `Fix round ${round.number - 1}/${fixRounds}`;
  return groupNode(
    { id: round.develop, label, kind: 'round', ...roundOutcome(scene, round, { children, isSettled }) },
    children,
  );
}

function roundOutcome(
  scene: Scene,
  round: WaveRound,
  { children, isSettled }: { children: readonly ViewNode[]; isSettled: boolean },
): Pick<ViewNode, 'status' | 'detail'> {
  const last = children.at(-1);
  const tested = lastReading(scene.chronicle, round.test);
  const bad = children.find((child) => child.status === 'failed' || child.status === 'unverified');
  if (tested?.status === 'accepted' && last !== undefined) return { status: last.status, detail: last.detail };
  if (bad !== undefined && bad === last) return { status: bad.status, detail: `${bad.label}: ${bad.detail}` };
  const findings = outputOf(scene.chronicle, `${round.verify}/evidence`, 'evidence.measure')?.findings.length ?? 0;
  if (isSettled) return { status: 'failed', detail: findings === 0 ? 'sent back' : counted(findings, 'finding') };
  const working = { developer: round.number === 1 ? 'developing' : 'fixing', checks: 'checking', evidence: 'checking' };
  const detail = working[last?.label as keyof typeof working] ?? (round.number === 1 ? 'testing' : 'testing again');
  return { status: scene.isLive ? 'running' : 'interrupted', detail };
}

function integrationNode(scene: Scene): ViewNode {
  const { chronicle } = scene;
  const all = integrationRounds(chronicle);
  const rounds = all.map(({ number, keys }, index) => {
    const children = keys.flatMap((key) => integrationPart(scene, key));
    const test = children.findLast((child) => isFirst(child.id, 'integration-test'));
    const isSettled =
      index < all.length - 1 || (test !== undefined && test.status !== 'running' && test.status !== 'interrupted');
    const status: NodeStatus = isSettled ? (test?.status ?? 'failed') : underWay(scene, children);
    const detail = (isSettled ? test : children.at(-1))?.detail ?? '';
    const label = number === 1 ? 'Round 1' : `Fix round ${number - 1}/${fixRounds}`;
    return groupNode({ id: `integration ${number}`, label, kind: 'round', status, detail }, children);
  });
  const last = rounds.at(-1);
  const isMended = last !== undefined && last.status !== 'failed';
  const status = isMended ? last.status : underWay(scene, rounds);
  const bugs = openBugs(chronicle, 'integration').length;
  const detail = bugs > 0 && status !== 'done' ? `${counted(bugs, 'bug')} open` : (last?.detail ?? '');
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

function learnNode(scene: Scene): ViewNode {
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
