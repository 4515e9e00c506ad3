/**
 * The canary: tests that must fail, added to real test files of the commit and run as those are run. The tests of these
 * files themselves get other expected values, with which they must fail as well. A program of plain assertions, which a
 * check starts without any runner, gets one more line that fails. All this exists only as a
 * tree in git's object store, is never counted with the project's own tests, and has other names and values every time.
 * Where the run does not notice it, the base is asked the same: a suite that never ran the file says nothing, a suite
 * that noticed it before and does not now is compromised.
 */
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { withAlteredTests } from '../evidence/altered-expectations.ts';
import { type CanaryTest, withCanary, withFailingEnd } from '../evidence/canary.ts';
import { isTestFile, perFileRunner } from '../evidence/test-files.ts';
import { listFiles, treeOf } from '../git/changes.ts';
import { encodePath } from '../git/raw-path.ts';
import { filesWithWords } from '../git/search.ts';
import { isPlainFile, readBlobs, type TreeFile, writeBlob } from '../git/tree-edit.ts';
import type { TreeEdit } from '../git/write-trees.ts';
import type { VerifyCommand } from '../plan/command-line.ts';
import { quoteCommand } from '../plan/quote-command.ts';
import type { Canary, Expectation } from '../policy/square.ts';
import type { CheckDeps, CommandRun } from './check.ts';
import { runJobs } from './run-jobs.ts';
import { type SelectedCommands, selectCommands } from './select-commands.ts';
import type { SquareRequest } from './square.ts';

export interface CanaryRun {
  readonly canary: Canary;
  /** Tests of the project that pass whatever they expect. */
  readonly unheeded: readonly Expectation[];
}

function alone(canary: Canary): CanaryRun {
  return { canary, unheeded: [] };
}

/** `words`: what to look for in test files, to find those that load the changed code. */
export async function runCanary(
  deps: CheckDeps,
  request: SquareRequest,
  changed: { readonly paths: readonly string[]; readonly words: readonly string[] },
  signal: AbortSignal,
): Promise<CanaryRun> {
  const selected = await selectCommands(deps, request);
  const known = await cacheFile(deps, request, selected);
  if (known !== undefined && (await readFile(known, 'utf8').catch(() => '')) === remembered) return alone(noticed);
  const files = await chooseFiles(deps, request.commit, changed);
  const near = new Set(await filesWithWords(deps.repo, request.commit, changed.words));
  const jobs = selected.commands
    .flatMap((command) => jobOf(command, selected, files, request) ?? plainJobs(command, selected, near))
    .slice(0, mostCommands);
  if (jobs.length === 0)
    return alone({ status: 'not-measured', reason: 'No check runs a test file that a canary fits into.' });
  const place = { deps, request, selected };
  const { missed } = await tryIn(place, request.commit, jobs, signal);
  if (missed.length === 0) {
    if (known !== undefined) await remember(known);
    return alone(noticed);
  }
  const asked = jobs.filter((job) => missed.some((each) => each.label === labelOf(job)));
  const before = await tryIn(place, request.base, asked, signal);
  const old = new Set((await listFiles(deps.repo, request.base)).map(({ path }) => path));
  const fresh = missed.filter(
    (one) => !before.missed.some((each) => excuses(each, one, old)) && (!one.altered || before.altered.has(keyOf(one))),
  );
  const unheeded = fresh.flatMap((each) => unheededExpectation(each) ?? []);
  const [first] = fresh.filter((each) => unheededExpectation(each) === undefined);
  if (first !== undefined)
    return { unheeded, canary: { status: 'missed', reason: `${first.label}: ${describe(first)}` } };
  if (missed.every(({ altered }) => altered) && fresh.length > 0) return { unheeded, canary: noticed };
  const reason = 'The checks do not report a failing test in the chosen files, nor did they on the base.';
  return { unheeded, canary: { status: 'not-measured', reason: unheeded[0]?.message ?? reason } };
}

function describe({ kind }: Missed): string {
  return kind === 'intact'
    ? 'the code under test replaces assertion functions while its tests run'
    : `a test that must fail (${kind}) was not reported as failing, and on the base it was`;
}

/** Something lets every value through, or leaves before the end: which of them, and whether it may, is for a person to see. */
function unheededExpectation({ path, kind, altered }: Missed): Expectation | undefined {
  const about = { path, change: 'not-run', before: '', after: '' } as const;
  if (altered)
    return {
      ...about,
      test: kind,
      message: 'It also passes with another expected value. On the base it fails with it.',
    };
  if (kind !== failingEnd) return undefined;
  return { ...about, message: 'It ends well although its last line fails. On the base it fails with it.' };
}

const failingEnd = 'the end';

