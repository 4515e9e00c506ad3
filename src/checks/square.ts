/**
 * The square of evidence, measured: the tests, helpers, fixtures and snapshots of the base on the code of the commit, and
 * what they say. Made as a tree in git's object store and run by the same checks as any commit, cached by tree. Nothing is
 * run where nothing can differ: no file on the test side changed, or only prose did.
 */
import { posix } from 'node:path';
import { isSourceDirectory, searchWords } from '../evidence/file-users.ts';
import { isTestFile } from '../evidence/test-files.ts';
import { isLoadedUnasked, isProse, type TestSides } from '../evidence/test-side.ts';
import { listFiles } from '../git/changes.ts';
import { writeCommit } from '../git/commit.ts';
import { diffEntries, type EntryChange, editTree, isPlainFile, readBlobs, type TreeFile } from '../git/tree-edit.ts';
import type { TreeEdit } from '../git/write-trees.ts';
import { resolveVerify } from '../plan/command-line.ts';
import type { CheckReport } from '../policy/check-report.ts';
import type { Expectation, Square, SquareCell } from '../policy/square.ts';
import { runCanary } from './canary.ts';
import type { CheckDeps } from './check.ts';
import { changedInExamples, entryPointEdits } from './further-sides.ts';
import type { MeasuredTests } from './measure.ts';
import { type FileTexts, oldTestResults } from './old-tests.ts';
import { readLimits, readSides, readUnnamed, type UnnamedRequest } from './read-sides.ts';
import { measureRedGreen, type RedGreenRequest, type RedGreenResult } from './red-green.ts';
import { runChecks } from './run-checks.ts';
import { runTogether } from './run-together.ts';
import { type CheckEntries, selectCommands } from './select-commands.ts';

export interface SquareRequest extends RedGreenRequest {
  /** The report on the run's base: what failed there already is not new. */
  readonly baseline?: CheckReport | undefined;
  /** What the run's own documents changed; see unnamed-files.ts. */
  readonly documents?: UnnamedRequest['documents'];
}

export interface MeasuredSquare {
  readonly square: Square;
  readonly redGreen: readonly RedGreenResult[];
}

export async function measureSquare(
  deps: CheckDeps,
  request: SquareRequest,
  tests: MeasuredTests,
  signal: AbortSignal,
): Promise<MeasuredSquare> {
  const changes = await diffEntries(deps.repo, request.base, request.commit);
  const checks = (await selectCommands(deps, request)).started.map(({ path }) => path);
  const sides = await readSides(deps.repo, request, { changes, checks });
  // A document that tests read is what they compare with.
  const read = new Set(sides.status === 'done' ? sides.value.tests : []);
  const telling = changes.filter(({ path }) => !isProse(path) || read.has(path));
  const cells = { oldOnOld: baselineCell(request.baseline), newOnNew: passedCell };
  const onOldCode = (): Promise<readonly RedGreenResult[]> => measureRedGreen(deps, request, signal);
  if (telling.length === 0) {
    const same: SquareCell = { status: 'same', reason: 'Only documentation changed.' };
    const canary = { status: 'not-measured', reason: same.reason } as const;
    const redGreen = await onOldCode();
    return { redGreen, square: { ...cells, newOnOld: newOnOld(redGreen), oldOnNew: same, expectations: [], canary } };
  }
  const stretch = { base: request.baseline?.commit ?? request.base, commit: request.commit };
  const unnamed = await readUnnamed(deps.repo, { ...stretch, checks, documents: request.documents ?? [] });
  const matter = { deps, request, tests, changes: telling, unnamed };
  const trees = sides.status === 'over' ? [] : await oldTrees(matter, sides.value);
  const earlier = await changedEarlier(matter, checks, new Set(telling.map(({ path }) => path)));
  const product = telling.map(({ path }) => path);
  const words = product.flatMap((path) => searchWords(path)).slice(0, 200);
  const [redGreen, { canary, unheeded }, ofFirst, ...runs] = await runTogether([
    onOldCode,
    () => runCanary(deps, request, { paths: product, words }, signal),
    () => runFirst(matter, { own: trees.find(({ prefix }) => prefix === 'old')?.restored ?? [], earlier }, signal),
    ...trees.map((tree) => () => runOld(matter, tree, signal)),
  ] as const);
  const now = sides.status === 'over' ? unknownSides(sides.reason) : combined(trees, runs);
  const old = withFurther(now, ofFirst, because.first(namesOf(earlier)));
  const kept = withFurther(old, { cell: old.cell, expectations: unheeded }, '');
  const known = new Set(kept.expectations.map(({ path, test }) => `${path}\n${test ?? ''}`));
  const examples = await changedInExamples(deps, request, telling);
  const changed = [...tests.changed, ...examples]
    .filter(({ path, test }) => !known.has(`${path}\n${test}`))
    .map(({ path, test, before, after }): Expectation => {
      return { path, test, change: 'changed', before: before.join('\n'), after: after.join('\n'), message: '' };
    });
  const expectations = [...kept.expectations, ...changed].slice(0, mostExpectations);
  return { redGreen, square: { ...cells, newOnOld: newOnOld(redGreen), oldOnNew: old.cell, expectations, canary } };
}

