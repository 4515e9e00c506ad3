/**
 * What a verify command's runs mean. The exit code decides, what a reader made of the output explains.
 * A failure that a second run does not repeat is `flaky`; where the base was red, only failures that are
 * new count; whatever can not be told (a timeout, no test ran, nothing to compare) is `unverified`.
 */
import type { CommandResult, TestCounts } from './check-report.ts';

export interface CheckRun {
  /** Null when a signal ended it. */
  readonly exit: number | null;
  readonly timedOut: boolean;
  readonly limitMs: number;
  readonly counts?: TestCounts | undefined;
}

export interface CommandQuestion {
  /** The same command's result on the base commit. */
  readonly base?: Pick<CommandResult, 'exit' | 'status' | 'counts'> | undefined;
  readonly first: CheckRun;
  /** Wanted when the answer without it is `failed`. */
  readonly rerun?: CheckRun | undefined;
}

export type CommandVerdict = Pick<CommandResult, 'status' | 'reason' | 'newFailures'>;

export function judgeCommand({ base, first, rerun }: CommandQuestion): CommandVerdict {
  if (first.timedOut) return verdict('unverified', `timed out after ${Math.round(first.limitMs / 1000)} s`);
  if (first.exit === 0) {
    if (ranNothing(first)) return verdict('unverified', 'exit 0, but no test ran');
    return verdict('passed', describe(first));
  }
  if (rerun !== undefined && hasPassed(rerun)) {
    return verdict('flaky', `${describe(first)}; passed when run again`);
  }
  // A flaky base passed in the end, so it excuses nothing.
  if (base === undefined || base.exit === 0 || base.status === 'passed' || base.status === 'flaky') {
    return verdict('failed', describe(first), persistent(failing(first), rerun && failing(rerun)));
  }
  return compare(base, first, rerun);
}

const severity = ['failed', 'unverified', 'flaky', 'passed'] as const;

/** The worst of the commands; without commands there is no evidence. */
export function reportStatus(commands: readonly Pick<CommandResult, 'status'>[]): CommandResult['status'] {
  return severity.find((status) => commands.some((command) => command.status === status)) ?? 'unverified';
}

/** The base is red too: what fails now and did not fail there? */
function compare(
  base: NonNullable<CommandQuestion['base']>,
  first: CheckRun,
  rerun: CheckRun | undefined,
): CommandVerdict {
  const known = new Set(base.status === 'unverified' ? [] : base.counts?.failing);
  if (known.size === 0 || failing(first).length === 0) {
    return verdict('unverified', `${describe(first)}; the base fails too, and the failures can not be compared`);
  }
  const fresh = failing(first).filter((name) => !known.has(name));
  if (fresh.length === 0 && isLess(first, base)) {
    return verdict('unverified', `${describe(first)}; the base fails too, and got further`);
  }
  if (fresh.length === 0) return verdict('passed', `${describe(first)}, all already failing on the base`);
  const again = rerun && failing(rerun).filter((name) => !known.has(name));
  // Only a rerun that names its failures can show that none of them is new.
  if (rerun !== undefined && again?.length === 0 && failing(rerun).length > 0) {
    return verdict('flaky', `${describe(first)}; the new failures passed when run again`);
  }
  const lasting = persistent(fresh, again);
  return verdict('failed', `${describe(first)}, ${lasting.length} of them new`, lasting);
}

/** A run that broke off, or hides failures without a name, shows the known names and proves nothing. */
function isLess(run: CheckRun, base: NonNullable<CommandQuestion['base']>): boolean {
  const ran = (counts: TestCounts | undefined) => (counts?.passed ?? 0) + (counts?.failed ?? 0);
  const unnamed = (counts: TestCounts | undefined) => (counts?.failed ?? 0) - (counts?.failing.length ?? 0);
  return run.exit === null || ran(run.counts) < ran(base.counts) || unnamed(run.counts) > unnamed(base.counts);
}

function verdict(status: CommandVerdict['status'], reason: string, newFailures: string[] = []): CommandVerdict {
  return { status, reason, newFailures };
}

function hasPassed(run: CheckRun): boolean {
  return run.exit === 0 && !run.timedOut && !ranNothing(run);
}

function ranNothing({ counts }: CheckRun): boolean {
  return counts !== undefined && counts.passed + counts.failed === 0;
}

function failing(run: CheckRun): readonly string[] {
  return run.timedOut ? [] : (run.counts?.failing ?? []);
}

/** Failures of both runs; if they share none, all of both, for each was seen. */
function persistent(first: readonly string[], again: readonly string[] | undefined): string[] {
  if (again === undefined || again.length === 0) return [...first];
  const shared = first.filter((name) => again.includes(name));
  return shared.length > 0 ? shared : [...new Set([...first, ...again])].sort();
}

function describe({ exit, counts }: CheckRun): string {
  const end = exit === null ? 'ended by a signal' : `exit ${exit}`;
  if (counts === undefined) return end;
  const ran = counts.passed + counts.failed;
  return `${end}, ${counts.failed === 0 ? `${ran} tests pass` : `${counts.failed} of ${ran} tests fail`}`;
}