const noticed: Canary = { status: 'noticed', reason: 'Tests that must fail were reported as failing.' };
const remembered = 'noticed';
const mostCommands = 3;
const mostFiles = 3;

interface Job {
  readonly command: VerifyCommand;
  readonly files: readonly string[];
  /** The files are programs that end well or not, whatever they print. */
  readonly plain?: boolean;
}

/** Programs that the command itself starts, or tests that its scripts start; first one that names changed code. */
function plainJobs(command: VerifyCommand, { started }: SelectedCommands, near: ReadonlySet<string>): readonly Job[] {
  const label = quoteCommand(command.argv);
  const programs = started.filter(
    (file) =>
      file.label === label &&
      !file.installed &&
      /\.(?:[cm]?[jt]s|py|sh)$/.test(file.path) &&
      (file.via === undefined || isTestFile(file.path)),
  );
  const [first] = programs.map(({ path }) => path).sort((a, b) => Number(near.has(b)) - Number(near.has(a)));
  return first === undefined ? [] : [{ command, files: [first], plain: true }];
}

/** The command for just these files; else the whole command, if it is known to run tests. */
function jobOf(
  command: VerifyCommand,
  { scripts }: SelectedCommands,
  files: readonly string[],
  { baseline }: SquareRequest,
): Job | undefined {
  const narrow = (testFiles: readonly string[]): readonly string[] | undefined =>
    perFileRunner({ argv: command.argv, testFiles, cwd: command.cwd, scripts: scripts(command.cwd) });
  const fitting = files.filter((file) => narrow([file]) !== undefined).slice(0, mostFiles);
  const [program, ...args] = (fitting.length === 0 ? undefined : narrow(fitting)) ?? [];
  if (program !== undefined) return { command: { ...command, argv: [program, ...args] }, files: fitting };
  const counts = baseline?.commands.find((each) => JSON.stringify(each.argv) === JSON.stringify(command.argv))?.counts;
  const here = someOfEachLanguage(files.filter((file) => command.cwd === '.' || file.startsWith(`${command.cwd}/`)));
  return counts !== undefined && counts.passed + counts.failed > 0 && here.length > 0
    ? { command, files: here }
    : undefined;
}

/** Which language the command tests is not known, so none may crowd out the others. */
function someOfEachLanguage(files: readonly string[]): readonly string[] {
  const taken = new Map<string, number>();
  return files.filter((file) => {
    const count = (taken.get(extname(file)) ?? 0) + 1;
    taken.set(extname(file), count);
    return count <= mostFiles;
  });
}

