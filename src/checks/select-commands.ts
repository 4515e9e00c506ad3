/**
 * Which commands judge: the project's own, always (those of the settings, else what the judge commit suggests), and
 * after them what the plan adds. A plan cannot replace the project's checks, only add to them; the same command is run
 * once, unless commands are all that somebody asks about. A plan is untrusted, and one entry that cannot be run as
 * written refuses the whole plan: nothing is trimmed. Settings were written by a person and may set any variable, but they
 * are argument lists all the same.
 */
import { ForgeError } from '../errors.ts';
import { discoverChecks } from '../evidence/discover.ts';
import { type RunnerShadow, runnerShadows } from '../evidence/judge/runner-modules.ts';
import { scriptCommand } from '../evidence/runner-command.ts';
import { listFiles } from '../git/changes.ts';
import type { Repository } from '../git/git.ts';
import { isPlainFile, readBlobs } from '../git/tree-edit.ts';
import { defaultVerifyTimeoutMs, parseCommandLine, resolveVerify, type VerifyCommand } from '../plan/command-line.ts';
import type { VerifyEntry } from '../plan/plan.ts';
import type { Refusal } from '../plan/refusal.ts';
import type { CheckOrigin, CheckReport } from '../policy/check-report.ts';
import type { CheckDeps } from './check.ts';
import { type Closure, type ClosureFile, judgeClosure } from './judge-closure.ts';
import {
  importDirectories,
  type PackageScripts,
  type StartedFile,
  scriptTexts,
  startedFiles,
} from './started-files.ts';

export interface CheckEntries {
  /** The project's own checks, written by a person. Without any, the judge commit says what they are. */
  readonly settings?: readonly VerifyEntry[] | undefined;
  /** What a plan adds. Untrusted. */
  readonly plan?: readonly VerifyEntry[] | undefined;
  /**
   * A part of it only. `added`: what the plan adds to the project's own. `plan`: the plan's, also where they are the
   * project's own; for somebody who asks about commands and not about a commit, and is told about each of them.
   */
  readonly part?: 'added' | 'plan' | undefined;
}

export interface SelectedCommands {
  readonly source: CheckReport['source'];
  readonly commands: readonly VerifyCommand[];
  /** Where each command comes from. */
  readonly origins: readonly CheckOrigin[];
  /** Files of the repository that they start. */
  readonly started: readonly StartedFile[];
  /** Files that would take the place of a runner's own modules. */
  readonly shadows: RunnerShadow;
  /** Package scripts of the judge commit, by directory. */
  readonly scripts: PackageScripts;
}

export async function selectCommands(
  deps: CheckDeps,
  request: { readonly judge: string; readonly entries: CheckEntries },
): Promise<SelectedCommands> {
  const timeoutMs = deps.timeoutMs ?? defaultVerifyTimeoutMs;
  const { plan = [], settings = [], part } = request.entries;
  // Refused before anything is read or run.
  const planned = plan.map((entry, place) => accepted(resolveVerify(entry, timeoutMs), 'bad-plan', `verify[${place}]`));
  const trusted = settings.map((entry, place) =>
    accepted(resolveTrusted(entry, timeoutMs), 'bad-config', `checks[${place}]`),
  );
  const files = await judgeFiles(deps.repo, request.judge);
  const own: readonly Chosen[] =
    part === 'plan'
      ? []
      : trusted.length > 0
        ? trusted.map((command) => ({ command, origin: 'settings' }))
        : discovered(files, timeoutMs).map((command) => ({ command, origin: 'discovery' }));
  const every = [...own, ...planned.map((command): Chosen => ({ command, origin: 'plan' }))];
  const all = part === 'plan' ? every : withoutRepeats(every);
  const chosen = part === 'added' ? all.filter(({ origin }) => origin === 'plan') : all;
  const selected = {
    source: chosen[0]?.origin ?? ('none' as const),
    commands: chosen.map(({ command }) => command),
    origins: chosen.map(({ origin }) => origin),
  };
  const scripts: PackageScripts = (cwd) => scriptsIn(files.read(cwd === '.' ? 'package.json' : `${cwd}/package.json`));
  const directories = ['.', ...selected.commands.flatMap(importDirectories)];
  const shadows = runnerShadows({ directories, judgePaths: files.paths });
  const started = await usedFiles(deps.repo, { judge: request.judge, selected, files, scripts });
  return { ...selected, started, shadows, scripts };
}

type Selected = Pick<SelectedCommands, 'commands' | 'origins'>;

/** What the commands start, and everything else that they lead to. What is started comes last: it has the last word. */
async function usedFiles(
  repo: Repository,
  about: { judge: string; selected: Selected; files: JudgeFiles; scripts: PackageScripts },
): Promise<readonly StartedFile[]> {
  const { selected, files, scripts } = about;
  const { commands, origins } = selected;
  const key = JSON.stringify([repo.id, about.judge, commands.map(({ argv, cwd }) => [argv, cwd]), origins]);
  const known =
    closures.get(key) ??
    judgeClosure({
      commands,
      isOwn: (place) => origins[place] !== 'plan',
      paths: files.paths,
      scriptTexts: (command) => reachedScripts(command, files, scripts),
      read: files.readAll,
    });
  if (!closures.has(key) && closures.size >= mostClosures) closures.clear();
  closures.set(key, known);
  const closure = await known;
  const reached = [...closure.files].map(([path, file]) => used(path, file, false));
  const awaited = [...closure.awaited].map(([path, file]) => used(path, file, true));
  return [...awaited, ...reached, ...startedFiles(commands, scripts)];
}

