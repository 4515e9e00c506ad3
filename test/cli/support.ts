/**
 * The real binary in real repositories: a small project with tests, a scripted agent that plays every role, and a home
 * of its own. `forge` is what a person would type, piped.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stringify } from 'yaml';
import { agreeAt } from '../support/agreed.ts';
import { runsDirectory } from '../support/runs.ts';
import { tempDir } from '../support/temp.ts';
import { callInProcess } from './in-process.ts';

const binary = resolve(import.meta.dirname, '../../dist/cli/main.js');
const isThroughBinary = process.env['FORGE_TESTS'] === 'slow';

export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Project {
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  git(...args: string[]): string;
  write(files: Readonly<Record<string, string>>): void;
  commit(message: string): string;
  /** What a command prints and ends with: in this process, or with FORGE_TESTS=slow as a program of its own. */
  forge(...args: string[]): Promise<Ended>;
  /** The same with more in the environment. */
  forgeWith(env: Readonly<Record<string, string>>, ...args: string[]): Promise<Ended>;
  /** The binary. `cwd`: where it is typed; the top of the checkout when left out. */
  start(args: readonly string[], env?: Readonly<Record<string, string>>, cwd?: string): Started;
  /** Of a run, in the state directory. */
  directory(run: string): string;
  /** Names of runs that have begun. */
  runs(): readonly string[];
  facts(run: string): readonly { readonly seq: number; readonly type: string; readonly key: string }[];
}

export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** As where nobody reads any more, such as `head` that has seen enough. */
  unread(): Promise<Ended>;
  /** What it has printed so far. */
  printed(): string;
}

export interface ProjectOptions {
  readonly script?: readonly object[];
  /** Instead of settings with the scripted agent; null: none. */
  readonly config?: string | null;
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** False: nobody has agreed to anything that the repository brings along. */
  readonly trusted?: boolean;
}

export function makeProject(options: ProjectOptions = {}): Project {
  const area = tempDir('forge-cli');
  const root = join(area, 'sums');
  const home = join(area, 'home');
  mkdirSync(home, { recursive: true });
  const env = {
    PATH: pathWithoutAgents(process.env['PATH'] ?? ''),
    HOME: home,
    LANG: 'C.UTF-8',
    TERM: 'xterm',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.org',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.org',
    ...options.env,
  };
  const git = (...args: string[]): string =>
    execFileSync('git', ['-C', root, ...args], { env, encoding: 'utf8' }).trimEnd();
  const write = (files: Readonly<Record<string, string>>): void => {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    }
    if (options.trusted !== false && Object.keys(files).some((path) => path.startsWith('.forge/'))) agreeAt(root, env);
  };
  const commit = (message: string): string => {
    git('add', '-A');
    git('commit', '-qm', message);
    return git('rev-parse', 'HEAD');
  };
  const start: Project['start'] = (args, more = {}, cwd = root) => startProcess(args, cwd, { ...env, ...more });
  const call = async (args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<Ended> => {
    const printed = isThroughBinary ? undefined : await callInProcess({ args, cwd: root, env: { ...env, ...more } });
    return printed === undefined ? start(args, more).ended : { signal: null, ...printed };
  };
  const config = options.config === undefined ? scriptedConfig : options.config;
  write({
    ...projectFiles,
    ...(config === null ? {} : { '.forge/config.yaml': config }),
    '.forge/script.yaml': stringify(options.script ?? script()),
    ...options.files,
  });
  execFileSync('git', ['init', '-q', '-b', 'main', root], { env });
  commit('first');
  if (options.trusted !== false) agreeAt(root, env);
  return {
    root,
    env,
    git,
    write,
    commit,
    start,
    forge: (...args) => call(args),
    forgeWith: (more, ...args) => call(args, more),
    directory: (run) => join(runsDirectory(root, env.HOME), run),
    runs: () => beganIn(runsDirectory(root, env.HOME)),
    facts: (run) => readFacts(join(runsDirectory(root, env.HOME), run, 'journal.jsonl')),
  };
}

export const scriptedConfig = `agents: { actor: { driver: scripted, script: .forge/script.yaml } }
checks: { run: ["node --test"], timeout: 600 }
`;

const projectFiles = {
  'package.json': `${JSON.stringify({ name: 'sums', type: 'module', scripts: { test: 'node --test' } })}\n`,
  'src/add.js': 'export const add = (a, b) => a + b;\n',
  'test/add.test.js':
    "import assert from 'node:assert';\nimport test from 'node:test';\nimport { add } from '../src/add.js';\ntest('add', () => assert.equal(add(1, 2), 3));\n",
};

