/**
 * Which test before is which test after, over a whole diff: first by full name in the same file, then moved
 * (same name elsewhere), then renamed (same or largely the same body). What stays without a partner is missing.
 * Lines that very many tests share say nothing and are left out, so the work stays linear.
 */
import type { TestOutline, OutlinedTest } from './outline.ts';

export interface FileOutlines {
  readonly path: string;
  readonly before: TestOutline;
  readonly after: TestOutline;
}

interface Placed {
  readonly path: string;
  readonly test: OutlinedTest;
}

export interface MatchedTests {
  readonly pairs: readonly { readonly before: Placed; readonly after: Placed }[];
  /** By path: tests of the version before without a partner. */
  readonly missing: ReadonlyMap<string, readonly OutlinedTest[]>;
  /** By `path\nname` after: where the test was before, if elsewhere. */
  readonly origins: ReadonlyMap<string, { readonly path: string; readonly test: string }>;
  /** How often each marker and each empty assertion stood in the versions before. Counted down by the caller. */
  readonly marks: Map<string, number>;
}

export function matchTests(files: readonly FileOutlines[]): MatchedTests {
  const pairs: { before: Placed; after: Placed }[] = [];
  let removed: Placed[] = [];
  let fresh: Placed[] = [];
  for (const file of files) {
    const place = (test: OutlinedTest): Placed => ({ path: file.path, test });
    const left = pairUp(file.before.tests.map(place), file.after.tests.map(place), (each) => each.test.name);
    for (const pair of left.pairs) pairs.push(pair);
    for (const each of left.before) removed.push(each);
    for (const each of left.after) fresh.push(each);
  }
  const keys: ((each: Placed) => string)[] = [
    (each) => `${each.path}\n${each.test.leaf}`,
    (each) => each.test.name,
    (each) => (each.test.body.length === 0 ? `${each.path}\n${each.test.name}` : each.test.body.join('\n')),
  ];
  for (const key of keys) {
    const step = pairUp(removed, fresh, key);
    for (const pair of step.pairs) pairs.push(pair);
    removed = step.before;
    fresh = step.after;
  }
  const similar = pairSimilar(removed, fresh);
  for (const pair of similar.pairs) pairs.push(pair);
  return {
    pairs,
    missing: byPath(similar.before),
    origins: new Map(
      pairs
        .filter(({ before, after }) => before.path !== after.path || before.test.name !== after.test.name)
        .map(({ before, after }) => [
          `${after.path}\n${after.test.name}`,
          { path: before.path, test: before.test.name },
        ]),
    ),
    marks: marksBefore(files),
  };
}

interface Step {
  readonly pairs: readonly { readonly before: Placed; readonly after: Placed }[];
  readonly before: Placed[];
  readonly after: Placed[];
}

/** Pairs in order those with equal keys; equal names occur, as in tables of cases. */
function pairUp(before: readonly Placed[], after: readonly Placed[], key: (each: Placed) => string): Step {
  const waiting = new Map<string, Placed[]>();
  for (const each of after.toReversed()) {
    const same = waiting.get(key(each));
    if (same === undefined) waiting.set(key(each), [each]);
    else same.push(each);
  }
  const pairs: { before: Placed; after: Placed }[] = [];
  const taken = new Set<Placed>();
  const left = before.filter((each) => {
    const partner = waiting.get(key(each))?.pop();
    if (partner === undefined) return true;
    taken.add(partner);
    pairs.push({ before: each, after: partner });
    return false;
  });
  return { pairs, before: left, after: after.filter((each) => !taken.has(each)) };
}

const commonLine = 8;
const likeness = 0.5;

/** A rename with edits: at least half of the lines are the same, and in the same file. */
function pairSimilar(before: readonly Placed[], after: readonly Placed[]): Step {
  const byLine = new Map<string, Placed[]>();
  for (const each of after) {
    for (const line of new Set(each.test.body)) {
      const key = `${each.path}\n${line}`;
      const same = byLine.get(key);
      if (same === undefined) byLine.set(key, [each]);
      else same.push(each);
    }
  }
  const taken = new Set<Placed>();
  const pairs: { before: Placed; after: Placed }[] = [];
  const left = before.filter((each) => {
    const shared = new Map<Placed, number>();
    for (const line of new Set(each.test.body)) {
      const candidates = byLine.get(`${each.path}\n${line}`) ?? [];
      if (candidates.length > commonLine) continue;
      for (const candidate of candidates)
        if (!taken.has(candidate)) shared.set(candidate, (shared.get(candidate) ?? 0) + 1);
    }
    let best: { readonly placed: Placed; readonly lines: number } | undefined;
    for (const [placed, lines] of shared) if (lines > (best?.lines ?? 0)) best = { placed, lines };
    const size = Math.max(each.test.body.length, best?.placed.test.body.length ?? 0);
    if (best === undefined || best.lines < 2 || best.lines / size < likeness) return true;
    taken.add(best.placed);
    pairs.push({ before: each, after: best.placed });
    return false;
  });
  return { pairs, before: left, after: after.filter((each) => !taken.has(each)) };
}

function byPath(placed: readonly Placed[]): Map<string, OutlinedTest[]> {
  const found = new Map<string, OutlinedTest[]>();
  for (const { path, test } of placed) {
    const list = found.get(path);
    if (list === undefined) found.set(path, [test]);
    else list.push(test);
  }
  return found;
}

function marksBefore(files: readonly FileOutlines[]): Map<string, number> {
  const marks = new Map<string, number>();
  const add = (key: string): void => void marks.set(key, (marks.get(key) ?? 0) + 1);
  for (const { path, before } of files) {
    for (const marker of before.markers) add(`${path}\n${marker.kind}\n${marker.test ?? ''}`);
    for (const each of before.tautologies) add(`${path}\nempty\n${each.test ?? ''}\n${each.text}`);
  }
  return marks;
}
