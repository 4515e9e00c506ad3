/** The terminal tried for real, wide and narrow: keys are pressed, and the screen is what a person would see. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { displayWidth } from '../../src/views/terminal-text.ts';
import { openScreen, type Screen } from './screen.ts';
import { makeProject, type Project, until } from './support.ts';

const task = (id: string, file: string, depends: readonly string[] = []): object => ({
  id,
  title: `Write ${file}`,
  objective: `Export from src/${file}.js.`,
  depends,
  writes: [`src/${file}.js`, `test/${file}.test.js`],
  verify: ['node --test'],
  doneWhen: 'its test passes',
  complexity: 'L',
});

const plan = {
  overview: {
    techStack: 'Node.js',
    architecture: 'one module per operation',
    businessLogic: 'arithmetic',
    keyDecisions: ['no dependency'],
  },
  tasks: [task('T1', 'mul'), task('T2', 'div'), task('T3', 'pow', ['T1']), task('T4', 'root', ['T2'])],
  waves: [
    ['T1', 'T2'],
    ['T3', 'T4'],
  ],
};

const write = (file: string, body: string): object[] => [
  { write: { path: `src/${file}.js`, content: `export const ${file} = ${body};\n` } },
  {
    write: {
      path: `test/${file}.test.js`,
      content: `import assert from 'node:assert';\nimport test from 'node:test';\nimport { ${file} } from '../src/${file}.js';\ntest('${file}', () => assert.equal(typeof ${file}(4, 2), 'number'));\n`,
    },
  },
];
const usage = { usage: { inputTokens: 1000, outputTokens: 100, costUsd: 0.05 } };
const success = { reply: { status: 'success', summary: 'Both are there', handoff: { filesModified: [] } } };
const passed = { reply: { result: 'pass', unit: { passed: 3, total: 3 } } };
const bug = { title: 'div by zero', category: 'unit', severity: 'major', wave: 1, files: ['src/div.js'] };
const failed = { reply: { result: 'fail', unit: { passed: 2, total: 3 }, bugs: [bug] } };
/** Goes on when the test says so. */
const gate = (name: string): object => ({
  exec: ['sh', '-c', `touch ${name}-here.tmp; until [ -e ${name}.tmp ]; do sleep 0.05; done`],
});

const script: readonly object[] = [
  {
    when: { key: 'plan#1' },
    do: [
      { reply: { ...plan, clarifications: [{ question: 'Which numbers?', options: ['integers', 'all of them'] }] } },
    ],
  },
  { when: { key: 'plan#2' }, do: [usage, { reply: plan }] },
  {
    when: { key: 'W1/develop#1' },
    do: [
      { say: 'Writing mul' },
      ...write('mul', '(a, b) => a * b'),
      ...write('div', '(a, b) => a / b'),
      usage,
      success,
    ],
  },
  { when: { key: 'W1/test#1' }, do: [usage, failed] },
  {
    when: { key: 'W1/develop#2' },
    do: [{ say: 'Looking at zero' }, gate('fix'), ...write('div', '(a, b) => b === 0 ? 0 : a / b'), success],
  },
  { when: { key: 'W1/test#2' }, do: [passed] },
  {
    when: { key: 'W2/develop#1' },
    do: [gate('second'), ...write('pow', '(a, b) => a ** b'), ...write('root', '(a) => Math.sqrt(a)'), usage, success],
  },
  { when: { key: 'W2/test#1' }, do: [passed] },
  { when: { key: 'integration/test#1' }, do: [passed] },
  {
    when: { role: 'learner' },
    do: [{ reply: { lessons: [{ category: 'Maths', keywords: ['zero'], text: 'Test division by zero.' }] } }],
  },
];

/** What may be broken by the terminal: commands, names and paths, which a person copies whole. */
const mayBreak = /^\s*(forge |git |cd |\.forge\/|forge\/|refs\/|\/)/;

function tooWide(text: string, columns: number): readonly string[] {
  return text.split('\n').filter((line) => displayWidth(line) > columns && !mayBreak.test(line));
}

/** However wide the terminal is. */
function words(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}

async function openGate(project: Project, name: string): Promise<void> {
  const area = join(project.env['HOME'] ?? '', '.local/share/forge/workspaces');
  const file = await until(() => {
    const [repository = ''] = existsSync(area) ? readdirSync(area) : [];
    const trees = ['W1', 'W2'].map((wave) => join(area, repository, project.runs()[0] ?? '', wave, 'tree'));
    return trees.find((tree) => existsSync(join(tree, `${name}-here.tmp`)));
  }, `an agent at the gate ${name}`);
  writeFileSync(join(file, `${name}.tmp`), '');
}

/** Its first line reaches to the last column but one. */
function rootWidth(screen: Screen): number {
  return displayWidth(/^\S Add more.*/m.exec(screen.shown())?.[0] ?? '');
}

function makeSums(): Project {
  const editor =
    '#!/bin/sh\n[ -e "$0.used" ] || { touch "$0.used"; exit 0; }\nsed -i "s/title: Write mul/titel: Write mul/" "$1"\n';
  const project = makeProject({ script, files: { '.gitignore': '*.tmp\n', '../editor.sh': editor } });
  return project;
}

