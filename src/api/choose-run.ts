/**
 * Which run a person means: its name, the beginning or the end of its name, or no name at all. Without a name, the run
 * that was worked on last is meant, of those that fit the command. An operation that destroys something never guesses:
 * it names the candidates instead. Pure.
 */
import type { RunListing, RunSummary } from '../engine/engine.ts';
import { answerableQuestions } from '../engine/run-summary.ts';
import { ForgeError } from '../errors.ts';
import { nearestWord } from '../plan/task-id.ts';
import { findDefinition } from '../workflows/registry.ts';

export interface WantedRun {
  /** A name, or the beginning or the end of one; undefined: the newest run that fits. */
  readonly run: string | undefined;
  /** Which runs fit when none is named, in words and as a test. */
  readonly what: string;
  readonly fits: (run: RunSummary) => boolean;
  /** Never take the newest: the caller has to name the run. */
  readonly mustBeNamed?: true;
}

export function chooseRun(runs: readonly RunSummary[], wanted: WantedRun): RunSummary {
  if (wanted.run !== undefined) return named(runs, wanted.run);
  const fitting = newestFirst(runs.filter(wanted.fits));
  const [newest] = fitting;
  if (newest === undefined) {
    throw new ForgeError('unknown-run', `There is no run ${wanted.what}`, {
      hint: known(newestFirst(runs).map(({ run }) => run)),
    });
  }
  if (wanted.mustBeNamed !== true) return newest;
  throw new ForgeError('bad-input', 'Name the run', {
    hint: `${several(wanted.what)}: ${shorten(fitting.map(({ run }) => run))}.`,
  });
}

/** As `forge list` shows them: what was worked on last comes first, what cannot be read comes last. */
export function newestFirst(runs: readonly RunSummary[]): readonly RunSummary[] {
  return runs.toSorted((a, b) => compare(b.updatedAt, a.updatedAt) || compare(a.run, b.run));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Whether a word could name this run. */
export function isNamedBy({ run }: Pick<RunSummary, 'run'>, word: string): boolean {
  return word !== '' && (run.startsWith(word) || run.endsWith(word));
}

/** Nobody is at work on it, and it is not over. */
export function isResumable({ status }: Pick<RunSummary, 'status'>): boolean {
  return ['interrupted', 'paused', 'waiting', 'limited', 'stopped'].includes(status);
}

/** Something happened in it within a day: a person may still have it in mind. What is older is named, not asked about. */
export function isRecent({ updatedAt }: RunSummary, now: number): boolean {
  return now - Date.parse(updatedAt) < 86_400_000;
}

/** Throws for a run whose journal cannot be read: neither resuming nor ending it would help. */
export function requireReadable({ run, status, problem }: Pick<RunListing, 'run' | 'status' | 'problem'>): void {
  if (status !== 'unreadable') return;
  throw new ForgeError('journal-corrupt', `The journal of ${run} cannot be read: ${problem ?? 'it is damaged'}`, {
    hint: `Its branches and refs are untouched. To remove the run all the same: forge cleanup ${run} --force`,
  });
}

/** A process is at work on it. */
export function isHeld({ status }: Pick<RunSummary, 'status'>): boolean {
  return status === 'running' || status === 'created';
}

export function isFinished({ status }: Pick<RunSummary, 'status'>): boolean {
  return status === 'done' || status === 'failed' || status === 'cancelled';
}

/**
 * Everything that completes a run is a fact, and only its last line is missing: nothing is left to ask or do. A
 * repository's own workflow may still have plans after it has published, so its runs are never taken for that.
 */
export function lacksOnlyItsEnd({ status, state }: RunListing): boolean {
  if (status !== 'interrupted' || state?.created === undefined) return false;
  const { created, effects, steps } = state;
  if (findDefinition(created.workflow) === undefined) return false;
  if ([...steps.values()].some(({ end }) => end === undefined)) return false;
  if ([...effects.values()].some(({ result }) => result === undefined)) return false;
  const final = effects.get('final')?.result?.output as { commit?: unknown } | undefined;
  return effects.get('publish')?.result !== undefined || final?.commit === created.base;
}

/** A branch of it stands where the run put it, as far as its journal knows: there is something to take back. */
export function hasMovedBranch({ refs }: RunSummary): boolean {
  const last = new Map<string, { before: string | undefined; after: string | undefined }>();
  for (const { ref, before, after, reverts } of refs) {
    // A commit that takes the changes back is as good as the branch where it was.
    const first = reverts === true ? after : last.has(ref) ? last.get(ref)?.before : before;
    last.set(ref, { before: first, after });
  }
  return [...last.values()].some(({ before, after }) => before !== after);
}

export function openQuestions(run: RunSummary): readonly string[] {
  return run.status === 'unreadable' ? [] : answerableQuestions(run);
}

function named(runs: readonly RunSummary[], run: string): RunSummary {
  const exact = runs.find((one) => one.run === run);
  if (exact !== undefined) return exact;
  const [first, ...more] = newestFirst(runs.filter((one) => isNamedBy(one, run)));
  if (first !== undefined && more.length === 0) return first;
  if (first !== undefined) {
    throw new ForgeError('bad-input', `${JSON.stringify(run)} could be any of ${more.length + 1} runs`, {
      hint: `Type more of the name: ${shorten([first, ...more].map((one) => one.run))}.`,
    });
  }
  const names = newestFirst(runs).map((one) => one.run);
  const meant = nearestWord(run, names);
  throw new ForgeError('unknown-run', `There is no run ${JSON.stringify(run)}`, {
    hint: meant === undefined ? known(names) : `Did you mean ${meant}?`,
  });
}

/** `that is over` of several runs. */
function several(what: string): string {
  return `Runs ${what.replace(/^that is\b/, 'that are').replace(/^that asks\b/, 'that ask')}`;
}

const mostNames = 8;

/** A person reads some names, not hundreds. */
function shorten(names: readonly string[]): string {
  const more = names.length - mostNames;
  return more <= 0 ? names.join(', ') : `${names.slice(0, mostNames).join(', ')} and ${more} more (forge list)`;
}

function known(names: readonly string[]): string {
  return names.length === 0 ? 'Start one: forge run "<requirement>"' : `Runs of this repository: ${shorten(names)}.`;
}
