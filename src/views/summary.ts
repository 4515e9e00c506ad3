/**
 * What a run came to, as data: what was built, the evidence for it, what remains, what it took and where it
 * is. Every skin tells it from here; summary-text.ts tells it on a terminal. Works for any workflow, and for a
 * run that stopped half-way.
 */
import type { TaskOutcome } from '../engine/facts.ts';
import { isOver, type RunStatus } from '../engine/run-state.ts';
import type { Usage } from '../policy/usage.ts';
import type { Amount } from '../policy/amount.ts';
import { lostOf } from '../policy/budget.ts';
import type { Finding, RedGreen } from '../policy/finding.ts';
import type { ScopeFlag } from '../policy/receipt.ts';
import type { Bug, TesterResult } from '../policy/role-results.ts';
import { replyOf } from './agent-reading.ts';
import { type Chronicle, isModules, lastReading } from './chronicle.ts';
import { documentsOf } from './documents/documents.ts';
import { type Landing, landingOf } from './landing.ts';
import { isLens, moduleTitle } from './modules-keys.ts';
import { modulesSummary, type ModulesSummary } from './modules-summary.ts';
import { proposalOf, slugOf } from './proposal.ts';
import { runFigures } from './run-output.ts';
import { between, workedMs } from './timeline.ts';
import { outputOf } from './view-node.ts';
import { integrationRounds, roundsOf, testsOf } from './waves-keys.ts';
import { checksText } from './wording.ts';

export interface RunSummary {
  readonly run: string;
  readonly title: string;
  readonly status: RunStatus;
  readonly reason: string;
  readonly base: string;
  /** Where the user stood. */
  readonly startedFrom: string | undefined;
  readonly branch: string | undefined;
  readonly landing: Landing | undefined;
  readonly merged: readonly MergedWork[];
  /** What was not merged, with the commit that keeps it. */
  readonly open: readonly {
    readonly task: string;
    readonly status: string;
    readonly reason: string;
    readonly commit?: string;
  }[];
  readonly checks: readonly { readonly name: string; readonly text: string }[];
  readonly tests: Pick<TesterResult, 'unit' | 'integration' | 'skipped'>;
  /** New or changed test files by how they did without the change they are for. */
  readonly redGreen: Readonly<Record<RedGreen['result'], number>>;
  readonly findings: readonly Finding[];
  readonly flags: readonly (ScopeFlag & { readonly task: string })[];
  readonly bugs: { readonly found: number; readonly fixed: number; readonly remaining: readonly Bug[] };
  readonly unverified: readonly string[];
  /** `applied`: earlier ones that the plan used. */
  readonly lessons: { readonly added: number; readonly applied: number; readonly texts: readonly string[] };
  /** How often bugs went back, by wave and for the whole. */
  readonly fixRounds: readonly { readonly at: string; readonly rounds: number }[];
  /** What it left to be read, e.g. `plan.md`, each after `prefix`. */
  readonly documents: { readonly prefix: string; readonly names: readonly string[] };
  readonly usage: Usage;
  /** Of work that was cut off: what it had set aside counts as used. */
  readonly lost: Amount;
  readonly wallMs: number;
  /** Without the time in which nobody worked on it. */
  readonly workedMs: number;
  /** Commits captured from agents, merged or not. */
  readonly captured: number;
  /** Of a run of `modules`. */
  readonly modules?: ModulesSummary;
}

export interface MergedWork {
  readonly task: string;
  readonly title: string;
  readonly commit: string;
  readonly files: number;
}

export function summaryOf(chronicle: Chronicle): RunSummary {
  const { state, timeline } = chronicle;
  const figures = runFigures(chronicle);
  const evidence = evidenceOf(chronicle);
  return {
    run: state.created?.run ?? '',
    title: state.created?.title ?? '',
    status: state.status,
    reason: state.reason,
    base: state.created?.base ?? '',
    startedFrom: state.created?.branch,
    branch: figures.branch,
    landing: landingOf(state),
    merged: state.receipts.map(({ task, after, changed }) => ({
      task,
      title: titleOf(chronicle, task),
      commit: after,
      files: changed.length,
    })),
    open: [...state.tasks].flatMap(([key, { outcome }]) =>
      outcome === undefined || outcome.status === 'done' || (isModules(chronicle) && isLens(key))
        ? []
        : [
            {
              task: outcome.task,
              status: outcome.status,
              reason: outcome.reason,
              ...kept(keptCommit(state, outcome)),
            },
          ],
    ),
    checks: lastChecks(chronicle),
    tests: lastTests(chronicle),
    ...evidence,
    flags: state.receipts.flatMap(({ task, flags }) => flags.map((flag) => ({ ...flag, task }))),
    bugs: { found: figures.bugsFound, fixed: figures.bugsFixed, remaining: figures.remainingBugs },
    unverified: figures.unverified,
    lessons: {
      added: figures.lessonsAdded,
      applied: proposalOf(chronicle)?.knowledgeApplied.length ?? 0,
      texts: (replyOf(lastReading(chronicle, 'learn'), 'learner')?.lessons ?? []).map((lesson) => lesson.text),
    },
    fixRounds: fixRoundsOf(chronicle),
    documents: documentNames(chronicle),
    usage: state.usage,
    lost: isOver(state) ? lostOf(state.budget) : {},
    wallMs: between(timeline.run.startedAt, timeline.run.endedAt ?? timeline.seen),
    workedMs: workedMs(timeline.run, timeline.seen),
    captured: new Set([...chronicle.readings.values()].filter((one) => one.changes.length > 0).map((one) => one.commit))
      .size,
    ...(isModules(chronicle) ? { modules: modulesSummary(chronicle) } : {}),
  };
}

