/**
 * One module becomes a commit that passed: developer, quality gate, tester, the engine's checks, the delivery rules, reviewer;
 * and again while it gets further. A stall leads to a new strategy on a stronger model, then to a diagnosis, then to a person.
 * A plan that is wrong leaves the loop at once. Agents change only what is theirs: anything else is taken back.
 */
import type { Bench } from '../../../engine/bench.ts';
import type { StepEndInput } from '../../../engine/facts.ts';
import { buildUntilPassed } from '../../moves/build-until-passed.ts';
import type { RoundStart } from '../../moves/repeat-until-passed.ts';
import { type Verified, type VerifyRequest, verify } from '../../moves/verify.ts';
import type { PlanIssue } from '../role-results.ts';
import { moduleLoop } from '../rules/module-loop.ts';
import { developModule } from './develop-module.ts';
import { escalateModule } from './escalate-module.ts';
import type {
  BuildRequest,
  ModuleBuilt,
  ModuleOver,
  ModuleStanding,
  ModuleWorked,
  RedModuleRound,
  WorkEnd,
} from './module-round.ts';
import { recordRetry } from './record-module.ts';
import { reviewExpectations, reviewModule } from './review-module.ts';

export async function buildModule(bench: Bench, request: BuildRequest): Promise<ModuleBuilt> {
  const { name, task, subject, base, judge, start } = request;
  const { input, checks } = subject.context;
  const fresh: ModuleStanding = {
    commit: base,
    situation: start,
    session: undefined,
    isHeavy: false,
    rejects: 0,
    takenBack: [],
    testFindings: [],
    history: [],
    retries: 0,
    hasReplanned: false,
    last: undefined,
  };
  const ended = await buildUntilPassed<
    ModuleStanding,
    ModuleWorked,
    { verified: Verified },
    ModuleOver,
    'replan' | 'diagnose' | 'decide'
  >(bench, {
    policy: moduleLoop,
    task,
    checks,
    scope: input.scope,
    base,
    judge,
    start: fresh,
    step: ({ round }) => ({
      key: `${name}/round#${round}`,
      kind: 'round',
      title: `Round ${round}`,
      end: describeRound,
    }),
    work: (at) => work(bench, request, at),
    check: async (asked, { round }) => {
      const review: VerifyRequest['review'] = (key, expectations) =>
        reviewExpectations(bench, key, { request, commit: asked.commit, expectations });
      return { verified: await verify(bench, `${name}/verify#${round}`, { ...asked, review }) };
    },
    review: async ({ worked, checked, at }) => {
      const reviewed = await reviewModule(bench, request, { worked, verified: checked.verified, at });
      return reviewed.status === 'red' ? withRetryRecorded(bench, request, reviewed, at) : reviewed;
    },
    escalate: (escalation) => escalateModule(bench, request, escalation),
  });
  switch (ended.status) {
    case 'passed': {
      const { passed, worked } = ended.result;
      const { standing } = worked;
      return { kind: 'passed', passed, retries: standing.retries, message: worked.message, standing };
    }
    case 'over':
      return ended.result;
    case 'stalled': {
      const { reason, standing, stalledAt } = ended;
      return {
        kind: stalledAt === 'infrastructure' ? 'broken' : 'failed',
        reason,
        commit: standing.commit,
        retries: standing.retries,
      };
    }
  }
}

function describeRound(end: {
  readonly status: string;
  readonly reason?: string;
  readonly result?: unknown;
}): StepEndInput {
  if (end.status === 'passed') return { status: 'done', detail: 'approved' };
  if (end.status === 'over') {
    const { kind, issue } = (end.result ?? {}) as { kind?: string; issue?: PlanIssue };
    return { status: 'blocked', detail: kind === 'revision' ? (issue?.type ?? 'the plan is wrong') : (kind ?? '') };
  }
  return { status: 'failed', detail: (end.reason ?? '').split('\n', 1)[0] ?? '' };
}

async function work(bench: Bench, request: BuildRequest, at: RoundStart<ModuleStanding>): Promise<WorkEnd> {
  const ended = await developModule(bench, request, at);
  return ended.status === 'red' ? withRetryRecorded(bench, request, ended, at) : ended;
}

/** Every retry is an event of the delivery. */
async function withRetryRecorded(
  bench: Bench,
  request: BuildRequest,
  round: RedModuleRound,
  at: RoundStart<ModuleStanding>,
): Promise<RedModuleRound> {
  await recordRetry(bench, request, {
    round: at.round,
    reason: round.reason,
    retries: round.standing.retries,
    stage: round.standing.situation.mode,
    counted: countedText(at.standing, round.standing),
  });
  return round;
}

/** How many failures or findings there were before and are now, where both are of the same kind. */
function countedText({ last: before }: ModuleStanding, { last: now }: ModuleStanding): string {
  if (now === undefined) return '';
  return before?.stage === now.stage ? `${now.stage}: ${before.count} → ${now.count}` : `${now.stage}: ${now.count}`;
}
