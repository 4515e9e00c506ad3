/**
 * The whole change before it is released: three reviewers at once, each with its own eyes, over everything from the base
 * to the head. What they agree on, and what fails silently, is fixed by small modules of its own and reviewed again,
 * within a bound. What is left blocks the release; the rest is advice.
 */
import type { Bench } from '../../engine/bench.ts';
import type { StepEndInput, TaskOutcome } from '../../engine/facts.ts';
import { isPathCovered } from '../../plan/coverage.ts';
import { type Task, taskSchema } from '../../plan/plan.ts';
import { fixableFiles, isFixable } from '../../policy/finding-path.ts';
import { type AggregatedFindings, type AgreedFinding, withUnfixed } from '../../policy/self-consistency.ts';
import { findingLine } from '../../views/wording.ts';
import { type RoundEnd, type RoundStart, repeatUntilPassed } from '../moves/repeat-until-passed.ts';
import { type ReadersVerdict, reviewWithReaders } from '../moves/review-with-readers.ts';
import { agreedFinding } from '../moves/work-findings.ts';
import { auditLenses, auditorBrief, type AuditLens } from './briefs.ts';
import { askModuleRole } from './roles.ts';
import { type ModuleContext, runModule } from './run-module.ts';

export interface FinalReview extends AggregatedFindings {
  readonly release: 'clear' | 'blocked';
  /** Why it is blocked, if it is. */
  readonly reason: string;
  readonly fixes: readonly TaskOutcome[];
}

/** What each lens looks for, in a few words. */
const lensWords: Readonly<Record<AuditLens, string>> = {
  A: 'names and contracts',
  B: 'races and state',
  C: 'compatibility and defaults',
};
const mostFixRounds = 2;
const diffChars = 200_000;

export function finalReview(bench: Bench, context: ModuleContext): Promise<FinalReview> {
  const start = { kind: 'integration', title: 'Final review', end: describeReview };
  return bench.step('final', start, () => reviewUntilClear(bench, context));
}

function describeReview({ release, reason, mustFix, advisory }: FinalReview): StepEndInput {
  const figures = { mustFix: mustFix.length, advisory: advisory.length };
  if (release === 'clear')
    return { status: 'done', detail: `nothing must be fixed, ${advisory.length} advisory`, figures };
  return { status: 'failed', detail: reason, figures };
}

async function reviewUntilClear(bench: Bench, context: ModuleContext): Promise<FinalReview> {
  const start: FinalReview = { mustFix: [], advisory: [], release: 'blocked', reason: '', fixes: [] };
  const ended = await repeatUntilPassed(bench, {
    policy: { rounds: 1 + mostFixRounds },
    start,
    step: ({ round }) => ({ key: `final/round#${round}`, kind: 'round', title: `Round ${round}`, end: describeRound }),
    round: (at) => reviewRound(bench, context, at),
    fix: async ({ standing }, { round }) => {
      const tasks = fixTasks(standing.mustFix, round, context);
      const keyPrefix = `final/fix#${round}/`;
      const options = { limit: context.lite ? 1 : context.input.parallel, keyPrefix };
      const fixing = { ...context, plan: [...context.plan, ...tasks], below: keyPrefix };
      const fixes = await bench.schedule(tasks, options, (task) => runModule(bench, task, fixing));
      return { status: 'again', standing: { ...standing, fixes: [...standing.fixes, ...fixes] } };
    },
  });
  return ended.status === 'stalled' ? ended.standing : ended.result;
}

type ReviewEnd = RoundEnd<FinalReview, FinalReview, FinalReview>;

function describeRound(round: ReviewEnd): StepEndInput {
  const { mustFix, advisory, release, reason } = 'result' in round ? round.result : round.standing;
  const lines = [...mustFix, ...advisory].map((finding) => `- ${findingLine(finding)}`);
  const counts = `${mustFix.length} must-fix, ${advisory.length} advisory`;
  const report = {
    findings: [
      ...mustFix.map((finding) => agreedFinding(finding, 'must-fix', 'final review')),
      ...advisory.map((finding) => agreedFinding(finding, 'advisory', 'final review')),
    ],
  };
  return {
    status: release === 'clear' ? 'done' : 'failed',
    detail: release === 'clear' ? counts : reason,
    lines,
    report,
  };
}

