/**
 * From a request to a plan that a person approved: an agent proposes; faults go back to it; open questions are asked
 * once; the workflow's own rules may send it back; then it is shown, and a person approves it, asks for changes in words,
 * edits it, or stops. Nothing runs and nobody is asked after this. Every loop is bounded, every key is used once.
 */
import type { Bench } from '../../engine/bench.ts';
import type { EffectInput } from '../../engine/effect-map.ts';
import { type Plan, planSchema } from '../../plan/plan.ts';
import type { Issue } from '../../plan/refusal.ts';
import { verifyOf } from '../../plan/verify-entries.ts';
import type { CheckReport } from '../../policy/check-report.ts';
import { describeJudges } from '../../policy/describe-judges.ts';
import type { PageInput } from '../../policy/page.ts';
import { type AgentAnswer, explainAnswer } from './ask-agent.ts';

/** Why the planner is asked again. */
export type PlanNote<P> =
  | { readonly kind: 'faults'; readonly issues: readonly Issue[] }
  /** The planner's questions are answered. */
  | { readonly kind: 'decisions' }
  /** The workflow's own rules are against it. */
  | { readonly kind: 'judged'; readonly reasons: readonly string[] }
  /** A person wants something else, in their words. */
  | { readonly kind: 'changes'; readonly text: string; readonly shown: P };

export interface ConfirmedDecision {
  readonly question: string;
  readonly answer: string;
}

export interface OpenQuestion {
  readonly question: string;
  readonly why: string;
  /** The first one is recommended. */
  readonly options: readonly string[];
}

/** What a proposal `P` is made of, whatever else the workflow keeps with it. */
export interface PlanProposal {
  readonly plan: Plan;
}

export interface Planning<R, P extends PlanProposal> {
  /** What the project's own checks said before anything was planned. */
  readonly base: CheckReport;
  readonly propose: (asked: PlanRound<P>) => Promise<AgentAnswer<R>>;
  readonly read: (result: R, decisions: readonly ConfirmedDecision[]) => ReadProposal<P>;
  readonly questions?: (result: R) => readonly OpenQuestion[];
  /** Reasons to plan again, asked of a person if need be. */
  readonly judge?: (proposal: P, round: number) => Promise<PlanJudgement>;
  readonly present: (proposal: P) => PresentedProposal;
  /** The last word before a person is asked; it may change the proposal or stop. `suffix` makes keys unique. */
  readonly prepare?: (proposal: P, suffix: string) => Promise<P | PlanningStopped>;
  readonly readEdit: (text: string, proposal: P) => EditedProposal<P>;
  /** Recorded with the plan that was accepted. */
  readonly accepted?: (proposal: P) => Promise<void>;
}

export interface PlanRound<P> {
  readonly round: number;
  readonly note: PlanNote<P> | undefined;
  readonly decisions: readonly ConfirmedDecision[];
}

export type ReadProposal<P> =
  | { readonly status: 'sound'; readonly proposal: P }
  | { readonly status: 'faulty'; readonly issues: readonly Issue[] };

export type PlanJudgement =
  | { readonly next: 'show' }
  | { readonly next: 'again'; readonly reasons: readonly string[] }
  | { readonly next: 'stop'; readonly reason: string };

export interface PresentedProposal {
  readonly page: PageInput;
  /** What a person may edit. */
  readonly draft: string;
  /** For people who read along. */
  readonly lines: string;
  /** What the workflow's documents need of it. */
  readonly data?: unknown;
  readonly forecast: EffectInput<'forecast.make'>;
}

export type EditedProposal<P> =
  | { readonly status: 'usable'; readonly proposal: P }
  | { readonly status: 'faulty'; readonly problems: readonly string[] };

export interface PlanningStopped {
  readonly status: 'stopped';
  readonly reason: string;
}

export type PlannedWithPerson<P> = { readonly status: 'approved'; readonly proposal: P } | PlanningStopped;

/** How often faults go back, how often the workflow's rules send it back, and how often a person may change it. */
const mostFaults = 3;
const mostJudged = 3;
const mostChanges = 8;
const mostEdits = 8;

