/**
 * The engine's own verification of a commit. Commands, scripts and runner configuration come from the judge commit and
 * the approved plan; the code comes from the commit; both run in the jail, on a checkout of their own. The exit code
 * and the failures a reader found decide, and only failures that are new since the baseline count.
 *
 * A failure is run a second time, from a fresh checkout and from the first command of the list: in the used one a
 * command could find what its first run left and pass for that reason. A command that failed once and passed once, in
 * whichever order, is flaky. A success with fewer tests than on the base is none (see test-drop.ts). What a limit of ours ended, or what never started, is unverified and not run again.
 */
import { rm } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { commandRunner } from '../evidence/command-runner.ts';
import { isSourceDirectory } from '../evidence/file-users.ts';
import { provesNothing } from '../evidence/proves-nothing.ts';
import { isTestFile } from '../evidence/test-files.ts';
import { treeOf } from '../git/changes.ts';
import { refComponent } from '../git/ref-name.ts';
import { watchFiles } from '../git/tree-seal.ts';
import { type VerifyCommand } from '../plan/command-line.ts';
import { quoteCommand } from '../plan/quote-command.ts';
import type { CheckOrigin, CheckReport, CommandResult } from '../policy/check-report.ts';
import { type CheckRun, type CommandVerdict, isGreen, judgeCommand, reportStatus } from '../policy/check-verdict.ts';
import { type CachedRuns, type CacheScope, readCachedRuns, writeCachedRuns } from './cache.ts';
import type { CheckDeps, CommandRun } from './check.ts';
import { type CheckoutRequest, isJudgePlace, restoreCheckout, withCheckout } from './checkout.ts';
import { type JudgedCommit, judgedCommit } from './judged-commit.ts';
import { checkEnvironment, runCommand } from './run-command.ts';
import { type CheckEntries, type SelectedCommands, selectCommands } from './select-commands.ts';
import { baseResults, comparableBases } from './test-drop.ts';

export interface CheckRequest {
  readonly run: string;
  /** Names the check's checkout and logs; stable, and not in use by a check that runs at the same time. */
  readonly name: string;
  readonly commit: string;
  /** The commit whose commands, scripts and configuration judge. */
  readonly judge: string;
  readonly entries: CheckEntries;
  /** The report on the base: what failed there already is not new. */
  readonly baseline?: CheckReport | undefined;
}

export async function runChecks(deps: CheckDeps, request: CheckRequest, signal: AbortSignal): Promise<CheckReport> {
  return (await checkCommit(deps, request, signal)).report;
}

export interface CheckedCommit {
  readonly report: CheckReport;
  /** One per command of the report. */
  readonly measured: readonly CachedRuns[];
}

export async function checkCommit(deps: CheckDeps, request: CheckRequest, signal: AbortSignal): Promise<CheckedCommit> {
  const { run, commit, judge } = request;
  const selected = await selectCommands(deps, request);
  const { source, commands, started, shadows } = selected;
  const judged = await judgedCommit(deps, { run, commit, judge, started, shadows });
  const bases = baseResults(commands, request.baseline);
  const { measured, cached } =
    commands.length === 0
      ? nothing
      : await measureCommands({ deps, request, judged, commands, bases, selected }, signal);
  const compared = await comparableBases(deps, {
    commit,
    judge,
    baseline: request.baseline,
    commands,
    measured,
    checkBase: (base) => runChecks(deps, { ...request, ...underJudge(request.name, base) }, signal),
  });
  const each = commands.map((command, place) => {
    const found = measured[place];
    if (found === undefined) throw new Error(`the command ${place} was not measured`);
    const { testsRemoved } = compared;
    const origin = selected.origins[place];
    const isBase = request.baseline === undefined;
    const base = compared.bases[place];
    return commandResult({ deps, command, origin, base, isBase, testsRemoved, measured: found, cached });
  });
  const isAboutCommands = request.entries.part !== undefined;
  const results = !isAboutCommands && each.every(isEmptyPromise) ? each.map(unproven) : each;
  const report: CheckReport = {
    commit,
    tree: await treeOf(deps.repo, commit),
    judge,
    source,
    status: reportStatus(results),
    commands: results,
    checkChanged: [...judged.checkChanged],
  };
  return { report, measured };
}

/** A command of the plan that passed and cannot fail. */
function isEmptyPromise({ argv, origin, status }: CommandResult): boolean {
  return origin === 'plan' && status === 'passed' && provesNothing(argv);
}

function unproven(result: CommandResult): CommandResult {
  return { ...result, status: 'unverified', reason: `${result.reason}, but this command cannot fail` };
}

/** The code of the base under today's judge: a check of its own, with nothing to compare it with. */
function underJudge(name: string, base: string): Pick<CheckRequest, 'name' | 'commit' | 'baseline'> {
  return { name: `${name}-base`, commit: base, baseline: undefined };
}

const nothing = { measured: [], cached: false } as const;

interface Work {
  readonly deps: CheckDeps;
  readonly request: CheckRequest;
  readonly judged: JudgedCommit;
  readonly commands: readonly VerifyCommand[];
  readonly bases: readonly (CommandResult | undefined)[];
  readonly selected: SelectedCommands;
}