const mostExpectations = 200;
const passedCell: SquareCell = { status: 'passed', reason: 'The checks passed on the commit.' };

function baselineCell(baseline: CheckReport | undefined): SquareCell {
  if (baseline === undefined) return { status: 'not-measured', reason: 'There is no report on the base.' };
  const good = baseline.status === 'passed' || baseline.status === 'flaky';
  return { status: good ? 'passed' : 'failed', reason: `The checks on the base: ${baseline.status}.` };
}

function newOnOld(results: readonly RedGreenResult[]): SquareCell {
  if (results.length === 0) return { status: 'same', reason: 'No test was added or changed.' };
  const green = results.filter(({ result }) => result === 'green');
  const measured = results.filter(({ result }) => result !== 'not-measured');
  if (measured.length === 0) return { status: 'not-measured', reason: results[0]?.reason ?? '' };
  return green.length === 0
    ? { status: 'failed', reason: 'The added and changed tests fail on the code before, as they should.' }
    : { status: 'passed', reason: `${green.flatMap(({ files }) => files).join(', ')} pass on the code before.` };
}

interface Matter {
  readonly deps: CheckDeps;
  readonly request: SquareRequest;
  readonly tests: MeasuredTests;
  readonly changes: readonly EntryChange[];
  /** See unnamed-files.ts. */
  readonly unnamed: readonly EntryChange[];
}

interface OldOnNew {
  readonly cell: SquareCell;
  readonly expectations: readonly Expectation[];
}

function unknownSides(why: string): OldOnNew {
  const reason = `Forge could not find out which files belong to the tests: ${why}.`;
  const unknown = { path: '.', change: 'not-run', before: '', after: '', message: reason } as const;
  return { cell: { status: 'not-measured', reason }, expectations: [unknown] };
}

/** What the old tests are run on: first the new code, then the same with more as it was on the base. */
async function oldTrees({ deps, request, changes, unnamed }: Matter, sides: TestSides): Promise<readonly OldTree[]> {
  const ofTests = new Set(sides.tests);
  const suspects = new Set(sides.suspects);
  const others = changes.filter(({ path }) => !ofTests.has(path) && !suspects.has(path));
  const edits = changes.filter(({ path }) => ofTests.has(path));
  // A helper with a plain name looks like the product: then its old version must do as well.
  const doubtful = doubtfulOf(
    changes.filter(({ path }) => suspects.has(path)),
    others.length > 0,
  );
  const manifests = changes.filter(({ path }) => /(?:^|\/)package\.json$/.test(path));
  const entries = await entryPointEdits(deps, request.commit, manifests);
  const trees: readonly OldTree[] = [
    { prefix: 'old', restored: edits, more: [], files: edits },
    { prefix: 'older', restored: [...edits, ...doubtful], more: [], files: doubtful },
    { prefix: 'bare', restored: [...edits, ...unnamed], more: [], files: unnamed },
    { prefix: 'entry', restored: edits, more: entries, files: entries.length === 0 ? [] : manifests },
  ];
  return trees.filter(({ files }) => files.length > 0);
}

