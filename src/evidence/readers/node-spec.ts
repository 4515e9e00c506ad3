/**
 * The spec reporter of node:test (Node 18 to 24): nested lines with a mark and a duration, then figures, then
 * the failing tests once more with their file. The second list survives when the middle of the output is
 * missing; where both are there, suite path (first list) and file (second list) are put together.
 */
import { nodeTotals } from './figures.ts';
import { toReading, type Point, type Reading, type RunOutput, type Totals } from './reading.ts';
import { indentOf, namesFile, plainLines, saysNotLoaded } from './text.ts';

const maxDepth = 20;

export function read(output: RunOutput): Reading | undefined {
  const lines = plainLines(output.stdout);
  const totals = totalsOf(lines);
  const again = lines.findLastIndex((line) => /^✖ failing tests:\s*$/.test(line));
  const shown = seenInOrder(again === -1 ? lines : lines.slice(0, again));
  if (totals === undefined && (shown.length === 0 || lines.some((line) => /^ {2}\d+ passing\b/.test(line))))
    return undefined;
  const listed = again === -1 ? [] : failingList(lines.slice(again + 1));
  return toReading(combine(shown, listed), output.root, totals);
}

interface Seen {
  readonly path: readonly string[];
  readonly status: Point['status'];
  error: string;
  readonly assertedAloud: boolean;
  readonly file?: string;
}

function seenInOrder(lines: readonly string[]): Seen[] {
  const seen: Seen[] = [];
  const open: { readonly name: string; readonly depth: number; failures: number }[] = [];
  let asserted = false;
  for (const line of lines) {
    const mark = markOf(line);
    if (mark === undefined) {
      const current = seen.at(-1);
      if (current !== undefined && current.error === '' && line.trim() !== '') current.error = unquoted(line);
      if (/\b(?:AssertionError|ERR_ASSERTION)\b/.test(line)) asserted = true;
      continue;
    }
    while ((open.at(-1)?.depth ?? -1) > mark.depth) open.pop();
    const top = open.at(-1);
    const closes = top !== undefined && top.depth === mark.depth && top.name === mark.name && mark.timed;
    if (top !== undefined && top.depth === mark.depth) open.pop();
    if (mark.sign === '▶' && !mark.timed) {
      if (open.length < maxDepth) open.push({ name: mark.name, depth: mark.depth, failures: 0 });
      continue;
    }
    const failed = mark.sign === '✖' && !mark.todo;
    // A suite is explained by what failed in it; Node before 20.12 closes it with ▶ whatever became of it.
    if (!closes || (failed && top.failures === 0)) {
      const status = mark.sign === '﹣' || mark.todo ? 'skipped' : failed ? 'failed' : 'passed';
      const path = [...open.map((each) => each.name), mark.name];
      seen.push({ path, status, error: '', assertedAloud: asserted });
    }
    if (failed) for (const each of open) each.failures += 1;
    if (mark.depth === 0) asserted = false;
  }
  return seen;
}

interface Mark {
  readonly sign: string;
  readonly depth: number;
  readonly name: string;
  readonly timed: boolean;
  readonly todo: boolean;
}

function markOf(line: string): Mark | undefined {
  const indent = indentOf(line);
  const sign = line[indent];
  if (sign === undefined || !'✔✖﹣▶⚠'.includes(sign) || line[indent + 1] !== ' ') return undefined;
  const rest = line.slice(indent + 2);
  const timed = /^(.*) \(\d+(?:\.\d+)?ms\)(?: # (.*))?$/.exec(rest);
  const comment = timed?.[2] ?? (timed === null ? / # (SKIP|TODO)\b.*$/.exec(rest)?.[1] : undefined);
  if (timed === null && sign !== '▶' && comment === undefined) return undefined;
  const name = (timed?.[1] ?? rest.replace(/ # (?:SKIP|TODO)\b.*$/, '')).trim();
  return {
    sign,
    depth: indent,
    name,
    timed: timed !== null,
    todo: sign === '⚠' || (comment?.startsWith('TODO') ?? false),
  };
}

/** The closing list: `test at file:line:column`, the test's own name, its error. */
function failingList(lines: readonly string[]): Seen[] {
  const list: Seen[] = [];
  let file: string | undefined;
  for (const line of lines) {
    const at = /^test at (.+):\d+:\d+$/.exec(line);
    if (at !== null) {
      file = at[1];
      continue;
    }
    const mark = indentOf(line) === 0 ? markOf(line) : undefined;
    const current = list.at(-1);
    if (mark !== undefined && file !== undefined) {
      const status = mark.todo ? 'skipped' : 'failed';
      list.push({ path: [mark.name], status, error: '', assertedAloud: false, file });
      file = undefined;
    } else if (current !== undefined && current.error === '' && line.trim() !== '') current.error = unquoted(line);
  }
  return list;
}

function combine(shown: readonly Seen[], listed: readonly Seen[]): Point[] {
  const waiting = new Map<string, Seen[]>();
  for (const each of listed.toReversed()) {
    const leaf = each.path.at(-1) ?? '';
    const same = waiting.get(leaf);
    if (same === undefined) waiting.set(leaf, [each]);
    else same.push(each);
  }
  const points = shown.map((each) => {
    if (each.status !== 'failed') return pointFrom(each);
    const twin = waiting.get(each.path.at(-1) ?? '')?.pop();
    return pointFrom(twin?.file === undefined ? each : { ...each, file: twin.file, error: twin.error });
  });
  const unseen = [...waiting.values()].flat().filter((each) => each.status === 'failed');
  return [...points, ...unseen.map(pointFrom)];
}

function pointFrom(seen: Seen): Point {
  const leaf = seen.path.at(-1) ?? '';
  const wholeFile = seen.path.length === 1 && namesFile(leaf);
  const name = seen.file === undefined || wholeFile ? seen.path.join(' > ') : [seen.file, ...seen.path].join(' > ');
  if (seen.status === 'passed') return { name, status: 'passed', unloaded: wholeFile };
  if (seen.status === 'skipped') return { name, status: 'skipped' };
  const fileFailed = wholeFile && seen.error.startsWith('test failed') && !seen.assertedAloud;
  return { name, status: 'failed', unloaded: fileFailed || saysNotLoaded(seen.error) };
}

function unquoted(line: string): string {
  return line.trim().replace(/^'(.*)'$/, '$1');
}

function totalsOf(lines: readonly string[]): Totals | undefined {
  const figures = new Map<string, number>();
  for (const line of lines) {
    const match = /^ℹ (tests|pass|fail|cancelled|skipped|todo) (\d{1,9})$/.exec(line);
    if (match === null) continue;
    if (match[1] === 'tests') figures.clear();
    figures.set(match[1] ?? '', Number(match[2]));
  }
  return nodeTotals(figures);
}
