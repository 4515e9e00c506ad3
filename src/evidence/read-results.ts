/**
 * What a command's output says about tests. Where the runner is known (from the command, or from the judge's package
 * scripts), its own formats are read first, so that tests may print what looks like another's. Where it is not known,
 * every format that is found counts and the reading with the most failures wins: output that looks like a success can
 * not hide one that does not. Any text is safe to read: every reader is linear,
 * none throws, and one that does not find its own format says so by undefined.
 */
import type { TestCounts } from '../policy/check-report.ts';
import { read as cargo } from './readers/cargo.ts';
import { read as goJson } from './readers/go-json.ts';
import { read as goText } from './readers/go-text.ts';
import { read as jestJson } from './readers/jest-json.ts';
import { read as jestText } from './readers/jest-text.ts';
import { read as junit } from './readers/junit.ts';
import { read as make } from './readers/make.ts';
import { read as mochaText } from './readers/mocha-text.ts';
import { read as nodeSpec } from './readers/node-spec.ts';
import { read as pytest } from './readers/pytest.ts';
import type { Reading, RunOutput } from './readers/reading.ts';
import { read as tap } from './readers/tap.ts';
import { plainLines } from './readers/text.ts';
import { read as unittest } from './readers/unittest.ts';
import { read as vitestText } from './readers/vitest-text.ts';
import { runnerCommand, scriptWords, type RunnerName } from './runner-command.ts';

export interface Results {
  readonly reader: string;
  readonly counts: TestCounts;
  /** The failing names that did not load, so that no assertion of theirs ran. */
  readonly unloaded: readonly string[];
  readonly ran: number;
}

export interface RunToRead extends RunOutput {
  readonly argv: readonly string[];
  /** The runner behind the command, where the caller knows it. */
  readonly runner?: RunnerName | undefined;
}

export function readResults(run: RunToRead): Results | undefined {
  const runner = run.runner ?? runnerCommand(run.argv)?.runner ?? echoedRunner(run.stdout);
  const first = (runner === undefined ? undefined : expected[runner]) ?? [];
  const own = firstReading(run, first);
  if (own !== undefined) return own;
  const rest = (Object.keys(readers) as ReaderName[]).filter((name) => !first.includes(name));
  const found = rest.flatMap((name) => firstReading(run, [name]) ?? []);
  const most = Math.max(0, ...found.map(({ counts }) => counts.failed));
  return found.find(({ counts }) => counts.failed === most);
}

function firstReading(run: RunOutput, names: readonly ReaderName[]): Results | undefined {
  for (const name of names) {
    const reading = readers[name](run);
    if (reading !== undefined) return { reader: name, ...reading };
  }
  return undefined;
}

/** From the most to the least telling format. */
const readers = {
  'jest-json': jestJson,
  junit,
  'go-json': goJson,
  tap,
  'node-spec': nodeSpec,
  'vitest-text': vitestText,
  'jest-text': jestText,
  pytest,
  unittest,
  cargo,
  'go-text': goText,
  'mocha-text': mochaText,
  make,
} satisfies Readonly<Record<string, (output: RunOutput) => Reading | undefined>>;

type ReaderName = keyof typeof readers;

const expected: Partial<Readonly<Record<RunnerName, readonly ReaderName[]>>> = {
  'node-test': ['tap', 'node-spec', 'junit'],
  vitest: ['jest-json', 'junit', 'vitest-text', 'tap'],
  jest: ['jest-json', 'junit', 'jest-text'],
  mocha: ['mocha-text', 'junit', 'tap'],
  pytest: ['pytest', 'junit'],
  'go-test': ['go-json', 'go-text'],
  'cargo-test': ['cargo'],
};

/** npm, pnpm and yarn print the script they run: `> vitest run`, `$ vitest run`. */
function echoedRunner(stdout: string): RunnerName | undefined {
  const lines = plainLines(stdout.slice(0, 4096));
  const echoed = lines.flatMap((line) => /^[>$] (.+)$/.exec(line)?.[1] ?? []);
  for (const line of echoed.toReversed()) {
    const last = scriptWords(line)?.at(-1);
    const runner = last === undefined ? undefined : runnerCommand(last)?.runner;
    if (runner !== undefined) return runner;
  }
  return undefined;
}
