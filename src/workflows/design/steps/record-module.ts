/** What the delivery's log and tables say about a module: started, retried, decided on, merged. */
import type { Bench } from '../../../engine/bench.ts';
import { shortCommit } from '../../../views/figures.ts';
import { type DesignContext, moduleId } from '../context.ts';
import { type DocumentFile, designDocument, recordDelivery, writeDocuments } from '../keep-delivery.ts';
import type { DeliveryStanding } from '../plan/delivery-state.ts';
import { bulletList, proseText } from '../plan/markdown-text.ts';
import type { DiagnosisResult, PlanIssue } from '../role-results.ts';
import type { BuildRequest, ModuleStanding } from './module-round.ts';
import type { RoundStage } from '../rules/module-loop.ts';

const stageColumns = { gate: 'dev', tests: 'test', checks: 'test', discipline: 'review', review: 'review' } as const;

export async function recordRetry(
  bench: Bench,
  { name, subject, task }: BuildRequest,
  about: {
    readonly round: number;
    readonly reason: string;
    readonly retries: number;
    readonly stage: string;
    readonly counted: string;
  },
): Promise<void> {
  const id = moduleId(task.id);
  const column = stageColumns[about.stage as keyof typeof stageColumns] ?? 'dev';
  await recordDelivery(bench, subject.context, `${name}/round#${about.round}/retry`, {
    event: () => ({
      title: `${id} retry ${about.retries}`,
      context: id,
      event: `Round ${about.round} did not pass.`,
      details: [about.reason, ...(about.counted === '' ? [] : [about.counted])],
      outcome: 'The developer gets it back.',
      modules: {
        [id]: {
          dev: `Retry ${about.retries}`,
          [column]: column === 'dev' ? `Retry ${about.retries}` : 'Fail',
          retries: about.retries,
          notes: firstLine(about.reason),
        },
      },
    }),
  });
}

export async function recordReplan(
  bench: Bench,
  request: BuildRequest,
  about: { readonly round: number; readonly reason: string },
): Promise<void> {
  const id = moduleId(request.task.id);
  await recordDelivery(bench, request.subject.context, `${request.name}/replan#${about.round}`, {
    event: () => ({
      title: `${id} enters replan mode`,
      context: id,
      event: 'Three rounds in a row made no progress.',
      details: [about.reason],
      outcome: 'A stronger model tries another strategy.',
      modules: { [id]: { dev: 'Replan 1', notes: firstLine(about.reason) } },
    }),
  });
}

/** A diagnosis that found a way which gives nothing up: it is taken without a person. */
export async function recordDiagnosis(
  bench: Bench,
  request: BuildRequest,
  about: { readonly key: string; readonly diagnosis: DiagnosisResult; readonly chosen: string },
): Promise<void> {
  const id = moduleId(request.task.id);
  const { pattern, rootCause, explanation, options } = about.diagnosis;
  await recordDelivery(bench, request.subject.context, `${about.key}/diagnosed`, {
    event: () => ({
      title: `${id} diagnosed: ${rootCause}`,
      context: id,
      event: 'Three more rounds made no progress.',
      details: [`pattern: ${pattern}`, explanation, ...options.map(({ title }) => `option: ${title}`)],
      outcome: `The developer goes this way: ${about.chosen}`,
      modules: { [id]: { dev: 'Replan 2', notes: firstLine(pattern) } },
    }),
  });
}

export async function recordDecision(
  bench: Bench,
  request: BuildRequest,
  about: { readonly key: string; readonly diagnosis: DiagnosisResult; readonly history: readonly string[] },
): Promise<void> {
  const id = moduleId(request.task.id);
  const { diagnosis } = about;
  await recordDelivery(bench, request.subject.context, `${about.key}/asked`, {
    event: () => ({
      title: `${id} needs a decision`,
      context: id,
      event: 'DECISION_REQUEST',
      details: [diagnosis.explanation, ...diagnosis.options.map(({ title }) => `option: ${title}`)],
      outcome: 'A person decides. Other modules continue.',
      modules: { [id]: { dev: 'Decision', notes: diagnosis.pattern } },
    }),
    files: [{ path: `reports/decision-request-${id}.md`, text: decisionText(id, diagnosis, about.history) }],
  });
}

function decisionText(
  id: string,
  { pattern, rootCause, explanation, options }: DiagnosisResult,
  history: readonly string[],
): string {
  const choices = options.map(
    ({ title, change, tradeOffs, affects }, at) =>
      `### Option ${at + 1}: ${proseText(title)}\n\n${proseText(change)}\n\n**Trade-offs:** ${proseText(tradeOffs) || '—'}\n\n**Affects:** ${proseText(affects) || '—'}`,
  );
  return `# Decision request: ${id}\n\n## Diagnosis\n\n**Pattern:** ${proseText(pattern)}\n\n**Root cause:** ${rootCause}\n\n${proseText(explanation)}\n\n## Options\n\n${choices.join('\n\n')}\n\n## What was tried\n\n${bulletList(history)}\n`;
}

export async function recordDecided(
  bench: Bench,
  context: DesignContext,
  about: {
    readonly key: string;
    readonly id: string;
    readonly choice: string;
    readonly outcome: string;
    readonly row?: Readonly<Record<string, string>>;
  },
): Promise<void> {
  await recordDelivery(bench, context, `${about.key}/decided`, {
    event: () => ({
      title: `${about.id}: a person decided`,
      context: about.id,
      event: 'Human decision',
      details: [about.choice],
      outcome: about.outcome,
      ...(about.row === undefined ? {} : { modules: { [about.id]: about.row } }),
    }),
  });
}