/** One of them is the product: the others, or what lies where sources lie. Where nobody can tell, none is taken back. */
function doubtfulOf(suspects: readonly EntryChange[], hasProduct: boolean): readonly EntryChange[] {
  if (hasProduct) return suspects;
  const aside = suspects.filter(({ path }) => !isSourceDirectory(posix.dirname(path)));
  return aside.length < suspects.length ? aside : [];
}

/** What fails only with more files as they were on the base passes because of those files. */
function combined(trees: readonly OldTree[], runs: readonly OldOnNew[]): OldOnNew {
  let sum = nothingChanged;
  for (const [place, run] of runs.entries()) {
    const tree = trees[place];
    if (tree === undefined) continue;
    sum = tree.prefix === 'old' ? run : withFurther(sum, run, because[tree.prefix](namesOf(tree.files)));
  }
  return sum;
}

function withFurther(first: OldOnNew, further: OldOnNew, reason: string): OldOnNew {
  const known = new Set(first.expectations.map(({ path, test }) => `${path}\n${test ?? ''}`));
  const fresh = further.expectations.filter(({ path, test }) => !known.has(`${path}\n${test ?? ''}`));
  if (fresh.length === 0) return first;
  const explained = fresh.map((each) => ({ ...each, message: `${reason}\n${each.message}`.trim() }));
  return { cell: further.cell, expectations: [...first.expectations, ...explained] };
}

function namesOf(files: readonly EntryChange[]): string {
  const names = files.slice(0, mostNames).map(({ path }) => path);
  return `${names.join(', ')}${files.length > names.length ? ` and ${files.length - names.length} more` : ''}`;
}

const mostNames = 10;
const because = {
  first: (names: string) => `It passes only with ${names} as earlier work of this run changed it.`,
  older: (names: string) => `Only with the changed ${names}, which nothing but tests uses, does it pass.`,
  entry: (names: string) =>
    `It passes only with the entry points that ${names} has now. Those of before still exist, and do not pass.`,
  bare: (names: string) => `It passes only with these added or deleted files, which no file names: ${names}.`,
} as const;

const nothingChanged: OldOnNew = {
  cell: { status: 'same', reason: 'Nothing on the test side changed.' },
  expectations: [],
};

interface OldTree {
  readonly prefix: 'old' | Exclude<keyof typeof because, 'first'>;
  /** As they were on the base. */
  readonly restored: readonly EntryChange[];
  readonly more: readonly TreeEdit[];
  /** What sets it apart; without any it says nothing of its own. */
  readonly files: readonly EntryChange[];
}

/**
 * What earlier work of the run changed on the test side, besides adding tests: one task may loosen a helper, which hides
 * nothing yet, and a later one profit from it.
 */
async function changedEarlier(
  { deps: { repo }, request: { base, baseline } }: Matter,
  checks: readonly string[],
  own: ReadonlySet<string>,
): Promise<readonly EntryChange[]> {
  const first = baseline?.commit ?? base;
  if (first === base || own.size === 0) return [];
  const changes = (await diffEntries(repo, first, base)).filter(
    ({ path, before }) => !isProse(path) && (before !== undefined || isLoadedUnasked(path)),
  );
  if (changes.length === 0) return [];
  const sides = await readSides(repo, { base: first, commit: base }, { changes, checks });
  const ofTests = new Set(sides.status === 'done' ? sides.value.tests : changes.map(({ path }) => path));
  return changes.filter(({ path }) => ofTests.has(path));
}

