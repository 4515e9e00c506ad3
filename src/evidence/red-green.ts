/**
 * Red before green: what one run of a task's added or changed tests, against the code before the task, proves.
 * `red` (a test loaded and failed) is evidence; `absent` (nothing loaded, nothing ran) is weak; `green` means
 * the tests would have passed without the work. The exit code says whether the run failed, the reader why;
 * what cannot be told is `not-measured`, never red.
 */
import type { Task } from '../plan/plan.ts';
import { readResults, type Results } from './read-results.ts';
import type { RunOutput } from './readers/reading.ts';
import { plainLines, saysNotLoaded } from './readers/text.ts';

export type RedGreenRun =
  | { readonly status: 'no-runner' }
  | { readonly status: 'timed-out' }
  /** Ended by a signal, an output limit, or never started. */
  | { readonly status: 'broken'; readonly reason: string }
  | ({ readonly status: 'exited'; readonly exit: number; readonly argv: readonly string[] } & RunOutput);

export interface RedGreen {
  readonly result: 'red' | 'absent' | 'green' | 'not-measured';
  /** One sentence: what was seen. */
  readonly reason: string;
  readonly finding?: { readonly kind: 'vacuous-test'; readonly claim: string };
}

export function classifyRedGreen(run: RedGreenRun, kind: Task['kind']): RedGreen {
  if (run.status === 'exited') return fromResults(run, readResults(run), kind);
  return { result: 'not-measured', reason: run.status === 'broken' ? run.reason : reasons[run.status] };
}

const reasons = {
  'no-runner': 'The command cannot be narrowed to single test files.',
  'timed-out': 'The tests did not end in time against the code before.',
} as const;

type Exited = Extract<RedGreenRun, { status: 'exited' }>;

function fromResults(run: Exited, results: Results | undefined, kind: Task['kind']): RedGreen {
  if (results === undefined) return unread(run);
  const unloaded = new Set(results.unloaded);
  const red = results.counts.failing.filter((name) => !unloaded.has(name));
  if (run.exit === 0) return results.ran === 0 ? nothingRan : green(results.counts.passed, kind);
  const first = red[0];
  if (first !== undefined)
    return { result: 'red', reason: `${counted(red.length)} against the code before, first: ${first}.` };
  if (unloaded.size > 0)
    return {
      result: 'absent',
      reason: `Did not load against the code before: ${results.unloaded.slice(0, 3).join(', ')}.`,
    };
  if (results.ran === 0) return nothingRan;
  // Failing names may be lost with the middle of the output, the figures are not.
  if (results.counts.failed > 0)
    return { result: 'red', reason: `${counted(results.counts.failed)} against the code before.` };
  return { result: 'not-measured', reason: `Every test passed and the runner still ended with exit ${run.exit}.` };
}

const nothingRan: RedGreen = { result: 'absent', reason: 'No test ran against the code before.' };

const exempt: ReadonlySet<Task['kind']> = new Set(['refactor', 'test', 'docs']);

function green(passed: number, kind: Task['kind']): RedGreen {
  const reason = `${passed === 1 ? 'The test passes' : `All ${passed} tests pass`} against the code before.`;
  if (exempt.has(kind)) return { result: 'green', reason };
  const claim = 'The added or changed tests pass without the change, so they do not prove it.';
  return { result: 'green', reason, finding: { kind: 'vacuous-test', claim } };
}

/** No reader knows the output: only words that a loader or compiler prints make it more than not measured. */
function unread(run: Exited): RedGreen {
  const lines = plainLines(`${run.stdout}\n${run.stderr}`);
  const cause = run.exit === 0 ? undefined : lines.find(saysLoadingFailed);
  if (cause !== undefined)
    return { result: 'absent', reason: `Did not load against the code before: ${cause.trim().slice(0, 200)}` };
  return { result: 'not-measured', reason: `Exit ${run.exit}, and no reader knows the output.` };
}

function saysLoadingFailed(line: string): boolean {
  return (
    saysNotLoaded(line) ||
    /^(?:Uncaught )?SyntaxError\b|^ImportError while loading conftest\b|^E +(?:ModuleNotFoundError|ImportError|SyntaxError)\b/.test(
      line,
    ) ||
    /^Could not find '|^ERROR: file or directory not found:|^ *code: 'ERR_(?:MODULE_NOT_FOUND|UNKNOWN_FILE_EXTENSION)'/.test(
      line,
    ) ||
    /^\S+\.(?:[cm]?tsx?)(?::\d+:\d+ - |\(\d+,\d+\): )error TS\d+:/.test(line) ||
    /^error(?:\[E\d+\])?: |^\S+\.go:\d+:\d+: |^no required module provides package /.test(line)
  );
}

function counted(failing: number): string {
  return failing === 1 ? '1 test fails' : `${failing} tests fail`;
}
