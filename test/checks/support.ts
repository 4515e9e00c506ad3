/** A repository with checks, and what a check needs: the real jail, logs and a cache of its own. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckDeps } from '../../src/checks/check.ts';
import type { CheckReport, CommandResult } from '../../src/policy/check-report.ts';
import type { ProcessIdentity } from '../../src/process/process.ts';
import { jail, makeRepo, scratch, type TestRepo } from '../git/support.ts';

export const never: AbortSignal = new AbortController().signal;

export interface Scene {
  readonly repo: TestRepo;
  readonly deps: CheckDeps;
  /** The first commit. */
  readonly base: string;
  /** Every process that was started, in order. */
  readonly started: readonly ProcessIdentity[];
  readonly log: (name: string) => string;
}

export async function makeScene(
  files: Readonly<Record<string, string>>,
  more: Partial<CheckDeps> = {},
): Promise<Scene> {
  const repo = makeRepo({ files });
  const started: ProcessIdentity[] = [];
  const logs = scratch('logs');
  const deps: CheckDeps = {
    repo: await repo.open(),
    jail,
    logs,
    cache: join(scratch('cache'), 'results'),
    started: (process) => void started.push(process),
    ...more,
  };
  return {
    repo,
    deps,
    base: repo.git('rev-parse', 'HEAD'),
    started,
    log: (name) => readFileSync(join(logs, name), 'utf8'),
  };
}

/** Node's own test runner, with a function and its test. */
export const nodeProject = {
  'package.json': JSON.stringify({ name: 'sum', type: 'module', scripts: { test: 'node --test' } }),
  'src/sum.js': 'export const sum = (a, b) => a + b;\n',
  'test/sum.test.js': testFile('adds', 'sum(1, 2)', 3),
};

export function testFile(name: string, expression: string, value: unknown): string {
  return [
    "import assert from 'node:assert/strict';",
    "import { test } from 'node:test';",
    "import { sum } from '../src/sum.js';",
    `test(${JSON.stringify(name)}, () => assert.equal(${expression}, ${JSON.stringify(value)}));`,
    '',
  ].join('\n');
}

/** What differs from run to run, made the same. */
export function steady(report: CheckReport): CheckReport {
  return { ...report, commands: report.commands.map(steadyCommand) };
}

function steadyCommand(command: CommandResult): CommandResult {
  return { ...command, durationMs: 0, output: '' };
}

export function onlyCommand(report: CheckReport): CommandResult {
  const [command, ...others] = report.commands;
  if (command === undefined || others.length > 0) throw new Error(`${report.commands.length} commands`);
  return command;
}