/** The tests of the run's base on the new code: what they also say about the code before is nothing that this work did. */
async function runFirst(
  matter: Matter,
  { own, earlier }: { readonly own: readonly EntryChange[]; readonly earlier: readonly EntryChange[] },
  signal: AbortSignal,
): Promise<OldOnNew> {
  if (earlier.length === 0) return nothingChanged;
  const taken = new Set(earlier.map(({ path }) => path));
  const restored = [...own.filter(({ path }) => !taken.has(path)), ...earlier];
  const found = await runOld(matter, { prefix: 'first', restored, more: [] }, signal);
  if (found.expectations.length === 0) return found;
  const { request } = matter;
  const { deps } = matter;
  const edits = earlier.map(({ raw, before }): TreeEdit => ({ raw, entry: before }));
  const { run, judge, entries } = request;
  const before = await runChecks(
    deps,
    { run, name: `${request.name}-before`, commit: await treeCommit(matter, request.base, edits), judge, entries },
    signal,
  );
  return runOld(
    { ...matter, request: { ...request, baseline: before } },
    { prefix: 'first', restored, more: [] },
    signal,
  );
}

async function treeCommit(
  { deps: { repo }, request }: Matter,
  parent: string,
  edits: readonly TreeEdit[],
): Promise<string> {
  return writeCommit(repo, {
    tree: await editTree(repo, parent, edits),
    parent,
    message: 'Old tests on new code',
    run: request.run,
    authors: [],
    date: new Date(0),
  });
}

async function runOld(
  matter: Matter,
  { restored, more, prefix }: Omit<OldTree, 'files' | 'prefix'> & { readonly prefix: OldTree['prefix'] | 'first' },
  signal: AbortSignal,
): Promise<OldOnNew> {
  const { deps, request, tests } = matter;
  const { repo } = deps;
  const edits = [...restored.map(({ raw, before }): TreeEdit => ({ raw, entry: before })), ...more];
  const commit = await treeCommit(matter, request.commit, edits);
  const { run, judge, baseline } = request;
  const there = new Set((await listFiles(repo, request.base)).map(({ path }) => path));
  const added = new Set(restored.filter(({ before }) => before === undefined).map(({ path }) => path));
  const entries = aboutOldTests(request.entries, { added, there });
  const report = await runChecks(
    deps,
    { run, name: `${request.name}-${prefix}`, commit, judge, entries, ...(baseline === undefined ? {} : { baseline }) },
    signal,
  );
  const hadTests = [...there].some((path) => isTestFile(path)) || ranTests(baseline);
  return oldTestResults(report, tests, { restored: await textsOf(repo, restored), hadTests });
}

/** What ran on the base counts, whatever its files are called. */
function ranTests(baseline: CheckReport | undefined): boolean {
  return (baseline?.commands ?? []).some(({ counts }) => counts !== undefined && counts.passed + counts.failed > 0);
}

/**
 * A plan's command that names only files of the new tests has nothing to say about the old ones, where those files are not.
 * One that also names a file of the base stays. The project's own checks always run.
 */
function aboutOldTests(
  entries: CheckEntries,
  { added, there }: { readonly added: ReadonlySet<string>; readonly there: ReadonlySet<string> },
): CheckEntries {
  const kept = entries.plan?.filter((entry) => {
    const command = resolveVerify(entry);
    if (command.status !== 'resolved') return true;
    const paths = command.argv
      .slice(1)
      .map((word) => (command.cwd === '.' ? word : `${command.cwd}/${word}`).replace(/^\.\//, ''));
    return paths.some((path) => there.has(path)) || !paths.some((path) => added.has(path));
  });
  return kept === undefined ? entries : { ...entries, plan: kept };
}

async function textsOf(repo: CheckDeps['repo'], changes: readonly EntryChange[]): Promise<readonly FileTexts[]> {
  const ids = changes.flatMap(({ before, after }) => [before, after].filter(isPlainFile).map((entry) => entry.id));
  const blobs = await readBlobs(repo, ids, readLimits);
  const textOf = (entry: TreeFile | undefined): string =>
    isPlainFile(entry) ? (blobs.get(entry.id)?.toString('utf8') ?? '') : '';
  return changes.map(({ path, before, after }) => ({ path, before: textOf(before), after: textOf(after) }));
}
