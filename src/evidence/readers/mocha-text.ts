/**
 * What mocha's spec and dot reporters print: `N passing`, `N pending`, `N failing`, then a numbered list whose
 * entries spread suite and test over indented lines until a colon. A file that does not load leaves no figures,
 * so it leaves no reading either.
 */
import { toReading, type Point, type Reading, type RunOutput } from './reading.ts';
import { indentOf, plainLines, saysNotLoaded } from './text.ts';

export function read(output: RunOutput): Reading | undefined {
  const lines = plainLines(output.stdout);
  const start = lines.findLastIndex((line) => /^ {2}\d{1,9} passing \(/.test(line));
  if (start === -1) return undefined;
  const tail = lines.slice(start);
  const figure = (word: string): number => {
    const line = tail.find((each) => new RegExp(`^ {2}\\d{1,9} ${word}\\b`).test(each));
    return line === undefined ? 0 : Number.parseInt(line, 10);
  };
  const totals = { passed: figure('passing'), failed: figure('failing'), skipped: figure('pending') };
  return toReading(totals.failed === 0 ? [] : failures(tail), output.root, totals);
}

function failures(lines: readonly string[]): Point[] {
  const points: Point[] = [];
  let path: string[] | undefined;
  let done: string | undefined;
  for (const line of lines) {
    const entry = /^ {2}\d+\) (.+)$/.exec(line);
    if (entry !== null) {
      path = [];
      done = undefined;
    }
    if (done !== undefined && line.trim() !== '') {
      points.push({ name: done, status: 'failed', unloaded: saysNotLoaded(line) });
      done = undefined;
    }
    if (path === undefined || (entry === null && indentOf(line) < 4)) continue;
    const part = (entry?.[1] ?? line).trim();
    path.push(part.endsWith(':') ? part.slice(0, -1) : part);
    if (!part.endsWith(':') && path.length < 20) continue;
    done = path.join(' > ');
    path = undefined;
  }
  return points;
}
