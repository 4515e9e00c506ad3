/**
 * `go test -json`, one event per line among whatever else is printed. Tests with subtests are not counted,
 * their subtests are. A package that failed without a failing test did not build, or ended before its tests:
 * it is named itself. A test that started and never ended (the package crashed) failed.
 */
import { toReading, type Point, type Reading, type RunOutput } from './reading.ts';
import { plainText } from './text.ts';

const maxEvent = 1_000_000;

interface Package {
  readonly tests: Map<string, 'running' | 'pass' | 'fail' | 'skip'>;
  readonly parents: Set<string>;
  result: 'pass' | 'fail' | 'skip' | undefined;
  notBuilt: boolean;
}

export function read(output: RunOutput): Reading | undefined {
  const packages = new Map<string, Package>();
  for (const line of output.stdout.split('\n')) {
    const event = eventOf(line);
    if (event !== undefined) apply(event, packages);
  }
  if (packages.size === 0) return undefined;
  return toReading(
    [...packages].flatMap(([name, each]) => pointsOf(name, each)),
    output.root,
  );
}

interface Event {
  readonly action: string;
  readonly pkg: string;
  readonly test: string;
  readonly output: string;
  readonly failedBuild: boolean;
}

function eventOf(line: string): Event | undefined {
  if (!line.startsWith('{"') || line.length > maxEvent || !line.includes('"Action"')) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  const record = value as Readonly<Record<string, unknown>>;
  const text = (key: string): string => (typeof record[key] === 'string' ? record[key] : '');
  // Go 1.24 reports builds as events of their own, by import path.
  const pkg = text('Package') || text('ImportPath').replace(/ \[.*\]$/, '');
  if (pkg === '' || text('Action') === '') return undefined;
  return {
    action: text('Action'),
    pkg,
    test: text('Test'),
    output: text('Output'),
    failedBuild: text('FailedBuild') !== '',
  };
}

function apply(event: Event, packages: Map<string, Package>): void {
  const known = packages.get(event.pkg);
  const each = known ?? { tests: new Map(), parents: new Set<string>(), result: undefined, notBuilt: false };
  if (known === undefined) packages.set(event.pkg, each);
  if (event.failedBuild || event.action === 'build-fail') each.notBuilt = true;
  if (event.action === 'output' && /\[(?:build|setup) failed\]\s*$/.test(plainText(event.output.slice(0, 2000))))
    each.notBuilt = true;
  if (event.action === 'run' && event.test !== '') {
    each.tests.set(event.test, 'running');
    const slash = event.test.lastIndexOf('/');
    if (slash !== -1) each.parents.add(event.test.slice(0, slash));
  }
  if (event.action !== 'pass' && event.action !== 'fail' && event.action !== 'skip') return;
  if (event.test === '') each.result = event.action;
  else each.tests.set(event.test, event.action);
}

function pointsOf(pkg: string, each: Package): Point[] {
  const failedParents = new Set<string>();
  for (const [test, state] of each.tests) {
    const slash = test.lastIndexOf('/');
    if (slash !== -1 && (state === 'fail' || state === 'running')) failedParents.add(test.slice(0, slash));
  }
  const points: Point[] = [];
  for (const [test, state] of each.tests) {
    const failed = state === 'fail' || (state === 'running' && each.result !== 'pass');
    // A parent that failed on its own account, not through a subtest, is a failure of its own.
    if (each.parents.has(test) && (!failed || failedParents.has(test))) continue;
    points.push({ name: `${pkg} ${test}`, status: failed ? 'failed' : state === 'skip' ? 'skipped' : 'passed' });
  }
  if ((each.result === 'fail' || each.notBuilt) && !points.some((point) => point.status === 'failed')) {
    points.push({ name: pkg, status: 'failed', unloaded: each.notBuilt || each.tests.size === 0 });
  }
  return points;
}