async function reviewRound(
  bench: Bench,
  context: ModuleContext,
  { round, standing }: RoundStart<FinalReview>,
): Promise<ReviewEnd> {
  const { commit } = await bench.perform('integration.read', `final/base#${round}`, {});
  const { findings: found, missing } = await reviewAll(bench, { round, commit, context });
  const findings = withUnfixed(standing, found);
  const reason = describe(findings.mustFix, missing);
  const reviewed: FinalReview = {
    ...findings,
    release: reason === '' ? 'clear' : 'blocked',
    reason,
    fixes: standing.fixes,
  };
  if (reason === '') return { status: 'passed', result: reviewed };
  const { mustFix } = findings;
  // Readers that did not answer, and findings in no file, are nothing that an agent could fix.
  if (fixableFiles(mustFix).length === 0) return { status: 'over', result: reviewed };
  return { status: 'red', standing: reviewed, reason, remaining: mustFix.length };
}

interface Round {
  readonly round: number;
  readonly commit: string;
  readonly context: ModuleContext;
}

async function reviewAll(bench: Bench, { round, commit, context }: Round): Promise<ReadersVerdict> {
  const { input, plan } = context;
  const diff = await bench.perform('diff.read', `final/diff#${round}`, {
    from: bench.run.base,
    to: commit,
    chars: diffChars,
  });
  return reviewWithReaders(bench, `final/review#${round}`, {
    commit,
    readers: readersByLens,
    workspace: `final-${round}`,
    knownFiles: plan.flatMap((task) => task.writes),
    ask: ({ id }, { key, workspace }) =>
      askModuleRole(bench, key, {
        input,
        role: 'auditor',
        workspace,
        commit,
        brief: (recovery) => auditorBrief({ input, plan, diff, lens: id }, recovery),
      }),
  });
}

const readersByLens = (Object.keys(auditLenses) as AuditLens[]).map((id) => ({
  id,
  title: auditLenses[id],
  label: `lens ${id}, ${lensWords[id]}`,
  name: `lens ${id}`,
}));

/** One small module for the findings of one file; it may change what the module that owns the file may. */
function fixTasks(findings: readonly AgreedFinding[], round: number, { plan, checks }: ModuleContext): readonly Task[] {
  return fixableFiles(findings).map((file, index) => {
    const about = findings.filter((finding) => finding.file === file);
    const owners = plan.filter((task) => isPathCovered(task.writes, file));
    const judges = owners.length === 0 ? plan : owners;
    const claims = about.map(
      ({ line, claim, evidence }) => `line ${line}: ${claim}${evidence === '' ? '' : ` (${evidence})`}`,
    );
    return taskSchema.parse({
      id: `F${round}-${index + 1}`,
      title: `Fix ${file}`,
      objective: `The final review found in ${file}:\n${claims.join('\n')}`,
      kind: 'fix',
      writes: [...new Set([file, ...owners.flatMap((task) => task.writes)])],
      verify: [
        ...new Map(
          [...judges.flatMap((task) => task.verify), ...checks.entries].map((entry) => [JSON.stringify(entry), entry]),
        ).values(),
      ],
      doneWhen: 'What was found no longer holds, and a test shows it.',
      complexity: 'S',
    });
  });
}

function describe(mustFix: readonly AgreedFinding[], missing: readonly string[]): string {
  const number = mustFix.length === 1 ? 'one finding' : `${mustFix.length} findings`;
  const found = mustFix.length === 0 ? [] : [`${number} must be fixed: ${mustFix.map(describeFinding).join('; ')}`];
  const unread = missing.length === 0 ? [] : [`not reviewed through every lens (${missing.join('; ')})`];
  return [...found, ...unread].join('; ');
}

function describeFinding({ file, line, claim }: AgreedFinding): string {
  const why = isFixable(file) ? '' : ' (no file of the repository, so nobody was set to fix it)';
  return `${file}:${line} ${claim}${why}`;
}