/** Scripts of the command's own package and, where it goes through workspaces or other directories, of all. */
function reachedScripts({ argv, cwd }: VerifyCommand, files: JudgeFiles, scripts: PackageScripts) {
  const own = scriptTexts(argv, scripts(cwd)).map((text) => ({ text, cwd }));
  const said = [argv.join(' '), ...own.map(({ text }) => text)];
  if (
    !said.some((text) =>
      /workspace|--prefix|\bcd\s|\s-C\s|\s-r\b|--recursive|--filter|\bturbo\b|\bnx\b|\blerna\b/.test(text),
    )
  )
    return own;
  const packages = files.paths.filter((path) => path.endsWith('/package.json') && !path.includes('node_modules/'));
  const others = packages.slice(0, mostPackages).map((path) => path.slice(0, -'/package.json'.length));
  return [
    ...own,
    ...others.flatMap((directory) =>
      said.flatMap((text) =>
        scriptTexts(['npm', ...text.split(/\s+/)], scripts(directory)).map((each) => ({ text: each, cwd: directory })),
      ),
    ),
  ];
}

const mostPackages = 200;

function used(path: string, { label, via }: ClosureFile, installed: boolean): StartedFile {
  return { path, label, installed, via: via ?? 'named in its command or package script' };
}

/** By judge and commands: the same for every check of a run. */
const closures = new Map<string, Promise<Closure>>();
const mostClosures = 64;

interface Chosen {
  readonly command: VerifyCommand;
  readonly origin: CheckOrigin;
}

/** The first of several that do the same: `npm test` and `npm run test` do. */
function withoutRepeats(all: readonly Chosen[]): readonly Chosen[] {
  const seen = new Set<string>();
  return all.filter(({ command: { argv, cwd, env } }) => {
    const script = scriptCommand(argv);
    const words = script === undefined ? argv : [script.manager, 'run', script.script, ...script.extra];
    const key = JSON.stringify([words, cwd, Object.entries(env).sort(([a], [b]) => (a < b ? -1 : 1))]);
    return !seen.has(key) && seen.add(key) !== undefined;
  });
}

function accepted(resolved: VerifyCommand | Refusal, code: 'bad-plan' | 'bad-config', where: string): VerifyCommand {
  if (resolved.status === 'resolved') return resolved;
  throw new ForgeError(code, `${where}: ${resolved.problem}`, { hint: resolved.fix });
}

function resolveTrusted(entry: VerifyEntry, timeoutMs: number): VerifyCommand | Refusal {
  const { run, cwd = '.', env = {}, timeout } = typeof entry === 'string' ? { run: entry } : entry;
  // The same reading of directory and time limit; only words and variables are a person's own affair.
  const place = resolveVerify({ run: ['true'], cwd, ...(timeout === undefined ? {} : { timeout }) }, timeoutMs);
  if (place.status === 'refused') return place;
  const parsed = typeof run === 'string' ? parseCommandLine(run) : undefined;
  if (parsed?.status === 'refused') return parsed;
  const [program, ...args] = parsed?.argv ?? (run as readonly string[]);
  if (program === undefined) throw new Error('the schema lets no empty list through');
  return { ...place, argv: [program, ...args], env };
}

interface JudgeFiles {
  readonly paths: readonly string[];
  /** Of the few files that say what the checks are. */
  read(path: string): string | undefined;
  readonly readAll: (paths: readonly string[]) => Promise<ReadonlyMap<string, string>>;
}

const limits = { eachBytes: 1024 * 1024, allBytes: 32 * 1024 * 1024 };

/** A listing of the judge commit, with the text of those files that say what its checks are. */
async function judgeFiles(repo: Repository, judge: string): Promise<JudgeFiles> {
  const entries = (await listFiles(repo, judge)).filter(isPlainFile);
  const telling = entries.filter(({ path }) =>
    /^(?:pyproject\.toml|setup\.cfg|tox\.ini|(?:GNUm|m|M)akefile)$|(?:^|\/)package\.json$/.test(path),
  );
  const blobs = await readBlobs(
    repo,
    telling.map((entry) => entry.id),
    limits,
  );
  const texts = new Map(telling.map(({ path, id }) => [path, blobs.get(id)?.toString('utf8')]));
  const ids = new Map(entries.map(({ path, id }) => [path, id]));
  return {
    paths: entries.map((entry) => entry.path),
    read: (path) => texts.get(path),
    readAll: async (paths) => {
      const found = await readBlobs(
        repo,
        paths.flatMap((path) => ids.get(path) ?? []),
        closureLimits,
      );
      return new Map(
        paths.flatMap((path) => {
          const content = found.get(ids.get(path) ?? '');
          return content === undefined || content.includes(0) ? [] : [[path, content.toString('utf8')] as const];
        }),
      );
    },
  };
}

const closureLimits = { eachBytes: 256 * 1024, allBytes: 8 * 1024 * 1024 };

function discovered(files: JudgeFiles, timeoutMs: number): readonly VerifyCommand[] {
  return discoverChecks(files).flatMap(({ run: [program, ...args] }): VerifyCommand[] =>
    program === undefined ? [] : [{ status: 'resolved', argv: [program, ...args], cwd: '.', env: {}, timeoutMs }],
  );
}

function scriptsIn(text: string | undefined): Readonly<Record<string, string>> {
  try {
    const file = JSON.parse(text ?? '{}') as { readonly scripts?: Readonly<Record<string, unknown>> } | null;
    const lines = Object.entries(file?.scripts ?? {});
    return Object.fromEntries(lines.flatMap(([name, line]) => (typeof line === 'string' ? [[name, line]] : [])));
  } catch {
    return {};
  }
}
