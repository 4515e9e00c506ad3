/**
 * The repository, plan and script that the proofs run on. Small on purpose: the whole run takes seconds and
 * still has a fix loop (T1), a truncated reply (T2), a conflict that sends a task back (T2 or T3), a task that
 * waits for two others (T4), one that gives up (T5) and one skipped for it (T6).
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface Scenario {
  readonly root: string;
  readonly home: string;
  readonly dataDir: string;
}

const files: Readonly<Record<string, string>> = {
  'package.json': `${JSON.stringify({ name: 'sample', type: 'module', scripts: { test: 'node check.js' } }, null, 2)}\n`,
  'check.js': `import { readdirSync, readFileSync } from 'node:fs';
for (const name of readdirSync('src')) {
  if (readFileSync('src/' + name, 'utf8').includes('wrong')) { console.error('not ok: ' + name); process.exit(1); }
}
`,
  'src/shared.js': 'export const names = [];\n',
  '.gitignore': 'node_modules/\n*.log\n',
};

const write = (path: string, content: string) => ({ write: { path, content } });
const success = { reply: { status: 'success', summary: 'done' } };
const both = "export const names = ['b', 'c'];\n";
const usage = { usage: { inputTokens: 100, outputTokens: 10, costUsd: 0.01 } };

export const script = [
  { when: { key: 'T1/develop#1' }, do: [write('src/a.js', 'wrong\n'), usage, success] },
  {
    when: { key: 'T1/develop#2' },
    do: [write('src/a.js', 'export const a = 1;\n'), write('notes.log', 'x\n'), usage, success],
  },
  {
    when: { task: 'T2', attempt: 1 },
    do: [write('src/b.js', 'export const b = 2;\n'), usage, { reply: 'I am nearly' }],
  },
  {
    when: { key: 'T2/develop#1/recovery#2' },
    do: [write('src/shared.js', "export const names = ['b'];\n"), usage, success],
  },
  {
    when: { key: 'T3/develop#1' },
    do: [
      write('src/c.js', 'export const c = 3;\n'),
      write('src/shared.js', "export const names = ['c'];\n"),
      usage,
      success,
    ],
  },
  // Whichever of T2 and T3 merges second conflicts, and is done again on top of the other.
  {
    when: { key: 'T2@2/develop#1' },
    do: [write('src/b.js', 'export const b = 2;\n'), write('src/shared.js', both), usage, success],
  },
  {
    when: { key: 'T3@2/develop#1' },
    do: [write('src/c.js', 'export const c = 3;\n'), write('src/shared.js', both), usage, success],
  },
  {
    when: { task: 'T4' },
    do: [write('src/d.js', 'export const d = 4;\n'), { git: ['commit', '-qam', 'mine'] }, usage, success],
  },
  ...[1, 2, 3].map((attempt) => ({
    when: { task: 'T5', attempt },
    do: [write('src/e.js', `try ${attempt}\n`), { crash: 1 }],
  })),
];

const task = (id: string, writes: string[], depends: string[] = []) => ({
  id,
  title: `Make ${id}`,
  objective: `Write ${writes.join(', ')}.`,
  writes,
  depends,
  verify: ['npm test'],
});

export const plan = {
  objective: 'Four small files',
  tasks: [
    task('T1', ['src/a.js']),
    task('T2', ['src/b.js']),
    task('T3', ['src/c.js']),
    task('T4', ['src/d.js'], ['T1', 'T2']),
    task('T5', ['src/e.js']),
    task('T6', ['src/f.js'], ['T5']),
  ],
};

/** What the result must hold, whatever was killed on the way. */
export const expected = {
  files: [
    '.forge/script.json',
    '.gitignore',
    'check.js',
    'package.json',
    'src/a.js',
    'src/b.js',
    'src/c.js',
    'src/d.js',
    'src/shared.js',
  ],
  outcomes: [
    { task: 'T1', status: 'done', reason: '' },
    { task: 'T2', status: 'done', reason: '' },
    { task: 'T3', status: 'done', reason: '' },
    { task: 'T4', status: 'done', reason: '' },
    { task: 'T5', status: 'failed', reason: 'The agent crashed (exit 1).' },
    { task: 'T6', status: 'skipped', reason: 'depends on T5, which is failed' },
  ],
};

export function makeScenario(area: string): Scenario {
  return makeRepository(area, { ...files, '.forge/script.json': JSON.stringify(script) });
}

/** A repository of the user's with one commit of these files. */
export function makeRepository(area: string, content: Readonly<Record<string, string>>): Scenario {
  const scenario = { root: join(area, 'repo'), home: join(area, 'home'), dataDir: join(area, 'data') };
  mkdirSync(scenario.home, { recursive: true });
  for (const [path, text] of Object.entries(content)) {
    mkdirSync(dirname(join(scenario.root, path)), { recursive: true });
    writeFileSync(join(scenario.root, path), text);
  }
  userGit(scenario, 'init', '-q', '-b', 'main');
  userGit(scenario, 'add', '-A');
  userGit(scenario, 'commit', '-qm', 'first');
  return scenario;
}

export function userGit({ root, home }: Scenario, ...args: string[]): string {
  const identity = {
    GIT_AUTHOR_NAME: 'User',
    GIT_AUTHOR_EMAIL: 'user@example.com',
    GIT_COMMITTER_NAME: 'User',
    GIT_COMMITTER_EMAIL: 'user@example.com',
  };
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_DATE: '@1700000000 +0000',
    GIT_COMMITTER_DATE: '@1700000000 +0000',
    ...identity,
  };
  return execFileSync('git', ['-C', root, ...args], { env, encoding: 'utf8' }).trimEnd();
}
