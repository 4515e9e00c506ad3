/**
 * The second half of a module's round, on a commit that agents left: what the engine's checks say, the rules of delivery, and
 * a reviewer. Without a review nothing passes.
 */
import type { Bench } from '../../../engine/bench.ts';
import { isPathCovered } from '../../../plan/coverage.ts';
import type { CheckReport } from '../../../policy/check-report.ts';
import type { Agreement, JudgedExpectation } from '../../../policy/square.ts';
import { explainAnswer } from '../../moves/ask-agent.ts';
import type { RoundStart } from '../../moves/repeat-until-passed.ts';
import { describeChecks, type Verified } from '../../moves/verify.ts';
import { expectationsBrief, reviewerBrief } from '../briefs/module-briefs.ts';
import { testerFiles } from '../plan/module-plan.ts';
import { askDesignRole } from '../roles.ts';
import {
  type BuildRequest,
  endLoop,
  fundamentalIssue,
  type ModuleLoopOver,
  type ModuleStanding,
  type ModuleWorked,
  type RedModuleRound,
  redRound,
} from './module-round.ts';

export async function reviewModule(
  bench: Bench,
  request: BuildRequest,
  about: { readonly worked: ModuleWorked; readonly verified: Verified; readonly at: RoundStart<ModuleStanding> },
): Promise<{ readonly status: 'passed' } | RedModuleRound | ModuleLoopOver> {
  const { name, subject, base } = request;
  const { worked, verified } = about;
  const { round } = about.at;
  const { standing, commit } = worked;
  if (verified.status === 'rejected')
    return { status: 'over', result: { kind: 'failed', reason: verified.reason, commit, retries: standing.retries } };
  if (verified.status === 'red') {
    const { report, findings, reason } = verified;
    const count = failuresIn(report) + findings.length;
    return redRound(standing, {
      situation: { mode: 'checks', report, findings, reason },
      stage: 'checks',
      count,
      reason,
    });
  }
  const broken = await brokenRules(bench, `${name}/rules#${round}`, { subject, base, commit });
  if (broken.length > 0) {
    const own = testerFiles(subject.context.conventions.commands, subject.module.id);
    const ofTester = broken.filter(({ file }) => isPathCovered(own, file));
    const issues = broken.map(issueText);
    const reason = `${broken.length} delivery ${broken.length === 1 ? 'rule is' : 'rules are'} broken: ${issues[0]}`;
    const next = { ...standing, testFindings: ofTester.map(issueText) };
    return redRound(next, {
      situation: { mode: 'discipline', issues },
      stage: 'discipline',
      count: broken.length,
      reason,
    });
  }
  const diff = await bench.perform('diff.read', `${name}/review#${round}/diff`, {
    from: base,
    to: commit,
    chars: 80_000,
  });
  const ask = (key: string) =>
    askDesignRole(bench, key, {
      input: subject.context.input,
      role: 'module-reviewer',
      title: round === 1 ? 'reviewer' : `reviewer, round ${round}`,
      task: request.task.id,
      workspace: name.replaceAll('/', '-'),
      commit,
      tier: standing.rejects >= 2 ? 'heavy' : undefined,
      brief: (recovery) =>
        reviewerBrief(
          { ...subject, takenBack: [] },
          { diff: diff.text, report: describeChecks(verified.report) },
          recovery,
        ),
    });
  const first = await ask(`${name}/review#${round}`);
  // A reviewer who broke down is asked once more, and that does not count.
  const answer = first.status === 'accepted' ? first : await ask(`${name}/review#${round}/again`);
  // Nobody looked at it, and that is not the same as nobody found anything.
  if (answer.status !== 'accepted')
    return {
      status: 'over',
      result: {
        kind: 'broken',
        reason: `there is no review: ${explainAnswer(answer)}`,
        commit,
        retries: standing.retries,
      },
    };
  const { findings, planIssue } = answer.result;
  const issue = fundamentalIssue(planIssue, request.notes);
  if (issue !== undefined) return endLoop(issue, commit, standing);
  const required = findings.filter(({ severity }) => severity === 'required');
  request.notes.push(
    ...findings.filter(({ severity }) => severity === 'suggested').map(({ claim }) => `suggested: ${claim}`),
  );
  if (required.length === 0) return { status: 'passed' };
  const rejected = { ...standing, rejects: standing.rejects + 1 };
  const reason = `${required.length} required findings: ${required[0]?.claim}`;
  return redRound(rejected, {
    situation: { mode: 'review', findings },
    stage: 'review',
    count: required.length,
    reason,
  });
}

/** What of the change breaks the rules of delivery; only errors block. */
async function brokenRules(
  bench: Bench,
  key: string,
  {
    subject,
    base,
    commit,
  }: { readonly subject: BuildRequest['subject']; readonly base: string; readonly commit: string },
) {
  const { input } = subject.context;
  const { issues } = await bench.perform('delivery.check', key, {
    commit,
    since: base,
    planDir: input.plan.dir,
    gate: 'execute',
  });
  return issues.filter(
    ({ scope, severity }) => scope === 'source' && (severity === 'error' || severity === 'critical'),
  );
}

export function issueText({
  rule,
  file,
  line,
  description,
  fix,
}: {
  rule: string;
  file: string;
  line: number;
  description: string;
  fix: string;
}): string {
  return `- ${rule} ${file}${line === 0 ? '' : `:${line}`}: ${description} ${fix}`;
}

export function failuresIn({ commands }: CheckReport): number {
  const failing = commands.reduce((sum, { counts }) => sum + (counts?.failed ?? 0), 0);
  return Math.max(failing, commands.filter(({ status }) => status !== 'passed' && status !== 'flaky').length);
}

/** A reviewer who did not write the change says whether the revised plan covers it. No answer is not an agreement. */
export async function reviewExpectations(
  bench: Bench,
  key: string,
  about: {
    readonly request: BuildRequest;
    readonly commit: string;
    readonly expectations: readonly JudgedExpectation[];
  },
): Promise<Agreement> {
  const { request, commit, expectations } = about;
  const { subject, name, task } = request;
  const answer = await askDesignRole(bench, key, {
    input: subject.context.input,
    role: 'module-reviewer',
    title: 'reviewer, changed expectations',
    task: task.id,
    workspace: name.replaceAll('/', '-'),
    commit,
    brief: (recovery) => expectationsBrief({ ...subject, takenBack: [] }, expectations, recovery),
  });
  const by = 'the reviewer';
  if (answer.status !== 'accepted') return { by, agrees: false, reason: explainAnswer(answer) };
  const required = answer.result.findings.filter(({ severity }) => severity === 'required');
  const reason = required.map(({ claim }) => claim).join('; ');
  return { by, agrees: required.length === 0, reason: reason.slice(0, 2000) };
}