/** All from the cache, or all run: what one command makes, the next may need. */
async function measureCommands(
  work: Work,
  signal: AbortSignal,
): Promise<{ readonly measured: readonly CachedRuns[]; readonly cached: boolean }> {
  const { deps, commands, bases } = work;
  const scope = await cacheScope(work);
  const known = await readCachedRuns(deps.cache, scope);
  if (
    known !== undefined &&
    !known.some((each, place) => each.rerun === undefined && wantsRerun(each.first, bases[place]))
  ) {
    return { measured: known, cached: true };
  }
  const first = await runAll(work, commands, 'first', signal);
  const last = first.findLastIndex((run, place) => wantsRerun(run, bases[place]));
  const again = last === -1 ? [] : await runAll(work, commands.slice(0, last + 1), 'again', signal);
  const measured = first.map((run, place): CachedRuns => ({ first: run, rerun: again[place] }));
  await writeCachedRuns(deps.cache, scope, measured);
  return { measured, cached: false };
}

async function cacheScope({ deps, request, judged, commands }: Work): Promise<CacheScope> {
  return {
    tree: judged.tree,
    commands,
    env: checkEnvironment(deps),
    network: deps.network ?? 'loopback',
    jail: deps.jail.name,
    readable: deps.readable ?? [],
    outputBytes: deps.outputBytes,
    setup: await deps.setup?.key(request.judge),
  };
}

/** One pass over the commands, in a checkout of its own. */
async function runAll(
  { deps, request, judged, selected }: Work,
  commands: readonly VerifyCommand[],
  pass: 'first' | 'again',
  signal: AbortSignal,
): Promise<readonly CommandRun[]> {
  const name = refComponent(request.name);
  const place: CheckoutRequest = {
    run: request.run,
    name: `check-${name}`,
    commit: judged.commit,
    judge: request.judge,
    isJudge: (path) => isJudgePlace(path, selected.shadows),
  };
  return withCheckout(deps, place, signal, async (checkout) => {
    const runs: CommandRun[] = [];
    for (const [index, command] of commands.entries()) {
      if (index > 0) await restoreCheckout(deps, place, checkout, signal);
      const log = (of: typeof pass): string => join(deps.logs, name, `${index + 1}-${of}.log`);
      // What an earlier run of the same check left would pass for this one's.
      if (pass === 'first') await rm(log('again'), { force: true });
      const runner = commandRunner(command.argv, selected.scripts(command.cwd));
      const written = await watchFiles(checkout, index === 0 && deps.setup === undefined);
      const ended = await runCommand(deps, { checkout, logFile: log(pass), runner }, command, signal);
      const rewrote = await written();
      runs.push({ ...ended, rewrote });
    }
    return runs;
  });
}

function wantsRerun(first: CommandRun, base: CommandResult | undefined): boolean {
  return !isGreen(first) && hasVerdict(first) && judgeCommand({ base, first: asCheckRun(first) }).status === 'failed';
}

/** Did the command itself come to an end? */
function hasVerdict(run: CommandRun): boolean {
  return run.end === 'exited' || run.end === 'signalled';
}

function asCheckRun({ exit, end, counts }: CommandRun): CheckRun {
  return { exit, timedOut: end === 'timed-out', limitMs: 0, counts };
}

interface Finished {
  readonly deps: CheckDeps;
  readonly command: VerifyCommand;
  readonly origin: CheckOrigin | undefined;
  readonly base: CommandResult | undefined;
  /** There is nothing to compare with: the commit is the base itself. */
  readonly isBase: boolean;
  readonly testsRemoved: number;
  readonly measured: CachedRuns;
  readonly cached: boolean;
}

function commandResult(finished: Finished): CommandResult {
  const { deps, command, origin, base, testsRemoved, measured, cached } = finished;
  // A pass that did not come again is as flaky as a failure that did not.
  const turned = isGreen(measured.first) && measured.rerun !== undefined && isRed(measured.rerun);
  const first = turned ? (measured.rerun ?? measured.first) : measured.first;
  const rerun = turned ? measured.first : measured.rerun;
  const verdict = verdictOf({ base, testsRemoved }, first, rerun);
  const line = quoteCommand(command.argv);
  return {
    argv: [...command.argv],
    label: deps.redactor?.redact(line) ?? line,
    cwd: command.cwd,
    exit: first.exit,
    ...verdict,
    durationMs: measured.first.durationMs + (measured.rerun?.durationMs ?? 0),
    ...(first.counts === undefined ? {} : { counts: first.counts }),
    ...(first.reader === undefined ? {} : { reader: first.reader }),
    output: first.output,
    cached,
    ...(origin === undefined ? {} : { origin }),
    ...rewritten(finished),
  };
}

const mostRewritten = 200;

/**
 * A check that rewrites files which it is to judge may pass for what no commit holds. What the base does too is its
 * habit. A command that was not run on the base may write what it builds, but neither sources nor tests.
 */
function rewritten({ measured, base, isBase }: Finished): Pick<CommandResult, 'rewrote'> {
  const { first, rerun } = measured;
  const usual = new Set(base?.rewrote);
  const isUnusual = (path: string): boolean =>
    isBase || (base === undefined ? isTestFile(path) || isSourceDirectory(posix.dirname(path)) : !usual.has(path));
  const paths = [...new Set([...(first.rewrote ?? []), ...(rerun?.rewrote ?? [])])].filter(isUnusual);
  return paths.length === 0 ? {} : { rewrote: paths.slice(0, mostRewritten) };
}

function isRed(run: CommandRun): boolean {
  return !isGreen(run) && hasVerdict(run);
}

function verdictOf(
  context: Pick<Finished, 'base' | 'testsRemoved'>,
  first: CommandRun,
  rerun: CommandRun | undefined,
): CommandVerdict {
  if (!hasVerdict(first)) return { status: 'unverified', reason: first.reason ?? first.end, newFailures: [] };
  return judgeCommand({ ...context, first: asCheckRun(first), rerun: rerun && asCheckRun(rerun) });
}
