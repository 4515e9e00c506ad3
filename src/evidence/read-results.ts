/**
 * What a command's output says about tests: picks the reader from the command and from the content. The exit
 * code decides whether a check passed; this only explains. Any text is safe to read: every reader is linear,
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

export function readResults(run: RunOutput & { readonly argv: readonly string[] }): Results | undefined {
  for (const name of order(run)) {
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

/** The formats the command's runner writes come first; tests may print what looks like another's. */
function order(run: RunOutput & { readonly argv: readonly string[] }): readonly ReaderName[] {
  const runner = runnerCommand(run.argv)?.runner ?? echoedRunner(run.stdout);
  const first = (runner === undefined ? undefined : expected[runner]) ?? [];
  const all = Object.keys(readers) as ReaderName[];
  return [...first, ...all.filter((name) => !first.includes(name))];
}

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