/** Changed tests first, then tests that mention changed code, then any. */
async function chooseFiles(
  { repo }: CheckDeps,
  commit: string,
  changed: { readonly paths: readonly string[]; readonly words: readonly string[] },
): Promise<readonly string[]> {
  const tests = (await listFiles(repo, commit)).filter((entry) => isPlainFile(entry) && isTestFile(entry.path));
  const near = new Set(await filesWithWords(repo, commit, changed.words));
  const touched = new Set(changed.paths);
  const rank = (path: string): number => (near.has(path) ? 0 : touched.has(path) ? 1 : 2);
  return tests.map(({ path }) => path).sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

interface Place {
  readonly deps: CheckDeps;
  readonly request: SquareRequest;
  readonly selected: SelectedCommands;
}

interface Missed {
  readonly label: string;
  readonly path: string;
  /** Which of the tests. */
  readonly kind: string;
  /** A test of the project, with another expected value. */
  readonly altered: boolean;
}

interface Tried {
  readonly missed: readonly Missed[];
  /** The tests of the project that were altered. */
  readonly altered: ReadonlySet<string>;
}

function keyOf({ label, path, kind }: Missed): string {
  return JSON.stringify([label, path, kind]);
}

/** A file that the command never runs excuses itself, and new files of its language: the base cannot be asked about those. */
function excuses(before: Missed, now: Missed, old: ReadonlySet<string>): boolean {
  if (before.label !== now.label || before.kind !== now.kind) return false;
  return before.path === now.path || (!old.has(now.path) && extname(before.path) === extname(now.path));
}

async function tryIn(
  { deps, request, selected }: Place,
  commit: string,
  jobs: readonly Job[],
  signal: AbortSignal,
): Promise<Tried> {
  const entriesOf = async (id: string): Promise<ReadonlyMap<string, TreeFile & { readonly path: string }>> =>
    new Map((await listFiles(deps.repo, id)).map((entry) => [entry.path, entry]));
  const entries = await entriesOf(commit);
  const old = commit === request.base ? entries : await entriesOf(request.base);
  // A program that a check starts is the judge's.
  const judged = jobs.some(({ plain }) => plain === true) ? await entriesOf(request.judge) : entries;
  const missed: Missed[] = [];
  const altered = new Set<string>();
  for (const [index, job] of jobs.entries()) {
    const label = labelOf(job);
    const present = job.files.flatMap(
      (path) => (job.plain === true ? judged.get(path) : undefined) ?? entries.get(path) ?? [],
    );
    const before = present.flatMap(({ path }) => old.get(path) ?? []);
    const blobs = await readBlobs(
      deps.repo,
      [...present, ...before].map((entry) => entry.id),
      { eachBytes: 2 * 1024 * 1024, allBytes: 16 * 1024 * 1024 },
    );
    const textOf = (id: string | undefined): string | undefined => blobs.get(id ?? '')?.toString('utf8');
    const canaries: PlacedCanary[] = [];
    const edits: TreeEdit[] = [];
    for (const { path, id, mode } of present) {
      const canary = placed(job, { path, text: textOf(id), before: textOf(old.get(path)?.id) });
      if (canary === undefined) continue;
      canaries.push(canary);
      for (const kind of canary.altered) altered.add(JSON.stringify([label, path, kind]));
      edits.push({ raw: encodePath(path), entry: { mode, id: await writeBlob(deps.repo, canary.text) } });
    }
    if (canaries.length === 0) continue;
    const at = { run: request.run, name: request.name, prefix: `canary-${index + 1}`, commit, judge: request.judge };
    const [run] = await runJobs(deps, { ...at, selected, edits }, [job.command], signal);
    if (run !== undefined) missed.push(...unnoticed(run, canaries).map((each) => ({ label, ...each })));
  }
  return { missed, altered };
}

interface PlacedCanary extends CanaryTest {
  readonly path: string;
  /** Names of tests of the project that must fail as well. */
  readonly altered: readonly string[];
  readonly plain: boolean;
}

function placed(
  { plain = false }: Job,
  {
    path,
    text,
    before,
  }: { readonly path: string; readonly text: string | undefined; readonly before: string | undefined },
): PlacedCanary | undefined {
  if (text === undefined) return undefined;
  const luck = randomBytes(16).toString('hex');
  if (plain) {
    const failing = withFailingEnd(path, text, luck);
    return failing === undefined
      ? undefined
      : { path, text: failing, mustFail: [failingEnd], mustPass: [], altered: [], plain };
  }
  const tests = withAlteredTests(path, text, before ?? '', luck);
  const canary = withCanary(path, tests.text, luck);
  return canary === undefined ? undefined : { ...canary, path, altered: tests.tests, plain };
}

/** Which tests did not do what they must. A run that a limit ended is asked of the base like any other. */
function unnoticed(run: CommandRun, canaries: readonly PlacedCanary[]): readonly Omit<Missed, 'label'>[] {
  const failing = run.counts?.failing ?? [];
  const fails = (name: string): boolean => failing.some((each) => each.includes(name));
  const says = (name: string): boolean =>
    fails(name) || (run.counts === undefined && run.exit !== 0 && mentions(run, name));
  return canaries.flatMap(({ path, mustFail, mustPass, altered, plain }): Omit<Missed, 'label'>[] => {
    if (plain) return run.exit === 0 ? mustFail.map((kind) => ({ path, kind, altered: false })) : [];
    const isSilent = (name: string): boolean => run.exit === 0 || !says(name);
    const silent = [...mustFail.filter(isSilent), ...mustPass.filter(fails)];
    return [
      ...silent.map((name) => ({ path, kind: name.split(/[ _]/).at(-1) ?? name, altered: false })),
      ...altered.filter(isSilent).map((kind) => ({ path, kind, altered: true })),
    ];
  });
}

function mentions({ printed }: CommandRun, name: string): boolean {
  return printed.stdout.includes(name) || printed.stderr.includes(name);
}

function labelOf({ command }: Job): string {
  return command.argv.join(' ').slice(0, 200);
}

/** Only a canary that was noticed is remembered, by everything that decides it but its own luck. */
async function cacheFile(
  { cache, repo, setup }: CheckDeps,
  { commit, judge }: SquareRequest,
  { commands }: SelectedCommands,
): Promise<string | undefined> {
  if (cache === undefined) return undefined;
  const parts = [
    'with altered tests',
    await treeOf(repo, commit),
    await treeOf(repo, judge),
    commands,
    await setup?.key(commit),
    process.version,
  ];
  return join(cache, `canary-${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}`);
}

async function remember(file: string): Promise<void> {
  await mkdir(join(file, '..'), { recursive: true, mode: 0o700 });
  await writeFile(file, remembered, { mode: 0o600 });
}