export async function recordRevision(
  bench: Bench,
  context: DesignContext,
  about: {
    readonly key: string;
    readonly id: string;
    readonly issue: PlanIssue;
    /** Modules whose plans it may touch. */
    readonly affected: readonly string[];
    readonly outcome: string;
  },
): Promise<void> {
  const { id, issue, affected } = about;
  await recordDelivery(bench, context, `${about.key}/revision`, {
    event: () => ({
      title: `${id} needs a plan revision: ${issue.type}`,
      context: id,
      event: 'PLAN_REVISION_NEEDED',
      details: [
        issue.evidence,
        ...(issue.suggestion === '' ? [] : [issue.suggestion]),
        `affected plans: ${affected.join(', ')}`,
      ],
      outcome: about.outcome,
      modules: { [id]: { plan: 'Revision', notes: issue.type } },
    }),
    files: [
      {
        path: `reports/plan-revision-${id}.md`,
        text: `# Plan revision: ${id}\n\n**Issue type:** ${issue.type}\n\n**Evidence:** ${proseText(issue.evidence)}\n\n**Missing:** ${proseText(issue.capability) || '—'}\n\n**Suggested fix:** ${proseText(issue.suggestion) || '—'}\n\n**Affected plans:** ${affected.join(', ')}\n`,
      },
    ],
  });
}

export async function recordMerged(
  bench: Bench,
  context: DesignContext,
  about: {
    readonly key: string;
    readonly id: string;
    /** What it became, the last last. */
    readonly commits: readonly string[];
    readonly retries: number;
    readonly tests: string;
    readonly notes: readonly string[];
    /** Where the work stood when it passed; undefined where nothing had to be built. */
    readonly built: ModuleStanding | undefined;
    readonly coverage: (standing: DeliveryStanding) => DeliveryStanding['coverage'];
  },
): Promise<DeliveryStanding> {
  const { key, id, commits, retries } = about;
  return recordDelivery(bench, context, `${key}/merged`, {
    event: ({ coverage, ...standing }) => ({
      title: `${id} approved and merged`,
      context: id,
      event: 'APPROVE',
      details: [`retries: ${retries}`, about.tests, `commits ${commits.map(shortCommit).join(', ')}`],
      outcome: 'What needs it can start.',
      modules: {
        [id]: {
          plan: 'Done',
          dev: 'Done',
          test: 'Done',
          review: 'Approved',
          merged: 'Yes',
          retries,
          notes: '',
          commits: [...commits],
        },
      },
      coverage: about.coverage({ coverage, ...standing }),
    }),
    files: moduleReports(about),
  });
}

function moduleReports({
  id,
  commits,
  retries,
  tests,
  notes,
  built: standing,
}: {
  id: string;
  commits: readonly string[];
  retries: number;
  tests: string;
  notes: readonly string[];
  built: ModuleStanding | undefined;
}): readonly DocumentFile[] {
  const state = {
    total_retries: retries,
    stall_count: 0,
    has_replanned: standing?.hasReplanned ?? false,
    previous_test_failures: countAt(standing, ['test', 'checks']),
    previous_findings: countAt(standing, ['discipline', 'review']),
    retry_history: standing?.history ?? [],
    commit: commits.at(-1) ?? '',
  };
  return [
    { path: `reports/developer-notes-${id}.md`, text: `# Developer notes: ${id}\n\n${bulletList(notes)}\n` },
    { path: `reports/test-report-${id}.md`, text: `# Test report: ${id}\n\n${proseText(tests)}\n` },
    {
      path: `reports/review-${id}.md`,
      text: `# Review: ${id}\n\n**Verdict:** APPROVE\n\n${bulletList(notes.filter((note) => note.startsWith('suggested:')))}\n`,
    },
    { path: `reports/module-state-${id}.json`, text: `${JSON.stringify(state, null, 2)}\n` },
  ];
}

function countAt(standing: ModuleStanding | undefined, stages: readonly RoundStage[]): number {
  const last = standing?.last;
  return last !== undefined && stages.includes(last.stage) ? last.count : 0;
}

export async function recordPhaseStart(
  bench: Bench,
  context: DesignContext,
  about: { readonly phase: number; readonly modules: readonly string[] },
): Promise<void> {
  await recordDelivery(bench, context, `phase-${about.phase}/start`, {
    event: () => ({
      title: `Phase ${about.phase} started`,
      context: `Phase ${about.phase}`,
      event: 'Phase started',
      details: [`modules: ${about.modules.join(', ')}`, ...about.modules.map((id) => `workspace of ${id}: ${id}`)],
      outcome: 'Its modules are built as soon as what they need is merged.',
    }),
  });
}

export async function recordPhase(
  bench: Bench,
  context: DesignContext,
  about: { readonly phase: number; readonly modules: readonly string[] },
): Promise<void> {
  await recordDelivery(bench, context, `phase-${about.phase}/status`, {
    message: `docs(plan): update status after phase-${about.phase}`,
    event: () => ({
      title: `Phase ${about.phase} merged`,
      context: `Phase ${about.phase}`,
      event: 'Phase merge completed',
      details: [`modules: ${about.modules.join(', ')}`],
      outcome: 'The status tables are up to date.',
    }),
  });
}

/** The design's own table, in a commit of its own form. */
export async function recordDesign(
  bench: Bench,
  context: DesignContext,
  about: {
    readonly key: string;
    readonly message: string;
    readonly status: 'Implementing' | 'Implemented';
    readonly standing: DeliveryStanding;
  },
): Promise<void> {
  const files = designDocument(context, about.standing, about.status);
  if (files.length === 0) return;
  await bench.exclusive('integrate', () =>
    writeDocuments(bench, about.key, context, { message: about.message, files }),
  );
}

function firstLine(text: string): string {
  return (text.split('\n', 1)[0] ?? '').slice(0, 160);
}
