/**
 * What the agent of a phase is told, composed anew for every phase, in a fixed order and within budgets: architecture,
 * the last three summaries, where in the review loop it is, the role, the project as far as the task touches it, paths,
 * what to do, and how to answer. The second attempt gets less of it and is told to give a result in any case. Pure.
 */
import type { PipelinePhase } from '../../policy/pipeline-settings.ts';
import { renderSections, type Section } from '../../policy/sections.ts';
import { phaseRole } from '../../pipelines/phase-roles.ts';
import type { StoredRecord } from '../../records/entity.ts';
import { unlessEmpty } from '../moves/brief-parts.ts';
import { phaseTask } from './phase-task.ts';

export interface PhaseBrief {
  readonly kind: 'task' | 'bug';
  readonly id: string;
  readonly record: StoredRecord;
  readonly phase: PipelinePhase;
  /** `{task}:{persona}:{role}:{iteration}`. */
  readonly agentName: string;
  readonly iteration: number;
  /** Times a review has sent work back before this round, where this is a review. */
  readonly revisions: number;
  readonly architecture: string;
  readonly guidance: string;
  readonly role: string;
  readonly overlay: string;
  readonly paths: readonly string[];
  /** Files that this phase has to leave, with sizes. */
  readonly outputs: readonly string[];
  /** What a reviewer judges: the difference, what the engine measured. */
  readonly material: readonly Section[];
  /** Why this phase is done again. */
  readonly sentBack: string;
  readonly resultText: string;
}

const budgets = { architecture: 24_000, summaries: 8_000, role: 6_000, overlay: 12_000, task: 8_000 };

export function phasePrompt(brief: PhaseBrief): string {
  const { phase, record, architecture, guidance } = brief;
  const wantsSummaries = phase.context.prior_summaries !== 'none';
  return renderSections(
    [
      ...unlessEmpty({
        title: 'Architecture',
        text: phase.context.architecture ? architecture : '',
        budget: budgets.architecture,
      }),
      ...unlessEmpty({ title: "The project's own guidance for agents", text: guidance, budget: 12_000 }),
      ...unlessEmpty({
        title: 'What earlier phases came to',
        text: wantsSummaries ? lastSummaries(record) : '',
        budget: budgets.summaries,
      }),
      ...loopSection(brief),
      ...roleSection(brief),
      { title: 'Project context', text: brief.overlay, budget: budgets.overlay },
      ...pathSection(brief),
      ...brief.material,
      ...workSection(brief),
      finalizeSection(brief),
    ],
    { checkpoint: 'your result' },
  );
}

/** For the one retry: without what is not needed to give a result. */
export function simplifiedPrompt(brief: PhaseBrief, why: string): string {
  return renderSections([
    ...loopSection(brief),
    ...roleSection(brief),
    ...pathSection(brief),
    ...brief.material,
    ...workSection(brief),
    { title: 'Project context', text: brief.overlay, budget: budgets.overlay },
    {
      title: 'This is a second attempt',
      text: `The first one gave no usable result: ${why}\nWhat it left in the workspace is in place. You must give a result. If the work cannot be completed, say so in the result.`,
      budget: 2_000,
    },
    finalizeSection(brief),
  ]);
}

const mostSummaries = 3;

/** The newest last, by when they were written. */
function lastSummaries({ summaries }: StoredRecord): string {
  const entries = typeof summaries === 'object' && summaries !== null ? Object.entries(summaries) : [];
  return entries
    .map(([phase, summary]) => ({ phase, summary: Object(summary) as Readonly<Record<string, unknown>> }))
    .sort((a, b) => String(a.summary['written_at']).localeCompare(String(b.summary['written_at'])))
    .slice(-mostSummaries)
    .map(({ phase, summary }) => summaryText(phase, summary))
    .join('\n\n');
}

/** A difference that was reviewed and is long gives way to what the review said; the files are in the workspace. */
export function changeSection(role: string, { summaries }: StoredRecord, diff: string): Section {
  const section = { title: 'The change', text: diff, budget: 60_000 };
  const review = Object(Object(summaries)['code_review']) as Readonly<Record<string, unknown>>;
  const isReviewed = role !== 'review-code' && review['verdict'] === 'approved';
  if (!isReviewed || diff.length <= longestReread) return section;
  const files = [...new Set([...diff.matchAll(/^\+\+\+ b\/(.+)$/gm)].map(([, path = '']) => `- ${path}`))];
  const text = [summaryText('code_review', review), 'Files it changes, to look at where you have to:', ...files];
  return { ...section, summary: { name: 'the summary of review-code', text: text.join('\n') } };
}

const longestReread = 20_000;

function summaryText(phase: string, summary: Readonly<Record<string, unknown>>): string {
  const { objective, verdict, key_changes: changes, findings } = summary;
  const list = (title: string, value: unknown): readonly string[] =>
    Array.isArray(value) && value.length > 0 ? [`${title}:`, ...value.map((one) => `- ${String(one)}`)] : [];
  const judged = typeof verdict === 'string' && verdict !== 'n/a' ? ` (${verdict})` : '';
  return [
    `### ${phase}${judged}`,
    typeof objective === 'string' ? objective : '',
    ...list('Changes', changes),
    ...list('Findings', findings),
  ].join('\n');
}

function loopSection({ phase, revisions }: PhaseBrief): readonly Section[] {
  if (!phaseRole(phase.role).isReview) return [];
  const iteration = revisions + 1;
  const isLast = iteration >= phase.maxIterations;
  const text = [
    `Iteration: ${iteration} of ${phase.maxIterations}`,
    `Is the last iteration: ${isLast ? 'yes' : 'no'}`,
    ...(isLast ? ['If you ask for a revision now, a person decides. Never approve just because it is the last.'] : []),
  ].join('\n');
  return [{ title: 'Review loop', text, budget: 1_000 }];
}

function roleSection({ role, agentName }: PhaseBrief): readonly Section[] {
  return [{ title: 'Your role', text: `${role}\n\nYour name in logs: ${agentName}`, budget: budgets.role }];
}

function pathSection({ paths }: PhaseBrief): readonly Section[] {
  return [{ title: 'Where things are', text: paths.map((path) => `- ${path}`).join('\n'), budget: 2_000 }];
}

function workSection(brief: PhaseBrief): readonly Section[] {
  const { phase, outputs, sentBack, id } = brief;
  const text = [
    `${phase.command} for ${id}.`,
    phaseTask(brief.kind, phase.role),
    ...(outputs.length === 0 ? [] : ['You have to leave these files:', ...outputs.map((one) => `- ${one}`)]),
  ].join('\n');
  return [
    ...unlessEmpty({ title: 'Why this is done again', text: sentBack, budget: 8_000 }),
    { title: 'What to do', text, budget: budgets.task },
  ];
}

function finalizeSection({ resultText }: PhaseBrief): Section {
  return { title: 'How to end', text: resultText, budget: 20_000 };
}