/** The commit that holds what was not merged; undefined if it is one the work began from: then it left nothing of its own. */
export function keptCommit(
  { created, receipts }: Chronicle['state'],
  { commit }: Pick<TaskOutcome, 'commit'>,
): string | undefined {
  const isHead = commit === created?.base || receipts.some(({ after }) => after === commit);
  return isHead ? undefined : commit;
}

function kept(commit: string | undefined): { readonly commit?: string } {
  return commit === undefined ? {} : { commit };
}

function fixRoundsOf(chronicle: Chronicle): RunSummary['fixRounds'] {
  const waves = (proposalOf(chronicle)?.waves ?? []).map((_, index) => `W${index + 1}`);
  const whole = integrationRounds(chronicle).length;
  return [
    ...waves.flatMap((at) => {
      const rounds = roundsOf(chronicle, at).length;
      return rounds === 0 ? [] : [{ at, rounds: rounds - 1 }];
    }),
    ...(whole === 0 ? [] : [{ at: 'integration', rounds: whole - 1 }]),
  ];
}

function documentNames(chronicle: Chronicle): RunSummary['documents'] {
  const prefix = `${slugOf(chronicle)}-`;
  const names = documentsOf(chronicle).map(({ path }) => path.slice(prefix.length));
  return { prefix: `.forge/${prefix}`, names };
}

/** A wave is called by its tasks. */
function titleOf(chronicle: Chronicle, task: string): string {
  const proposal = proposalOf(chronicle);
  const titles = new Map(proposal?.tasks.map((one) => [one.id, one.title]));
  const wave = /^W(\d+)$/.exec(task)?.[1];
  const members = wave === undefined ? undefined : proposal?.waves[Number(wave) - 1];
  if (members !== undefined) return members.map((id) => `${id} ${titles.get(id) ?? ''}`.trim()).join(', ');
  if (isModules(chronicle)) return moduleTitle(chronicle, task);
  if (/^I\d+$/.test(task)) return 'Fixes of the integration test';
  return titles.get(task) ?? chronicle.state.plan?.tasks.find((one) => one.id === task)?.title ?? task;
}

/** The checks that count in the end: the newest of those on merged trees, else the newest of all. */
function lastChecks(chronicle: Chronicle): RunSummary['checks'] {
  // Checks of a module that was not merged are no evidence for anything; its reason says what failed.
  if (isModules(chronicle) && isOver(chronicle.state) && chronicle.state.receipts.length === 0) return [];
  const keys = [...chronicle.state.effects].flatMap(([key, { kind, result }]) =>
    kind === 'check.run' && result !== undefined && !/^baseline(?:$|\/)/.test(key) ? [key] : [],
  );
  const key =
    keys.find((one) => one === 'final/check') ??
    keys.findLast((one) => /\/integrate#\d+\/check$/.test(one)) ??
    keys.at(-1);
  const report = key === undefined ? undefined : outputOf(chronicle, key, 'check.run');
  if (report === undefined) return [];
  if (report.commands.length === 0) return [{ name: 'checks', text: checksText(report) }];
  return report.commands.map(({ label, status, reason }) => ({ name: label, text: `${status} (${reason})` }));
}

/** The integration test has the last word; without one, the waves' own add up. */
function lastTests(chronicle: Chronicle): RunSummary['tests'] {
  const waves = (proposalOf(chronicle)?.waves ?? []).map((_, index) => testsOf(chronicle, index + 1).at(-1));
  const whole = testsOf(chronicle, 'integration').at(-1);
  const parts = (whole === undefined ? waves : [whole]).flatMap((one) => one ?? []);
  const sum = (pick: 'unit' | 'integration'): TesterResult['unit'] => ({
    passed: parts.reduce((total, part) => total + part[pick].passed, 0),
    total: parts.reduce((total, part) => total + part[pick].total, 0),
  });
  return { unit: sum('unit'), integration: sum('integration'), skipped: parts.flatMap((part) => part.skipped) };
}

/**
 * Whose measurement a key is: what stands before its last numbered step, whichever generation of it. So measurements of
 * `m1/validate#1` and `m1@2/validate#1` replace each other, and those of `final/fix#1/F1-1` and `final/fix#1/F1-2` do not.
 */
function measuredUnit(key: string): string {
  const numbered = key.split('/').findLastIndex((part) => part.includes('#'));
  const unit = key
    .split('/')
    .slice(0, Math.max(1, numbered))
    .map((part) => part.replace(/@\d+$/, ''))
    .join('/');
  return unit === '' ? key : unit;
}

/** Per task only the newest measurement counts: earlier ones were sent back. */
function evidenceOf(chronicle: Chronicle): Pick<RunSummary, 'redGreen' | 'findings'> {
  const newest = new Map<string, string>();
  for (const [key, effect] of chronicle.state.effects) {
    if (effect.kind === 'evidence.measure' && effect.result !== undefined) newest.set(measuredUnit(key), key);
  }
  const measured = [...newest.values()].flatMap((key) => outputOf(chronicle, key, 'evidence.measure') ?? []);
  const redGreen: Record<RedGreen['result'], number> = { red: 0, absent: 0, green: 0, 'not-measured': 0 };
  for (const { result, files } of measured.flatMap((one) => one.redGreen))
    redGreen[result] += Math.max(1, files.length);
  return { redGreen, findings: measured.flatMap((one) => one.findings) };
}
