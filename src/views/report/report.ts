/**
 * A run as one report, as data: the plan with what became of each part, when what was worked on, what was measured and
 * found, what was merged, what it took, what was asked and learnt. Every format is drawn from here. Works for any
 * workflow and for a run that is under way.
 */
import type { RunStatus } from '../../engine/run-state.ts';
import type { Usage } from '../../policy/usage.ts';
import type { Receipt } from '../../policy/receipt.ts';
import { replyOf } from '../agent-reading.ts';
import { type Chronicle, lastReading } from '../chronicle.ts';
import { modulesProposal, orderOf } from '../modules-proposal.ts';
import { modulesSummary } from '../modules-summary.ts';
import { proposalOf, requirementOf } from '../proposal.ts';
import { summaryOf } from '../summary.ts';
import { type Advice, adviceOf, failedCommands } from '../summary-text.ts';
import { type ReportCheck, reportChecks } from './report-checks.ts';
import { type ReportFinding, reportFindings } from './report-findings.ts';
import { type ReportRetry, reportRetries } from './report-retries.ts';
import { type ReportSpan, reportSpans, type SpendRow, spendByOwner, spendByRole } from './report-spans.ts';
import { type ReportUnit, reportUnits } from './report-units.ts';

export interface Report {
  readonly run: string;
  readonly title: string;
  readonly requirement: string;
  readonly workflow: string;
  readonly forge: string;
  readonly status: RunStatus;
  readonly reason: string;
  readonly base: string;
  readonly startedFrom: string | undefined;
  readonly branch: string | undefined;
  readonly startedAt: string;
  /** Of the newest fact, while it is not over. */
  readonly endedAt: string;
  readonly wallMs: number;
  readonly workedMs: number;
  readonly usage: Usage;
  /** Of a run with a final review. */
  readonly release: 'clear' | 'blocked' | undefined;
  readonly units: readonly ReportUnit[];
  /** Ids of units, by what they wait for. */
  readonly stages: readonly (readonly string[])[];
  readonly warnings: readonly string[];
  readonly risks: readonly string[];
  readonly decisions: readonly string[];
  readonly spans: readonly ReportSpan[];
  readonly checks: readonly ReportCheck[];
  readonly findings: readonly ReportFinding[];
  readonly retries: readonly ReportRetry[];
  readonly receipts: readonly Receipt[];
  readonly spend: { readonly byRole: readonly SpendRow[]; readonly byTask: readonly SpendRow[] };
  readonly lessons: {
    readonly added: number;
    readonly applied: readonly string[];
    readonly learnt: readonly { readonly category: string; readonly text: string }[];
  };
  readonly questions: readonly ReportQuestion[];
  /** Commands for a shell that look into what was not done and try it again. */
  readonly next: readonly string[];
  /** The same by what went wrong. */
  readonly advice: readonly Advice[];
}

export interface ReportQuestion {
  readonly key: string;
  readonly askedAt: string;
  readonly title: string;
  readonly detail: string;
  /** In words; undefined while nobody has answered. */
  readonly answer: string | undefined;
  readonly by: string;
}

export function reportOf(chronicle: Chronicle): Report {
  const { state, timeline } = chronicle;
  const summary = summaryOf(chronicle);
  const proposal = proposalOf(chronicle);
  const modules = modulesProposal(chronicle);
  const units = reportUnits(chronicle);
  const learnt = replyOf(lastReading(chronicle, 'learn'), 'learner')?.lessons ?? [];
  return {
    run: summary.run,
    title: summary.title,
    requirement: requirementOf(chronicle),
    workflow: state.created?.workflow ?? '',
    forge: state.created?.forge ?? '',
    status: state.status,
    reason: state.reason,
    base: summary.base,
    startedFrom: summary.startedFrom,
    branch: summary.branch,
    startedAt: timeline.run.startedAt,
    endedAt: timeline.run.endedAt ?? timeline.seen,
    wallMs: summary.wallMs,
    workedMs: summary.workedMs,
    usage: state.usage,
    release: modules === undefined ? undefined : modulesSummary(chronicle).release,
    units,
    stages: stagesOf(units),
    warnings: proposal?.warnings ?? [],
    risks: [...(proposal?.risks ?? []), ...(modules?.remembered ?? [])],
    decisions: [...(state.plan?.decisions ?? []), ...decidedIn(proposal?.confirmedDecisions ?? [])],
    spans: reportSpans(chronicle),
    checks: reportChecks(chronicle),
    findings: reportFindings(chronicle),
    retries: reportRetries(chronicle),
    receipts: state.receipts,
    spend: { byRole: spendByRole(chronicle), byTask: spendByOwner(chronicle) },
    lessons: {
      added: summary.lessons.added,
      applied: proposal?.knowledgeApplied ?? [],
      learnt: learnt.map(({ category, text }) => ({ category, text })),
    },
    questions: questionsOf(chronicle),
    next: failedCommands(summary),
    advice: adviceOf(summary),
  };
}

/** What mends the final review's findings comes after all that was planned, whatever it depends on. */
function stagesOf(units: readonly ReportUnit[]): readonly (readonly string[])[] {
  const planned = units.filter((unit) => unit.origin === 'plan');
  const fixes = units.filter((unit) => unit.origin !== 'plan').map((unit) => unit.id);
  return [...(planned.length === 0 ? [] : orderOf(planned)), ...(fixes.length === 0 ? [] : [fixes])];
}

function decidedIn(decisions: readonly { readonly question: string; readonly answer: string }[]): string[] {
  return decisions.map(({ question, answer }) => `${question} ${answer}`);
}

function questionsOf({ state }: Chronicle): ReportQuestion[] {
  return [...state.questions].map(([key, { question, askedAt, answer }]) => {
    const label = question.options.find((option) => option.id === answer?.option)?.label ?? answer?.option;
    const words = [label, answer?.text].filter((part) => part !== undefined && part !== '').join(': ');
    return {
      key,
      askedAt,
      title: question.title,
      detail: question.detail,
      answer: answer === undefined ? undefined : words,
      by: answer?.by ?? '',
    };
  });
}
