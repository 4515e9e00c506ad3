/**
 * Red before green: the tests that a task adds or changes, run against the code before it. The tree is the base's, as
 * the judge lets it be seen, with only those test files of the commit. Each file is run by itself, so that one that
 * fails does not hide another that proves nothing; where there are many, they are run together.
 */
import type { RedGreen, RedGreenRun } from '../evidence/red-green.ts';
import { isTestFile, perFileRunner } from '../evidence/test-files.ts';
import { diffEntries, isPlainFile } from '../git/tree-edit.ts';
import type { TreeEdit } from '../git/write-trees.ts';
import type { VerifyCommand } from '../plan/command-line.ts';
import type { Task } from '../plan/plan.ts';
import type { CheckDeps, CommandRun } from './check.ts';
import { computeInWorker } from './compute-in-worker.ts';
import { runJobs } from './run-jobs.ts';
import { type CheckEntries, type SelectedCommands, selectCommands } from './select-commands.ts';

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
    ({ path, before, after }) => isTestFile(path) && isPlainFile(after) && before?.id !== after.id,
  );
  if (tests.length === 0) return [];
  const files = tests.map(({ path }) => path);
  const jobs = narrowedJobs(selected, files);
  const measured = new Set(jobs.flatMap((job) => job.files));
  const left = files.filter((file) => !measured.has(file));
  const edits = tests.map(({ raw, after }): TreeEdit => ({ raw, entry: after }));
  const { run, name, base: commit, judge } = request;
  const at = { run, name, prefix: 'before', commit, judge, selected, edits };
  const commands = jobs.map((job) => job.command);
  const runs = jobs.length === 0 ? [] : await runJobs(deps, at, commands, signal);
  const results: RedGreenResult[] = [];
  for (const [place, job] of jobs.entries()) {
    const found = runs[place];
    if (found === undefined) throw new Error(`the test files of run ${place} were not run`);
    results.push({ files: job.files, ...(await classify(asRedGreenRun(found, job.command), request.kind)) });
  }
  return left.length === 0 ? results : [...results, { files: left, ...(await classify(noRunner, request.kind)) }];
}

const noRunner: RedGreenRun = { status: 'no-runner' };

async function classify(run: RedGreenRun, kind: Task['kind']): Promise<RedGreen> {
  const classified = await computeInWorker('classify', { run, kind });
  if (classified.status === 'done') return classified.value;
  return { result: 'not-measured', reason: sentence(classified.reason) };
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

function asRedGreenRun(run: CommandRun, command: VerifyCommand): RedGreenRun {
  if (run.end === 'timed-out') return { status: 'timed-out' };
  if (run.end !== 'exited' || run.exit === null) return { status: 'broken', reason: sentence(run.reason ?? run.end) };
  if (run.missing !== undefined) return { status: 'broken', reason: sentence(`${run.missing} is not there`) };
  return { status: 'exited', exit: run.exit, argv: command.argv, ...run.printed };
}

function sentence(text: string): string {
  return `The tests could not be run against the code before: ${text}.`;
}