const usage = { usage: { inputTokens: 1000, outputTokens: 100, costUsd: 0.02 } };

export const plan = {
  overview: {
    techStack: 'Node.js',
    architecture: 'one module',
    businessLogic: 'products',
    keyDecisions: ['no dependency'],
  },
  tasks: [
    {
      id: 'T1',
      title: 'Multiply two numbers',
      objective: 'Export mul from src/mul.js.',
      writes: ['src/mul.js', 'test/mul.test.js'],
      verify: ['node --test'],
      doneWhen: 'mul(2, 3) is 6',
    },
  ],
  waves: [['T1']],
};

export const developed = [
  { say: 'Writing mul' },
  { write: { path: 'src/mul.js', content: 'export const mul = (a, b) => a * b;\n' } },
  {
    write: {
      path: 'test/mul.test.js',
      content:
        "import assert from 'node:assert';\nimport test from 'node:test';\nimport { mul } from '../src/mul.js';\ntest('mul', () => assert.equal(mul(2, 3), 6));\n",
    },
  },
  usage,
  { reply: { status: 'success', summary: 'Added mul', handoff: { filesModified: ['src/mul.js'] } } },
];

export interface ScriptParts {
  readonly plan?: object;
  readonly develop?: readonly object[];
}

/** A whole run that goes well; parts of it can be replaced. */
export function script(parts: ScriptParts = {}): readonly object[] {
  return [
    { when: { role: 'planner' }, do: [usage, { reply: parts.plan ?? plan }] },
    { when: { role: 'developer' }, do: parts.develop ?? developed },
    {
      when: { role: 'tester' },
      do: [usage, { reply: { result: 'pass', unit: { passed: 2, total: 2 }, summary: 'All good' } }],
    },
    {
      when: { role: 'learner' },
      do: [usage, { reply: { lessons: [{ category: 'Testing', keywords: ['node'], text: 'Use node --test.' }] } }],
    },
  ];
}

export async function until<T>(look: () => T | undefined | false, what: string): Promise<T> {
  for (let tries = 0; tries < 2000; tries += 1) {
    const found = look();
    if (found !== undefined && found !== false) return found;
    await sleep(50);
  }
  throw new Error(`never came: ${what}`);
}

function startProcess(args: readonly string[], cwd: string, env: Readonly<Record<string, string>>): Started {
  const child = spawn(process.execPath, [binary, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  const ended = new Promise<Ended>((settle) => {
    child.once('close', (code, signal) => {
      settle({
        code,
        signal,
        stdout: Buffer.concat(out).toString('utf8'),
        stderr: Buffer.concat(err).toString('utf8'),
      });
    });
  });
  const unread = (): Promise<Ended> => {
    for (const stream of [child.stdout, child.stderr]) stream.destroy();
    return ended;
  };
  return { child, ended, unread, printed: () => Buffer.concat(out).toString('utf8') };
}

function beganIn(runs: string): readonly string[] {
  if (!existsSync(runs)) return [];
  return readdirSync(runs).filter((name) => readFacts(join(runs, name, 'journal.jsonl')).length > 0);
}

function readFacts(file: string): readonly { seq: number; type: string; key: string }[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as { seq: number; type: string; key: string });
}

/** A PATH with these programs alone, for tests about what is installed. */
export function pathWith(...programs: readonly string[]): string {
  const directory = tempDir('forge-bin');
  for (const program of programs) {
    const found = (process.env['PATH'] ?? '').split(delimiter).map((one) => join(one, program));
    const [file] = found.filter((one) => existsSync(one));
    if (file !== undefined) symlinkSync(realpathSync(file), join(directory, program));
  }
  return directory;
}

/** What is installed on this machine decides no test: directories that hold agents or a linked Forge are left out. */
function pathWithoutAgents(path: string): string {
  const holds = (directory: string, names: readonly string[]): boolean =>
    names.some((name) => existsSync(join(directory, name)));
  const agents = ['forge', 'claude', 'codex', 'opencode', 'gemini', 'goose', 'copilot', 'qwen'];
  const needed = ['node', 'npm', 'git', 'bwrap', 'sh'];
  return path
    .split(delimiter)
    .filter((directory) => !holds(directory, agents) || holds(directory, needed))
    .join(delimiter);
}
