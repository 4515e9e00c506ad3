/**
 * Plain `go test`, with or without `-v`. Without `-v` Go does not say how many tests passed: an `ok` package
 * then counts as one. Tests that failed through a subtest are named by the subtest. `[build failed]` and
 * `[setup failed]` packages did not load.
 */
import { toReading, type Point, type Reading, type RunOutput } from './reading.ts';
import { plainLines } from './text.ts';

export function read(output: RunOutput): Reading | undefined {
  const lines = plainLines(`${output.stdout}\n${output.stderr}`);
  const points: Point[] = [];
  let tests: { readonly name: string; readonly status: Point['status'] }[] = [];
  let seen = false;
  for (const line of lines) {
    const test = /^ *--- (PASS|FAIL|SKIP): (\S+) \(\d+(?:\.\d+)?s\)$/.exec(line);
    if (test !== null) {
      tests.push({
        name: test[2] ?? '',
        status: test[1] === 'PASS' ? 'passed' : test[1] === 'SKIP' ? 'skipped' : 'failed',
      });
      continue;
    }
    const summary = /^(ok|FAIL|\?) *\t(\S+)(?:\s+(.*))?$/.exec(line);
    if (summary === null) continue;
    seen = true;
    const verdict = { verdict: summary[1] ?? '', pkg: summary[2] ?? '', rest: summary[3] ?? '' };
    for (const point of ofPackage(verdict, tests)) points.push(point);
    tests = [];
  }
  if (!seen) return undefined;
  return toReading(points, output.root);
}

function ofPackage(
  line: { readonly verdict: string; readonly pkg: string; readonly rest: string },
  tests: readonly { readonly name: string; readonly status: Point['status'] }[],
): Point[] {
  if (/\[(?:build|setup) failed\]/.test(line.rest)) return [{ name: line.pkg, status: 'failed', unloaded: true }];
  if (line.rest.includes('[no test files]')) return [];
  const parents = new Set<string>();
  const explained = new Set<string>();
  for (const test of tests) {
    const slash = test.name.lastIndexOf('/');
    if (slash === -1) continue;
    parents.add(test.name.slice(0, slash));
    if (test.status === 'failed') explained.add(test.name.slice(0, slash));
  }
  const points: Point[] = tests
    .filter((test) => !parents.has(test.name) || (test.status === 'failed' && !explained.has(test.name)))
    .map((test) => ({ name: `${line.pkg} ${test.name}`, status: test.status }));
  if (line.verdict === 'FAIL' && !points.some((point) => point.status === 'failed')) {
    // Ended before its tests could: a panic in an initialiser, TestMain, or a time limit.
    points.push({ name: line.pkg, status: 'failed', unloaded: tests.length === 0 });
  }
  if (line.verdict === 'ok' && tests.length === 0 && !line.rest.includes('[no tests to run]')) {
    points.push({ name: line.pkg, status: 'passed' });
  }
  return points;
}
