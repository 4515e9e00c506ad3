/**
 * What a report on old tests and new code says, test by test: the name, what the test (or the helper, fixture or
 * snapshot behind it) said before and says now, and what the old test said about the new code. Pure but for its room.
 */
import { isTestFile } from '../evidence/test-files.ts';
import type { CheckReport, CommandResult } from '../policy/check-report.ts';
import type { Expectation, SquareCell } from '../policy/square.ts';
import type { MeasuredTests } from './measure.ts';

export interface FileTexts {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

export function oldTestResults(
  report: CheckReport,
  tests: MeasuredTests,
  { restored, hadTests }: { readonly restored: readonly FileTexts[]; readonly hadTests: boolean },
): { readonly cell: SquareCell; readonly expectations: readonly Expectation[] } {
  const open = report.commands.filter(
    (command) => command.status !== 'passed' && command.status !== 'flaky' && (hadTests || !ranNothing(command)),
  );
  if (report.commands.length === 0) {
    return { cell: { status: 'not-measured', reason: 'No command runs the tests of the base.' }, expectations: [] };
  }
  if (open.length === 0) {
    return { cell: { status: 'passed', reason: 'The tests of the base pass on the new code.' }, expectations: [] };
  }
  const expectations = open.flatMap((command) => ofCommand(command, tests, restored));
  const reason = open.map(({ label, reason: why }) => `${label}: ${why}`).join('; ');
  return { cell: { status: 'failed', reason }, expectations };
}

/** A runner that found no test and says that all is well: right, where the base has none. */
function ranNothing({ status, exit, counts }: CommandResult): boolean {
  return status === 'unverified' && exit === 0 && counts !== undefined && counts.passed + counts.failed === 0;
}

const mostNames = 50;

function ofCommand(
  command: CommandResult,
  tests: MeasuredTests,
  restored: readonly FileTexts[],
): readonly Expectation[] {
  const names = command.newFailures.slice(0, mostNames);
  if (names.length > 0) return names.map((name) => ofTest(name, command, { tests, restored }));
  const aids = differences(restored);
  const change = command.status === 'failed' ? 'fails' : 'not-run';
  return [{ path: command.label, change, ...aids, message: `${command.reason}\n${tail(command.output)}` }];
}

function ofTest(
  name: string,
  command: CommandResult,
  { tests, restored }: { readonly tests: MeasuredTests; readonly restored: readonly FileTexts[] },
): Expectation {
  const file = restored.find(({ path }) => name === path || name.startsWith(`${path} `) || name.startsWith(`${path}:`));
  const whole = file !== undefined && name === file.path;
  if (whole) {
    const change = 'not-loaded';
    return { path: file.path, change, ...differences([file]), message: messageOf(command.output, name) };
  }
  const leaf = leafOf(name);
  const about = tests.bodies.filter((each) => each.leaf === leaf || name.endsWith(each.name));
  const body = about.find(({ path }) => name.includes(path)) ?? about[0];
  const isSame = body !== undefined && body.before.join('\n') === body.after.join('\n');
  // Its own text is as it was: what it leans on has changed.
  const shown = body === undefined || isSame ? differences(aidsOf(restored)) : lineDifference(body.before, body.after);
  const path = body?.path ?? file?.path ?? pathIn(name) ?? command.label;
  const change = body !== undefined && body.after.length === 0 ? 'removed' : 'fails';
  return { path, test: body?.name ?? name, change, ...shown, message: messageOf(command.output, leaf) };
}

/** The last part of a name, as runners join them. */
function leafOf(name: string): string {
  return name.split(/ > |::/).at(-1) ?? name;
}

function pathIn(name: string): string | undefined {
  const [first = ''] = name.split(/ > |::/);
  return /\.[a-z]+$/.test(first) ? first : undefined;
}

function aidsOf(restored: readonly FileTexts[]): readonly FileTexts[] {
  const aids = restored.filter(({ path }) => !isTestFile(path));
  return aids.length === 0 ? restored : aids;
}

const mostFiles = 4;

function differences(files: readonly FileTexts[]): { readonly before: string; readonly after: string } {
  const each = files.slice(0, mostFiles).map(({ path, before, after }) => ({
    path,
    ...lineDifference(before.split('\n'), after.split('\n')),
  }));
  const linesOf = (side: 'before' | 'after'): string =>
    each.flatMap((file) => (file[side] === '' ? [] : [`${file.path}:`, file[side]])).join('\n');
  return { before: linesOf('before'), after: linesOf('after') };
}

const mostLines = 12;

/** Lines that only one side has. */
function lineDifference(
  before: readonly string[],
  after: readonly string[],
): { readonly before: string; readonly after: string } {
  const only = (lines: readonly string[], other: readonly string[]): string => {
    const known = new Set(other.map((line) => line.trim()));
    const own = lines.filter((line) => line.trim() !== '' && !known.has(line.trim()));
    return own
      .slice(0, mostLines)
      .map((line) => line.slice(0, 200))
      .join('\n');
  };
  return { before: only(before, after), after: only(after, before) };
}

/** The lines after the one that names the failing test, as the runner printed them. */
function messageOf(output: string, name: string): string {
  const lines = output.split('\n');
  const failing = /not ok|✖|✗|×|●|FAIL|fail|Error|ERROR/;
  const at = lines.findLastIndex((line) => line.includes(name) && failing.test(line));
  const from = at === -1 ? lines.findLastIndex((line) => line.includes(name)) : at;
  if (from === -1) return tail(output);
  const said = lines.slice(from, from + 14).filter((line) => line.trim() !== '');
  return said.map((line) => line.slice(0, 200)).join('\n');
}

function tail(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  return lines
    .slice(-8)
    .map((line) => line.slice(0, 200))
    .join('\n');
}
