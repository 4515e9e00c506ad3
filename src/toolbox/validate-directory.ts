/**
 * Validates a directory in which somebody works: files, syntax, contracts between files, then commands. What is there
 * is captured as a commit first, and everything is measured on that: commands run under the rules of checks, in the
 * jail, on a checkout of their own, judged by the scripts and runner configuration of the commit before it. Nothing in
 * the directory is changed. What is wrong with the request is found before anything is run.
 */
import { randomBytes } from 'node:crypto';
import { lstat, mkdir, readdir, realpath, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { runChecks } from '../checks/run-checks.ts';
import type { Forge } from '../compose.ts';
import { checkDeps } from '../effects/check-deps.ts';
import { projectRedactor } from '../effects/known-secrets.ts';
import { ForgeError } from '../errors.ts';
import { captureDirectory, type CapturedDirectory } from '../git/capture-directory.ts';
import { isInside } from '../git/data-dir.ts';
import { findWorkPlace } from '../git/work-place.ts';
import { resolveVerify } from '../plan/command-line.ts';
import type { VerifyEntry } from '../plan/plan.ts';
import type { CheckReport, CommandResult } from '../policy/check-report.ts';
import { type AttemptVerdict, scoreOf } from '../policy/stagnation.ts';
import { openJail } from '../process/open-jail.ts';
import { requireTrust } from '../trust/consent.ts';
import { recordAttempt } from './attempts.ts';
import { pathInTree } from './confine-path.ts';
import { inspectFiles, type StaticResult } from './inspect-files.ts';
import { noteEvent } from './tool-events.ts';

export interface ValidationRequest {
  readonly moduleId: string;
  readonly runId?: string | undefined;
  /** Inside the project or one of its workspaces; the project itself when left out. */
  readonly cwd?: string | undefined;
  readonly commands: readonly string[];
  /** Relative to `cwd`. */
  readonly files: readonly string[];
  readonly contractChecks: readonly { readonly exporter: string; readonly importer: string }[];
  /** Scripts and runner configuration are the directory's own, instead of those of its last commit. */
  readonly acceptScripts: boolean;
}

/** Where it is asked from, and who waits. */
export interface ValidationCaller {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly progress: (message: string) => void;
}

export type ModuleResult =
  | StaticResult
  | { readonly type: 'cwd_check'; readonly passed: false; readonly cwd: string; readonly error: string }
  | {
      readonly type: 'command';
      readonly command: string;
      readonly passed: boolean;
      readonly output: string;
      readonly error?: string;
    };

export interface ModuleValidation extends AttemptVerdict {
  readonly results: readonly ModuleResult[];
  /** What was looked at, and whose scripts judged; nothing where there was nothing to look at. */
  readonly commit?: string;
  readonly judge?: string;
  readonly checkChanged?: CheckReport['checkChanged'];
  readonly leftOut?: readonly string[];
}

export async function validateDirectory(
  forge: Forge,
  caller: ValidationCaller,
  request: ValidationRequest,
): Promise<ModuleValidation> {
  const asked = resolve(caller.cwd, request.cwd ?? forge.repo.root);
  const place = await findWorkPlace(forge.repo, asked);
  if (place.status === 'absent' || place.status === 'refused') return notLookedAt(asked, place.reason);
  if (place.status === 'workspace' && (await isAtWork(forge, place.workspace.run))) {
    return notLookedAt(
      asked,
      `The run ${place.workspace.run} is at work there: its agent may change files while they are read. Validate it when the run has stopped, or validate your own checkout.`,
    );
  }
  const entries = entriesOf(request, place.cwd);
  const files = request.files.map((name) => ({ name, path: pathInTree(place.cwd, name, 'files') }));
  const pairs = request.contractChecks.map(({ exporter, importer }) => ({
    exporter: { name: exporter, path: pathInTree(place.cwd, exporter, 'exporter') },
    importer: { name: importer, path: pathInTree(place.cwd, importer, 'importer') },
  }));
  if (entries.length > 0) requireTrust(forge, caller.env);
  const captured = await captureDirectory(forge.repo, place);
  const { commit } = captured;
  const isThere = (one: string): Promise<boolean> => existsIn(place.root, one);
  const found = await inspectFiles(forge.repo, { commit, files, pairs, isThere });
  const work = { forge, captured, entries, accept: request.acceptScripts };
  const report = entries.length === 0 ? undefined : await runEntries(caller, work);
  const results = [...found, ...(report?.commands ?? []).map((command) => ofCommand(command))];
  return settle(forge, request, { captured, report, results });
}

/** No attempt is counted where there is nothing to look at. */
function notLookedAt(cwd: string, error: string): ModuleValidation {
  return { ...escalated, results: [{ type: 'cwd_check', passed: false, cwd, error }] };
}

/** Does somebody work on this run now? Whoever reads a directory that an agent can change at the same time is led astray. */
async function isAtWork({ engine }: Forge, run: string): Promise<boolean> {
  const listing = (await engine.list()).find((one) => one.run === run);
  return listing?.status === 'running' || listing?.status === 'created';
}

const escalated: AttemptVerdict = {
  passed: false,
  score: 0,
  stagnant: false,
  velocity: null,
  oscillating: false,
  attempt: 0,
  recommendation: 'ESCALATE',
};

/** One line that needs a shell refuses the whole request: nothing is run, and no attempt is counted. */
function entriesOf({ commands }: ValidationRequest, cwd: string): readonly VerifyEntry[] {
  return commands.map((run, place) => {
    const entry: VerifyEntry = { run, cwd };
    const resolved = resolveVerify(entry);
    if (resolved.status === 'resolved') return entry;
    throw new ForgeError('bad-input', `commands[${place}]: ${resolved.problem}`, {
      hint: resolved.fix.replace('"verify":', '"commands": '),
    });
  });
}

/** Ignored files are not part of the commit, and may still be what was asked for. */
async function existsIn(root: string, name: string): Promise<boolean> {
  const real = await realpath(join(root, name)).catch(() => undefined);
  return real !== undefined && isInside(real, await realpath(root)) && (await lstat(real)).isFile();
}

interface CommandWork {
  readonly forge: Forge;
  readonly captured: CapturedDirectory;
  readonly entries: readonly VerifyEntry[];
  readonly accept: boolean;
}

/** The run that checkouts of nobody's run belong to; no run can have this name, for its own end in a suffix. */
const noRun = 'mcp';

async function runEntries(caller: ValidationCaller, work: CommandWork): Promise<CheckReport> {
  const { forge, captured, entries, accept } = work;
  let count = 0;
  const started = (): void => {
    count += 1;
    caller.progress(`command ${count} started`);
  };
  const { repo, settings } = forge;
  const { jail } = await openJail({ mode: settings.jail.mode, limits: settings.jail.limits });
  const name = `${process.pid}-${randomBytes(4).toString('hex')}`;
  const directory = join(repo.dataDir, 'mcp', repo.id, name);
  await sweep(join(repo.dataDir, 'mcp', repo.id), /^(\d+)-/);
  await sweep(join(repo.dataDir, 'workspaces', repo.id, noRun), /^\.?check-(\d+)-/);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const rooms = { repo, jail, settings, redactor: projectRedactor(settings, repo.root, caller.env) };
  try {
    const place = { run: { id: noRun }, logs: directory, progress: () => started() };
    // Whoever asks again wants to know how it is now, whatever was found for the same content before.
    const deps = { ...checkDeps(rooms, place), cache: undefined };
    const { commit, base } = captured;
    const judge = accept ? commit : base;
    return await runChecks(
      deps,
      { run: noRun, name, commit, judge, entries: { plan: entries, part: 'plan' } },
      caller.signal,
    );
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** What a process that was killed left behind: names begin with its pid. */
async function sweep(area: string, pattern: RegExp): Promise<void> {
  const names = await readdir(area).catch(() => []);
  const left = names.filter((name) => {
    const pid = Number(pattern.exec(name)?.[1] ?? process.pid);
    return pid !== process.pid && !isRunning(pid);
  });
  await Promise.all(left.map((name) => rm(join(area, name), { recursive: true, force: true }).catch(() => undefined)));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** A flaky command passed when it was run again; what could not be run has not passed. */
function ofCommand({ label, status, reason, output }: CommandResult): ModuleResult {
  const passed = status === 'passed' || status === 'flaky';
  return { type: 'command', command: label, passed, output, ...(status === 'passed' ? {} : { error: reason }) };
}

async function settle(
  forge: Pick<Forge, 'repo' | 'engine'>,
  { moduleId, runId }: ValidationRequest,
  found: { captured: CapturedDirectory; report: CheckReport | undefined; results: readonly ModuleResult[] },
): Promise<ModuleValidation> {
  const { captured, report, results } = found;
  const score = scoreOf(results);
  const issues = results.filter((result) => !result.passed).map(nameOf);
  const verdict = await recordAttempt(forge, { moduleId, runId }, { score, issues });
  const data = { passed: verdict.passed, score, attempt: verdict.attempt, issues: issues.slice(0, 20) };
  const severity = verdict.passed ? 'info' : 'error';
  await noteEvent(forge.repo.stateFolder, runId, { phase: 'validation', moduleId, event: 'validate', severity, data });
  const { checkChanged = [] } = report ?? {};
  return {
    ...verdict,
    results,
    commit: captured.commit,
    ...(report === undefined ? {} : { judge: report.judge }),
    ...(checkChanged.length === 0 ? {} : { checkChanged }),
    ...(captured.leftOut.length === 0 ? {} : { leftOut: captured.leftOut }),
  };
}

/** The same for the same failure next time. */
function nameOf(result: ModuleResult): string {
  switch (result.type) {
    case 'cwd_check':
      return `cwd ${result.cwd}`;
    case 'command':
      return `command ${result.command}`;
    case 'contract_check':
      return `contract ${result.importer} ${result.exporter} ${(result.missing ?? []).join(' ')}`;
    case 'file_check':
      return `file ${result.file}`;
    case 'syntax_check':
      return `syntax ${result.file}`;
  }
}
