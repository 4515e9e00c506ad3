/**
 * Which files hold tests, by the conventions of their language, and how to run just those files with the
 * runner a command already uses. No guessing: where a command cannot be narrowed to files, the answer is
 * undefined and red-before-green is not measured.
 */
import { runnerCommand, scriptCommand, scriptWords, type RunnerCommand, type RunnerName } from './runner-command.ts';

export function isTestFile(path: string): boolean {
  const parts = path.split('/');
  const file = parts.at(-1) ?? '';
  const folders = new Set(parts.slice(0, -1));
  if (data.some((part) => folders.has(part))) return false;
  if (named.some((pattern) => pattern.test(file))) return true;
  if (aids.some((part) => folders.has(part))) return false;
  if (
    /\.[cm]?[jt]sx?$/.test(file) &&
    !/\.d\.[cm]?ts$/.test(file) &&
    !/\.config\.|^(?:setup|helpers?|index)\b/.test(file)
  ) {
    return folders.has('__tests__') || folders.has('test') || folders.has('tests');
  }
  return file.endsWith('.rs') && folders.has('tests');
}

/** What tests read: whatever its name, it is not a test. */
const data = ['node_modules', 'vendor', 'dist', 'fixtures', '__fixtures__', 'testdata', '__snapshots__'];
/** What tests share: a test only where its name says so. */
const aids = ['helpers', 'support', 'samples', 'mocks', '__mocks__', 'util', 'utils'];

const named: readonly RegExp[] = [
  /[._-](?:test|tests|spec|e2e|e2e-spec|cy)\.[cm]?[jt]sx?$/,
  /^test(?:-.+)?\.[cm]?[jt]sx?$/,
  /^test_.*\.py$|^.+_test\.py$|^tests\.py$/,
  /^.+_test\.go$/,
  /^tests?\.rs$|^.+_tests?\.rs$|^test_.+\.rs$/,
  /^(?:Test.+|.+(?:Test|Tests|TestCase|IT))\.(?:java|kt|scala|groovy)$|^.+Spec\.(?:kt|scala|groovy)$/,
  /^.+_(?:spec|test)\.rb$|^test_.+\.rb$/,
  /^.+(?:Test|Tests)\.(?:cs|php|swift)$|^.+_test\.(?:exs|dart)$/,
];

export interface PerFileRequest {
  readonly argv: readonly string[];
  /** Relative to the repository's root. */
  readonly testFiles: readonly string[];
  /** Where the command runs, relative to the repository's root. */
  readonly cwd?: string;
  /** The package scripts of that directory, from the base commit. */
  readonly scripts?: Readonly<Record<string, string>>;
}

/** The command that runs only these files, or undefined where the runner cannot. */
export function perFileRunner(request: PerFileRequest): readonly string[] | undefined {
  const files = below(request.testFiles, request.cwd ?? '.');
  if (files.length === 0) return undefined;
  const direct = runnerCommand(request.argv);
  return direct === undefined ? throughScript(request.argv, files, request.scripts ?? {}) : narrowed(direct, files);
}

function below(files: readonly string[], cwd: string): string[] {
  const prefix = cwd === '.' || cwd === '' ? '' : `${cwd.replace(/^\.\//, '').replace(/\/+$/, '')}/`;
  const inside = files.filter((file) => file.startsWith(prefix)).map((file) => file.slice(prefix.length));
  // A file named like a flag must not become one.
  return [...new Set(inside)].sort().map((file) => (file.startsWith('-') ? `./${file}` : file));
}

const fits: Readonly<Record<RunnerName, RegExp>> = {
  'node-test': /\.[cm]?[jt]sx?$/,
  vitest: /\.[cm]?[jt]sx?$/,
  jest: /\.[cm]?[jt]sx?$/,
  mocha: /\.[cm]?[jt]sx?$/,
  ava: /\.[cm]?[jt]sx?$/,
  tap: /\.[cm]?[jt]sx?$/,
  playwright: /\.[cm]?[jt]sx?$/,
  'bun-test': /\.[cm]?[jt]sx?$/,
  'deno-test': /\.[cm]?[jt]sx?$/,
  pytest: /\.py$/,
  'go-test': /_test\.go$/,
  'cargo-test': /^tests\/[^/]+\.rs$/,
};

function narrowed(command: RunnerCommand, all: readonly string[]): readonly string[] | undefined {
  const files = fitting(command, all);
  if (!command.certain || files.length === 0) return undefined;
  // Thresholds of coverage are for the whole suite.
  const flags = command.flags.filter((flag) => !flag.startsWith('--cov'));
  return [...command.start, ...selection(command, flags, files)];
}

function fitting(command: RunnerCommand, files: readonly string[]): string[] {
  return files.filter((file) => fits[command.runner].test(file));
}

function selection(command: RunnerCommand, flags: readonly string[], files: readonly string[]): string[] {
  const { runner } = command;
  if (runner === 'vitest') {
    const once = command.start.at(-1) === 'run' || command.flags.includes('--run');
    const word = command.start.at(-1) === 'watch' ? '--run' : 'run';
    return [...(once ? [] : [word]), ...flags, ...files];
  }
  if (runner === 'jest') return [...flags.filter((flag) => flag !== '--runTestsByPath'), '--runTestsByPath', ...files];
  if (runner === 'go-test')
    return [...flags, ...new Set(files.map((file) => `./${file.split('/').slice(0, -1).join('/')}`))];
  if (runner === 'cargo-test') {
    return [...flags, ...files.flatMap((file) => ['--test', file.slice('tests/'.length, -'.rs'.length)])];
  }
  return [...flags, ...files];
}

const maxHops = 5;

/**
 * `npm test -- files` where the script ends in a runner without positional words of its own; with such
 * words the script would run more than the files, so its runner is called directly.
 */
function throughScript(
  argv: readonly string[],
  files: readonly string[],
  scripts: Readonly<Record<string, string>>,
): readonly string[] | undefined {
  let call = scriptCommand(argv);
  for (let hops = 0; call !== undefined && hops < maxHops; hops += 1) {
    const script = Object.hasOwn(scripts, call.script) ? scripts[call.script] : undefined;
    const commands = script === undefined ? undefined : scriptWords(script);
    const last = commands?.at(-1);
    if (commands === undefined || last === undefined) return undefined;
    const command = runnerCommand([...last, ...call.extra]);
    if (command !== undefined) return withScript({ call, command, alone: commands.length === 1 }, files);
    if (commands.length > 1 || call.extra.length > 0) return undefined;
    call = scriptCommand(last);
  }
  return undefined;
}

interface ScriptCall {
  readonly call: { readonly manager: string; readonly script: string; readonly extra: readonly string[] };
  readonly command: RunnerCommand;
  readonly alone: boolean;
}

function withScript(found: ScriptCall, files: readonly string[]): readonly string[] | undefined {
  const narrow = narrowed(found.command, files);
  if (narrow === undefined) return undefined;
  const { command, call } = found;
  const words = selection(command, [], fitting(command, files));
  const separator = call.manager === 'npm' ? ['--'] : [];
  const untouched = command.positionals.length === 0 && command.runner !== 'go-test' && command.runner !== 'cargo-test';
  if (untouched) return [call.manager, 'run', call.script, ...separator, ...call.extra, ...words];
  if (!found.alone) return undefined;
  const program = command.start[0] ?? '';
  const onPath =
    /^(?:node|go|cargo|python[\d.]*|pytest|deno|bun|npx|uv|poetry|env)$/.test(program) || program.includes('/');
  return onPath ? narrow : ['npx', '--no-install', ...narrow];
}
