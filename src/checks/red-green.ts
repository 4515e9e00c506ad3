/**
 * Red before green: the tests that a task adds or changes, run against the code before it. The tree is the base's, as
 * the judge lets it be seen, with only those test files of the commit. Each file is run by itself, so that one that
 * fails does not hide another that proves nothing; where there are many, they are run together.
 */
import { join } from 'node:path';
import { classifyRedGreen, type RedGreen, type RedGreenRun } from '../evidence/red-green.ts';
import { isTestFile, perFileRunner } from '../evidence/test-files.ts';
import { refComponent } from '../git/ref-name.ts';
import type { VerifyCommand } from '../plan/command-line.ts';
import type { Task } from '../plan/plan.ts';
import type { CheckDeps, CommandRun } from './check.ts';
import { isJudgePlace, restoreCheckout, withCheckout } from './checkout.ts';
import { judgedCommit } from './judged-commit.ts';
import { runCommand } from './run-command.ts';
import { type CheckEntries, selectCommands, type SelectedCommands } from './select-commands.ts';
import { diffEntries, isPlain, type TreeEdit } from '../git/tree-edit.ts';

export interface RedGreenRequest {
  readonly run: string;
  /** Names the checkout and the logs, as for checks. */
  readonly name: string;
  readonly kind: Task['kind'];
  /** The code before the task, and the task's commit. */
  readonly base: string;
  readonly commit: string;
  readonly judge: string;
  readonly entries: CheckEntries;
}

/** What some test files proved. One result for each run; files that no command can run by themselves come last. */
export interface RedGreenResult extends RedGreen {
  readonly files: readonly string[];
}

export async function measureRedGreen(
  deps: CheckDeps,
  request: RedGreenRequest,
  signal: AbortSignal,
): Promise<readonly RedGreenResult[]> {
  const selected = await selectCommands(deps, request);
  const changes = await diffEntries(deps.repo, request.base, request.commit);
  const tests = changes.filter(
    ({ path, before, after }) => isTestFile(path) && isPlain(after) && before?.id !== after.id,
  );
  if (tests.length === 0) return [];
  const files = tests.map(({ path }) => path);
  const jobs = narrowedJobs(selected, files);
  const measured = new Set(jobs.flatMap((job) => job.files));
  const left = files.filter((file) => !measured.has(file));
  const edits = tests.map(({ raw, after }): TreeEdit => ({ raw, entry: after }));
  const runs = jobs.length === 0 ? [] : await runJobs({ deps, request, jobs, selected, edits }, signal);
  const results = jobs.map((job, place): RedGreenResult => {
    const run = runs[place];
    if (run === undefined) throw new Error(`the test files of run ${place} were not run`);
    return { files: job.files, ...classifyRedGreen(asRedGreenRun(run, job.command), request.kind) };
  });
  return left.length === 0
    ? results
    : [...results, { files: left, ...classifyRedGreen({ status: 'no-runner' }, request.kind) }];
}

interface Job {
  readonly files: readonly string[];
  readonly command: VerifyCommand;
}

/** More files than this are run together: each run starts a runner. */
const mostAlone = 12;

/** Every file once, by the first command that can run it. */
function narrowedJobs({ commands, scripts }: SelectedCommands, files: readonly string[]): readonly Job[] {
  const left = new Set(files);
  return commands.flatMap((command) => {
    const narrow = (testFiles: readonly string[]): readonly string[] | undefined =>
      perFileRunner({ argv: command.argv, testFiles, cwd: command.cwd, scripts: scripts(command.cwd) });
    const fitting = [...left].filter((file) => narrow([file]) !== undefined);
    for (const file of fitting) left.delete(file);
    const groups = fitting.length > mostAlone ? [fitting] : fitting.map((file) => [file]);
    return groups.flatMap((group): Job[] => {
      const [program, ...args] = narrow(group) ?? [];
      return program === undefined ? [] : [{ files: group, command: { ...command, argv: [program, ...args] } }];
    });
  });
}

interface Work {
  readonly deps: CheckDeps;
  readonly request: RedGreenRequest;
  readonly jobs: readonly Job[];
  readonly selected: SelectedCommands;
  readonly edits: readonly TreeEdit[];
}

async function runJobs(
  { deps, request, jobs, selected, edits }: Work,
  signal: AbortSignal,
): Promise<readonly CommandRun[]> {
  const { run, base, judge } = request;
  const judged = await judgedCommit(deps, {
    run,
    commit: base,
    judge,
    started: selected.started,
    shadows: selected.shadows,
    edits,
  });
  const name = refComponent(request.name);
  const isJudge = (path: string): boolean => isJudgePlace(path, selected.shadows);
  const place = { run, name: `before-${name}`, commit: judged.commit, judge, isJudge };
  return withCheckout(deps, place, signal, async (checkout) => {
    const runs: CommandRun[] = [];
    for (const [index, job] of jobs.entries()) {
      if (index > 0) await restoreCheckout(deps, place, checkout, signal);
      const logFile = join(deps.logs, name, `before-${index + 1}.log`);
      runs.push(await runCommand(deps, { checkout, logFile }, job.command, signal));
    }
    return runs;
  });
}

function asRedGreenRun(run: CommandRun, command: VerifyCommand): RedGreenRun {
  if (run.end === 'timed-out') return { status: 'timed-out' };
  if (run.end !== 'exited' || run.exit === null) return { status: 'broken', reason: sentence(run.reason ?? run.end) };
  if (run.missing !== undefined) return { status: 'broken', reason: sentence(`${run.missing} is not there`) };
  return { status: 'exited', exit: run.exit, argv: command.argv, ...run.printed };
}

function sentence(text: string): string {
  return `The tests could not be run against the code before: ${text}.`;
}
