/** The agent of a phase: asked with the composed context, and once more with less of it when nothing usable came back. */
import { z } from 'zod';
import type { Bench } from '../../engine/bench.ts';
import type { StepEndInput } from '../../engine/facts.ts';
import { engineFriction } from '../../pipelines/friction.ts';
import { phaseRole } from '../../pipelines/phase-roles.ts';
import { isJudging } from '../../pipelines/record-states.ts';
import type { LeftBehind } from '../../policy/receipt.ts';
import { resultContract } from '../../policy/result-contract.ts';
import type { Section } from '../../policy/sections.ts';
import { type AgentWork, askAgent, explainAnswer } from '../moves/ask-agent.ts';
import { advanceDeskTime, measuredOf, writeDesk } from './desk.ts';
import { overlayText } from '../../pipelines/overlay.ts';
import { roleBlock } from '../../pipelines/personas.ts';
import { agentNameOf, endEscalated, type PhaseEnd, type PhaseRequest } from './phase.ts';
import { changeSection, type PhaseBrief, phasePrompt, simplifiedPrompt } from './phase-brief.ts';
import { outputsOf } from './phase-gates.ts';
import { type ReviewResult, reviewResult, triageResult, type WorkResult, workResult } from './role-results.ts';
import { describeReview, describeWork } from './roles.ts';

export type PhaseAnswer =
  | {
      readonly status: 'answered';
      readonly result: WorkResult & Partial<ReviewResult>;
      readonly commit: string;
      readonly leftBehind: readonly LeftBehind[];
      readonly work: AgentWork;
    }
  | Extract<PhaseEnd, { status: 'escalated' }>;

export interface AskingWishes {
  /** Set where the same phase is asked again for what the engine found. */
  readonly suffix?: string;
  readonly sentBack?: string;
}

export async function askPhase(bench: Bench, request: PhaseRequest, wishes: AskingWishes): Promise<PhaseAnswer> {
  const { phase, desk, standing, iteration } = request;
  const key = `${request.key}${wishes.suffix ?? ''}`;
  const brief = await briefOf(bench, key, request, wishes);
  const first = await ask(bench, `${key}/agent`, request, { prompt: phasePrompt(brief), commit: standing.commit });
  if (first.status === 'accepted') return answered(first);
  const why = explainAnswer(first);
  const { persona } = phaseRole(phase.role);
  const place = { persona, phase: phase.role, iteration };
  const measured = advanceDeskTime(desk, measuredOf(first.work, desk.at));
  await writeDesk(bench, `${key}/retrying`, desk, {
    events: [{ matter: { action: 'subagent_retry', ...place, notes: why }, measured }],
    progress: [{ agent: agentNameOf(request), status: 'error', text: `asking once more: ${why}` }],
  });
  const second = await ask(bench, `${key}/agent-retry`, request, {
    prompt: simplifiedPrompt(brief, why),
    commit: first.commit,
    title: `${persona}, second attempt`,
  });
  if (second.status === 'accepted') return answered(second);
  const reason = explainAnswer(second);
  const again = advanceDeskTime(desk, measuredOf(second.work, desk.at));
  await writeDesk(bench, `${key}/gave-up`, desk, {
    events: [
      { matter: { action: 'subagent_escalated', ...place, notes: reason }, measured: again },
      { matter: engineFriction(reason, 'x_agent_failed', phase.role), measured: again },
    ],
  });
  standing.commit = second.commit;
  return endEscalated('agent-failed', phase, reason, 'See what the agent said: forge logs. Then try again.');
}

function answered(answer: {
  readonly result: WorkResult;
  readonly commit: string;
  readonly leftBehind: readonly LeftBehind[];
  readonly work: AgentWork;
}): PhaseAnswer {
  const { result, commit, leftBehind, work } = answer;
  return { status: 'answered', result, commit, leftBehind, work };
}

function ask(
  bench: Bench,
  key: string,
  request: PhaseRequest,
  asked: { readonly prompt: string; readonly commit: string; readonly title?: string },
) {
  const { phase, desk, context } = request;
  const { persona, tier } = phaseRole(phase.role);
  const { agents, limits } = context.input;
  const describe = (result: WorkResult): StepEndInput =>
    isJudging(phase.role) ? describeReview(result as ReviewResult) : describeWork(result);
  return askAgent<WorkResult>(bench, key, {
    agent: agents[persona] ?? agents['engineer'] ?? '',
    role: persona,
    task: desk.id,
    workspace: desk.id,
    commit: asked.commit,
    access: mayWrite(phase.role) ? 'write' : 'read',
    tier,
    ...(phase.model === undefined ? {} : { model: phase.model }),
    isWhole: true,
    tools: ['records'],
    result: resultFor(phase.role),
    prompt: asked.prompt,
    recoveryPrompt: () => asked.prompt,
    attempts: 1,
    title: asked.title ?? persona,
    describe,
    ...(limits === undefined ? {} : { limits }),
  });
}

/** Whoever judges or sums up only reads. */
function mayWrite(role: string): boolean {
  return !isJudging(role) && role !== 'commit' && role !== 'triage';
}

function resultFor(role: string): z.ZodType<WorkResult> {
  if (isJudging(role)) return reviewResult;
  return role === 'triage' ? triageResult : workResult;
}

async function briefOf(bench: Bench, key: string, request: PhaseRequest, wishes: AskingWishes): Promise<PhaseBrief> {
  const { phase, desk, context, standing, iteration, revisions, pipeline } = request;
  const { record, kind, id } = desk;
  const { persona } = phaseRole(phase.role);
  const { engineering, inRepository, ownRoles, input } = context;
  const schema = z.toJSONSchema(resultFor(phase.role), { io: 'input', unrepresentable: 'any' });
  return {
    kind,
    id,
    record,
    phase,
    agentName: agentNameOf(request),
    iteration,
    revisions,
    architecture: context.architecture,
    guidance: input.guidance,
    role: roleBlock(persona, input.options.inline, ownRoles[persona] ?? ownRoles[phase.role]),
    overlay: overlayText({
      record,
      sprint: context.sprints.find((one) => one['sprintId'] === record['sprintId']),
      feature: context.features.find((one) => one['id'] === record['feature_id']),
      needs: context.tasks.filter((one) => request.task.depends.includes(String(one['taskId']))),
    }),
    paths: [
      `Documents of this ${kind}: ${inRepository(String(record['path']))}`,
      ...(kind === 'task'
        ? [`Documents of the sprint: ${inRepository(engineering)}/sprints/${String(record['sprintId'])}`]
        : []),
      'Records: through the tools record_read, record_list, record_progress and record_bug, never as files',
    ],
    outputs: outputsOf({ desk, phase, pipeline, context }),
    material: await materialOf(bench, key, request),
    sentBack: wishes.sentBack ?? (isJudging(phase.role) ? '' : standing.sentBack),
    resultText: resultContract(schema),
  };
}

/** Those who judge code see the difference, and what the engine found out about it. */
async function materialOf(
  bench: Bench,
  key: string,
  { phase, standing, desk }: PhaseRequest,
): Promise<readonly Section[]> {
  const judgesCode = phase.role === 'review-code' || phase.role === 'validate' || phase.role === 'approve';
  if (!judgesCode || standing.commit === standing.base) return [];
  const { base: from, commit: to } = standing;
  const diff = await bench.perform('diff.read', `${key}/diff`, { from, to, chars: 60_000 });
  return [changeSection(phase.role, desk.record, diff.text), ...standing.evidence];
}