describe.each([80, 40])('a terminal of %i columns', (columns) => {
  it('asks, shows the tree, pauses on Ctrl-C, goes on and sums up', async () => {
    const project = makeSums();
    const env = { EDITOR: `sh ${join(project.root, '../editor.sh')}` };
    const first = openScreen(project, ['run', 'Add more operations'], { columns, env });
    await answerQuestions(first);

    const fixing = await first.shows(/Fix round 1\/3 {2}developer/);
    expect(fixing).toMatch(/✗ Round 1 {2}1 bug\(s\) remain/);
    expect(fixing).toMatch(/Wave 1\/2 \[T1, T2\]/);
    expect(fixing).toMatch(/○ Wave 2\/2 \[T3, T4\]/);
    await first.shows(/developer {2}(exec|Looking)/);
    expect(tooWide(first.all(), columns)).toEqual([]);
    // Drawn over itself, never below itself.
    expect(first.all().split('Wave 1/2').length).toBe(2);
    first.resize(columns - 10);
    await until(() => rootWidth(first) === columns - 11, 'a tree as wide as the window');
    first.resize(columns);
    await until(() => rootWidth(first) === columns - 1, 'a tree as wide as the window');
    expect(first.all().split('Wave 1/2').length).toBe(2);
    await openGate(project, 'fix');

    await first.shows(/✓ Wave 1\/2 \[T1, T2\] {2}merged/);
    await first.shows(/Wave 2\/2 \[T3, T4\] {2}Round 1/);
    first.press('C-c');
    expect(await first.exit()).toBe(130);
    const [run = ''] = project.runs();
    expect(words(first.all())).toContain('Pausing. Ctrl-C once more leaves at once;');
    expect(first.all()).toContain(`Continue it:\n  forge resume ${run}\n`);
    expect(first.shown()).toMatch(/‖ Wave 2\/2 \[T3, T4\]/);
    expect(tooWide(first.all(), columns)).toEqual([]);

    const listed = openScreen(project, ['list'], { columns });
    expect(await listed.exit()).toBe(0);
    expect(listed.all()).toContain('paused at Wave 2/2 [T3, T4]');
    expect(tooWide(listed.all(), columns)).toEqual([]);

    const second = openScreen(project, ['resume'], { columns });
    await second.shows('Resuming: Wave 2/2 [T3, T4] ›');
    await openGate(project, 'second');
    expect(await second.exit()).toBe(0);
    const all = second.all();
    expect(all).toMatch(/✓ Integration test {2}passed/);
    expect(all).toMatch(/✓ Learn {2}1 lesson/);
    for (const heading of [
      'Done: Add more operations',
      'Steps',
      'Tasks',
      'Built',
      'Evidence',
      'Lessons',
      'Where',
      'Next',
    ])
      expect(all).toContain(`\n${heading}\n`);
    expect(all).toContain('1 found and fixed on the way\n');
    expect(all).toContain(`  forge land ${run} --into main\n`);
    expect(tooWide(all, columns)).toEqual([]);
  });
});

async function answerQuestions(screen: Screen): Promise<void> {
  const asked = await screen.shows(/Enter takes ❯, or type 1\/2 or words:$/m);
  expect(asked).toContain('❯ 1. integers (recommended)\n');
  screen.press('Down');
  await screen.shows('❯ 2. all of them\n');
  expect(screen.shown()).toContain('\n  1. integers');
  screen.press('Enter');

  await screen.shows(/Enter takes ❯, or type 1-3\/e:$/m);
  screen.press('e', 'Enter');
  await screen.shows('Nothing was changed.');
  await screen.shows(/Enter takes ❯, or type 1-3\/e:$/m);
  screen.press('e', 'Enter');
  await screen.shows('The edited text cannot be used:');
  const faulty = await screen.shows(/Enter takes ❯, or type 1-3\/e:$/m);
  expect(faulty.replaceAll(/\s+/g, ' ')).toMatch(/- line \d+, tasks\[0\]\.title: It is missing\./);
  expect(faulty).toContain('❯ e. Change the plan');
  screen.press('perhaps', 'Enter');
  await screen.shows('There is no choice "perhaps".');
  screen.press('1', 'Enter');
}

describe('what a terminal is told', () => {
  it('draws the tree without colour when asked to', async () => {
    const project = makeProject();
    const plain = openScreen(project, ['run', 'Add a multiplication', '--yes'], {
      columns: 80,
      env: { NO_COLOR: '1' },
    });
    expect(await plain.exit()).toBe(0);
    expect(plain.coloured()).not.toContain('\u001b[3');
    expect(plain.all()).toContain('✓ Wave 1/1 [T1]  merged');
    expect(plain.all()).toContain('Overview\n  tech stack      Node.js\n');
    const status = openScreen(project, ['status'], { columns: 80 });
    expect(await status.exit()).toBe(0);
    expect(status.coloured()).toContain('\u001b[32m✓');
  });

  it('is told in plain lines when it is a pipe', async () => {
    const project = makeProject();
    const { stdout, code } = await project.forge('run', 'Add a multiplication', '--yes');
    expect(code).toBe(0);
    // oxlint-disable-next-line no-control-regex
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
    expect(stdout).toContain('\nPlan ready: 1 task in 1 wave\n  Tech stack: Node.js\n');
    expect(stdout).toContain('\nWave 1/1 [T1] › Round 1 › developer: developing\n');
    expect(stdout).toContain('\nWave 1/1 [T1] › Round 1 › tester: passed, unit 2/2\n');
  });
});
