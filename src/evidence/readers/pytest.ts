/**
 * pytest's terminal output: the closing figures (plain, `-q`, or between bars) and the short summary. Expected
 * failures count as skipped, unexpected passes as passed, errors as failed. An `ERROR` that names a file
 * instead of a test is a module that could not be collected.
 */
import { toReading, type Point, type Reading, type RunOutput, type Totals } from './reading.ts';
import { plainLines, saysNotLoaded } from './text.ts';

export function read(output: RunOutput): Reading | undefined {
  const lines = plainLines(output.stdout);
  const end = lines.findLastIndex((line) => figuresOf(line) !== undefined);
  const figures = end === -1 ? undefined : figuresOf(lines[end] ?? '');
  if (figures === undefined) return undefined;
  const before = lines.slice(0, end);
  const header = before.findLastIndex((line) => /^=+ short test summary info =+$/.test(line));
  const points =
    header === -1 ? verboseFailures(before) : summaryFailures(before.slice(header + 1), before.slice(0, header));
  return toReading(points, output.root, figures);
}

const weights: Readonly<Record<string, keyof Totals>> = {
  passed: 'passed',
  xpassed: 'passed',
  failed: 'failed',
  error: 'failed',
  errors: 'failed',
  skipped: 'skipped',
  xfailed: 'skipped',
};

/** `=== 1 failed, 2 passed in 0.12s (0:00:01) ===`; other words (warnings, deselected, rerun) do not count tests. */
function figuresOf(line: string): Totals | undefined {
  const match = /^=* ?(\d[\d\w ,]*|no tests ran) in \d[\d.]*s(?: \([\d:]+\))? ?=*$/.exec(line);
  if (match === null) return undefined;
  const totals = { passed: 0, failed: 0, skipped: 0 };
  if (match[1] === 'no tests ran') return totals;
  for (const part of (match[1] ?? '').split(', ')) {
    const figure = /^(\d{1,9}) ([a-z ]+)$/.exec(part);
    if (figure === null) return undefined;
    const kind = Object.hasOwn(weights, figure[2] ?? '') ? weights[figure[2] ?? ''] : undefined;
    if (kind !== undefined) totals[kind] += Number(figure[1]);
  }
  return totals;
}

function summaryFailures(lines: readonly string[], before: readonly string[]): Point[] {
  const collected = new Set(before.flatMap((line) => /^_+ ERROR collecting (.+?) _+$/.exec(line)?.[1] ?? []));
  return lines.flatMap((line) => {
    // `SUBFAILED[message] (i=0) test_s.py::test_sub - …`: named after the test that holds the subtest.
    const match = /^(FAILED|ERROR) (.+)$/.exec(line) ?? /^(SUBFAIL)\S* .*?(\S+\.py::.+)$/.exec(line);
    if (match === null) return [];
    const { id, message } = splitMessage(match[2] ?? '');
    const unloaded = (match[1] === 'ERROR' && (!id.includes('::') || collected.has(id))) || saysNotLoaded(message);
    return [{ name: id, status: 'failed', unloaded } satisfies Point];
  });
}

/** The id ends at the first ` - `, unless that is inside the brackets of a parameter set. */
function splitMessage(text: string): { readonly id: string; readonly message: string } {
  const dash = text.indexOf(' - ');
  const bracket = text.indexOf('[');
  const close = bracket !== -1 && bracket < dash ? text.indexOf('] - ', bracket) + 1 : 0;
  const at = close > 0 ? close : dash;
  return at === -1 ? { id: text.trim(), message: '' } : { id: text.slice(0, at).trim(), message: text.slice(at + 3) };
}

/** Without a short summary (`--no-summary`), `-v` still says which tests failed. */
function verboseFailures(lines: readonly string[]): Point[] {
  return lines.flatMap((line) => {
    const match = /^(\S+\.py::.+) (FAILED|ERROR)\s+\[ *\d+%\]$/.exec(line);
    if (match !== null) return [{ name: match[1] ?? '', status: 'failed' } satisfies Point];
    const broken = /^_+ ERROR collecting (.+?) _+$/.exec(line)?.[1];
    return broken === undefined ? [] : [{ name: broken, status: 'failed', unloaded: true } satisfies Point];
  });
}
