/**
 * The JSON report that jest (`--json`) and vitest (`--reporter=json`) share, alone in a file or as a line
 * among other output. When the middle of it is missing, the figures (they come first) and the failing names
 * that are still whole are used.
 */
import { toReading, type Point, type Reading, type RunOutput } from './reading.ts';
import { plainText, saysNotLoaded, stablePath } from './text.ts';

const marker = '"numTotalTests"';
/** A report is one line or the whole text; more candidates than this are noise. */
const maxCandidates = 8;

export function read(output: RunOutput): Reading | undefined {
  for (const text of [output.stdout, ...(output.files ?? []).map((file) => file.content), output.stderr]) {
    if (!text.includes(marker)) continue;
    for (const candidate of candidates(text)) {
      const report = parsed(candidate);
      if (report !== undefined) return fromReport(report, output.root);
    }
    const rest = fromFragments(text, output.root);
    if (rest !== undefined) return rest;
  }
  return undefined;
}

function candidates(text: string): string[] {
  const lines = text.split('\n');
  const single = lines
    .filter((line) => line.includes(marker))
    .map((line) => line.slice(Math.max(0, line.indexOf('{'))));
  const first = lines.findIndex((line) => line.trimEnd() === '{');
  const last = lines.findLastIndex((line) => line.trimEnd() === '}');
  const block = first !== -1 && last > first ? [lines.slice(first, last + 1).join('\n')] : [];
  return [...single.slice(-maxCandidates), ...block, text].filter((each) => each.trimStart().startsWith('{'));
}

type Json = Readonly<Record<string, unknown>>;

function parsed(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && Array.isArray(value['testResults']) ? value : undefined;
  } catch {
    return undefined;
  }
}

function fromReport(report: Json, root: string | undefined): Reading {
  const points: Point[] = [];
  for (const file of objects(report['testResults'])) {
    const path = stablePath(stringOf(file['name']) || stringOf(file['testFilePath']), root);
    const results = objects(file['assertionResults']);
    for (const result of results) points.push(fromResult(result, path));
    // A file that failed without a failing test in it: it did not load, or one of its hooks threw.
    if (file['status'] === 'failed' && !results.some((each) => each['status'] === 'failed')) {
      points.push({
        name: path,
        status: 'failed',
        unloaded: results.length === 0 || saysNotLoaded(plainText(stringOf(file['message']))),
      });
    }
  }
  // A run that calls itself failed has failed, also where no test of it did (an error outside of any).
  if (report['success'] === false && !points.some((point) => point.status === 'failed'))
    points.push({ name: 'the run as a whole', status: 'failed', unloaded: true });
  return toReading(points, root);
}

function fromResult(result: Json, path: string): Point {
  const titles = Array.isArray(result['ancestorTitles']) ? result['ancestorTitles'].map(stringOf) : [];
  const name = [path, ...titles, stringOf(result['title']) || stringOf(result['fullName'])]
    .filter((part) => part !== '')
    .join(' > ');
  if (result['status'] === 'passed') return { name, status: 'passed' };
  if (result['status'] !== 'failed') return { name, status: 'skipped' };
  const messages = Array.isArray(result['failureMessages'])
    ? result['failureMessages'].map((each) => plainText(stringOf(each)))
    : [];
  return { name, status: 'failed', unloaded: messages.length > 0 && messages.every(saysNotLoaded) };
}

function fromFragments(report: string, root: string | undefined): Reading | undefined {
  const figure = (key: string): number | undefined => {
    const at = report.indexOf(`"${key}":`);
    const digits = at === -1 ? null : /^\s*(\d{1,9})/.exec(report.slice(at + key.length + 3, at + key.length + 20));
    return digits === null ? undefined : Number(digits[1]);
  };
  const passed = figure('numPassedTests');
  const failed = figure('numFailedTests');
  if (passed === undefined || failed === undefined) return undefined;
  const skipped = (figure('numPendingTests') ?? 0) + (figure('numTodoTests') ?? 0);
  const points: Point[] = [];
  for (const part of report.split('{"ancestorTitles":').slice(1)) {
    // The line that says how much is missing ends what is whole.
    const whole = part.split('\n', 1)[0] ?? '';
    const name = /"fullName":"((?:[^"\\]|\\.){0,2000})"/.exec(whole)?.[1];
    const status = /"status":"(\w{1,20})"/.exec(whole)?.[1];
    if (name !== undefined && status === 'failed') points.push({ name: unescaped(name), status });
  }
  return toReading(points, root, { passed, failed, skipped });
}

function unescaped(name: string): string {
  try {
    return stringOf(JSON.parse(`"${name}"`));
  } catch {
    return name;
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function objects(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