export async function planWithPerson<R, P extends PlanProposal>(
  bench: Bench,
  planning: Planning<R, P>,
): Promise<PlannedWithPerson<P>> {
  const decisions: ConfirmedDecision[] = [];
  const counts = { faults: 0, judged: 0, changes: 0, shown: 0, asked: 0 };
  let note: PlanNote<P> | undefined;
  for (let round = 1; ; round += 1) {
    const answer = await planning.propose({ round, note, decisions });
    if (answer.status !== 'accepted') return stopped(`there is no plan: ${explainAnswer(answer)}`);
    const read = planning.read(answer.result, decisions);
    if (read.status === 'faulty') {
      counts.faults += 1;
      if (counts.faults > mostFaults)
        return stopped(`no plan that can be used after ${round} rounds: ${describeIssues(read.issues)}`);
      note = { kind: 'faults', issues: read.issues };
      continue;
    }
    const open = decisions.length > 0 ? [] : (planning.questions?.(answer.result) ?? []);
    if (open.length > 0) {
      decisions.push(...(await askOpenQuestions(bench, open)));
      note = { kind: 'decisions' };
      continue;
    }
    const judged = (await planning.judge?.(read.proposal, round)) ?? { next: 'show' };
    if (judged.next === 'stop') return stopped(judged.reason);
    if (judged.next === 'again' && counts.judged < mostJudged) {
      counts.judged += 1;
      note = { kind: 'judged', reasons: judged.reasons };
      continue;
    }
    const decided = await decide(bench, planning, read.proposal, counts);
    if (decided.status !== 'changes') return decided;
    counts.changes += 1;
    if (counts.changes > mostChanges) return stopped(`no plan was agreed on in ${counts.changes} rounds`);
    note = { kind: 'changes', text: decided.text, shown: read.proposal };
  }
}

/** All questions are open at once, so that one visit of a person answers them. */
export async function askOpenQuestions(
  bench: Bench,
  questions: readonly OpenQuestion[],
  prefix = 'clarify',
): Promise<readonly ConfirmedDecision[]> {
  const asked = questions.map(async ({ question, why, options }, index) => {
    const answer = await bench.ask(`${prefix}/${index + 1}`, {
      title: question,
      detail: why,
      options: options.map((label, at) => ({ id: String(at + 1), label, recommended: at === 0 })),
      freeText: true,
      topic: 'clarification',
    });
    return { question, answer: answer.text ?? options[Number(answer.option) - 1] ?? '' };
  });
  return Promise.all(asked);
}

type Decided<P> = PlannedWithPerson<P> | { readonly status: 'changes'; readonly text: string };

async function decide<R, P extends PlanProposal>(
  bench: Bench,
  planning: Planning<R, P>,
  proposed: P,
  counts: { shown: number; asked: number },
): Promise<Decided<P>> {
  counts.shown += 1;
  const suffix = counts.shown === 1 ? '' : `#${counts.shown}`;
  const { forecast, lines, data } = planning.present(proposed);
  await bench.perform('forecast.make', `forecast${suffix}`, forecast);
  const more = data === undefined ? {} : { data: data as null };
  await bench.record(`proposal${suffix}`, 'note.recorded', { text: lines, ...more });
  const prepared = (await planning.prepare?.(proposed, suffix)) ?? proposed;
  if (isStopped(prepared)) return prepared;
  let proposal = prepared;
  let problems: readonly string[] = [];
  for (let edit = 1; edit <= mostEdits; edit += 1) {
    counts.asked += 1;
    const key = counts.asked === 1 ? 'approve' : `approve#${counts.asked}`;
    const { page, draft } = planning.present(proposal);
    const judges = describeJudges(planning.base, verifyOf(proposal.plan.tasks));
    const answer = await bench.ask(key, { ...approvalQuestion(problems, judges), page, draft });
    if (answer.option === 'no') return stopped('the plan was not approved');
    if (answer.option === 'modify') return { status: 'changes', text: answer.text ?? 'Plan it differently.' };
    if (answer.text !== undefined) {
      const edited = planning.readEdit(answer.text, proposal);
      problems = edited.status === 'faulty' ? edited.problems : [];
      if (edited.status === 'faulty') continue;
      ({ proposal } = edited);
    }
    await planning.accepted?.(proposal);
    await bench.record('plan', 'plan.accepted', { plan: planSchema.parse(proposal.plan) });
    return { status: 'approved', proposal };
  }
  return stopped('no edited plan could be used');
}

function approvalQuestion(problems: readonly string[], judges: string) {
  return {
    title: 'Go ahead with this plan?',
    detail: [...(problems.length === 0 ? [] : ['That plan could not be used:', ...problems]), judges]
      .filter((line) => line !== '')
      .join('\n'),
    options: [
      { id: 'yes', label: 'Yes, start', recommended: true },
      { id: 'modify', label: 'Plan it differently (say how)' },
      { id: 'no', label: 'No, stop here' },
    ],
    freeText: true,
    topic: 'approval',
  };
}

function describeIssues(issues: readonly Issue[]): string {
  return issues
    .slice(0, 3)
    .map(({ where, problem, fix }) => `${where}: ${problem} ${fix}`)
    .join(' ');
}

function isStopped(value: object): value is PlanningStopped {
  return 'status' in value && value.status === 'stopped';
}

function stopped(reason: string): PlanningStopped {
  return { status: 'stopped', reason };
}
