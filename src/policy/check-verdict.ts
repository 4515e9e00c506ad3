/**
 * What a verify command's runs mean. A run is green only if it exits with 0 and no test of it failed: a command that
 * reports failed tests is red whatever its exit code (`runner || true`). A failure that a second run does not repeat is
 * `flaky`; where the base was red, only failures that are new count; whatever cannot be decided (a timeout, no test ran,
 * nothing to compare) is `unverified`.
 *
 * Exit 0 is not enough where tests ran on the base: code that ends its process while it is loaded leaves tests out,
 * and runners call that a success. So a run without any count, or with fewer tests than the base, is `unverified`
 * unless the commit itself takes that many tests away or skips them (`testsRemoved`, from the diff). Those are
 * findings of their own that a person decides on, so nothing goes unseen. Tests that a commit adds are not expected
 * to be in the count: not every command runs them.
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
  /** How many tests of the base the commit deletes or skips, as its diff shows. Infinity where that is unbounded. */
  readonly testsRemoved?: number | undefined;
}

export type CommandVerdict = Pick<CommandResult, 'status' | 'reason' | 'newFailures'>;

export function judgeCommand(question: CommandQuestion): CommandVerdict {
  const { base, first, rerun } = question;
  if (first.timedOut) return verdict('unverified', `timed out after ${Math.round(first.limitMs / 1000)} s`);
  if (isGreen(first)) {
    if (ranNothing(first)) return verdict('unverified', 'exit 0, but no test ran');
    const drop = missingTests(question, first);
    if (drop !== undefined) return verdict('unverified', `exit 0, but ${drop}`);
    return verdict('passed', describe(first));
  }
  if (rerun !== undefined && hasPassed(rerun)) {
    const drop = missingTests(question, rerun);
    if (drop !== undefined) return verdict('unverified', `${describe(first)}; exit 0 when run again, but ${drop}`);
    return verdict('flaky', `${describe(first)}; passed when run again`);
  }
  // A flaky base passed in the end, so it excuses nothing.
  if (base === undefined || isGreen(base) || base.status === 'passed' || base.status === 'flaky') {
    return verdict('failed', describe(first), persistent(failing(first), rerun && failing(rerun)));
  }
  return compare(base, first, rerun);
}

/** Exit 0, and no test is reported as failed. */
export function isGreen({ exit, counts }: Pick<CheckRun, 'exit' | 'counts'>): boolean {
  return exit === 0 && (counts?.failed ?? 0) === 0;
}

/** Which tests of the base did not run, in words; undefined where none is missing without a reason. */
export function missingTests(
  { base, testsRemoved = 0 }: Pick<CommandQuestion, 'base' | 'testsRemoved'>,
  run: Pick<CheckRun, 'counts'>,
): string | undefined {
  const before = ran(base?.counts);
  const now = ran(run.counts);
  if (before === 0 || (run.counts !== undefined && before - now <= testsRemoved)) return undefined;
  if (run.counts === undefined) return `no test result was seen, the base had ${before}`;
  const removed = testsRemoved === 0 ? '' : `, of which the commit removes ${testsRemoved}`;
  return `${now} ${now === 1 ? 'test' : 'tests'} ran, the base had ${before}${removed}`;
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
    return verdict('unverified', `${describe(first)}; the base fails too, and the failures cannot be compared`);
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
  const unnamed = (counts: TestCounts | undefined) => (counts?.failed ?? 0) - (counts?.failing.length ?? 0);
  return run.exit === null || ran(run.counts) < ran(base.counts) || unnamed(run.counts) > unnamed(base.counts);
}

function ran(counts: TestCounts | undefined): number {
  return (counts?.passed ?? 0) + (counts?.failed ?? 0);
}

function verdict(status: CommandVerdict['status'], reason: string, newFailures: string[] = []): CommandVerdict {
  return { status, reason, newFailures };
}

function hasPassed(run: CheckRun): boolean {
  return isGreen(run) && !run.timedOut && !ranNothing(run);
}

function ranNothing({ counts }: CheckRun): boolean {
  return counts !== undefined && ran(counts) === 0;
}

function failing(run: CheckRun): readonly string[] {
  return run.timedOut ? [] : (run.counts?.failing ?? []);
}

/** Failures of both runs; if they share none, all of both, for each was seen. */
function persistent(first: readonly string[], again: readonly string[] | undefined): string[] {
  if (again === undefined || again.length === 0) return [...first];
  const seenAgain = new Set(again);
  const shared = first.filter((name) => seenAgain.has(name));
  return shared.length > 0 ? shared : [...new Set([...first, ...again])].sort();
}

function describe({ exit, counts }: CheckRun): string {
  const end = exit === null ? 'ended by a signal' : `exit ${exit}`;
  if (counts === undefined) return end;
  const all = ran(counts);
  if (counts.failed > 0) return `${end}, ${counts.failed} of ${all} tests fail`;
  return `${end}, ${all === 1 ? '1 test passes' : `${all} tests pass`}`;
}
