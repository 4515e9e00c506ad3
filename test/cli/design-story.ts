/**
 * The tiny design with agents that really write it: what a scripted agent does for every role when all goes well. A test puts
 * what should go otherwise in front. Plain data, so that programs which are killed can use it too.
 */
import { designFiles, type Files, tinyConventions, tinyModules, tinyPlan } from '../workflows/design/tiny-design.ts';

type Step = object;
export interface Job {
  readonly when: Readonly<Record<string, string | number>>;
  readonly do: readonly Step[];
  readonly repeat?: boolean;
}

export const reply = (value: object): Step => ({ reply: value });
export const write = (path: string, content: string): Step => ({ write: { path, content } });
const usage = { usage: { inputTokens: 1000, outputTokens: 100, costUsd: 0.01 } };

/** One job, by the key of the work. */
export const job = (key: string, ...steps: readonly Step[]): Job => ({ when: { key }, do: [usage, ...steps] });
const always = (when: Job['when'], ...steps: readonly Step[]): Job => ({ when, do: [usage, ...steps], repeat: true });

export const done = (more: object = {}): Step => reply({ status: 'done', summary: 'Did it', ...more });
export const planIssue = (type: string, more: object = {}): Step =>
  reply({ status: 'plan-issue', summary: 'The plan is wrong', planIssue: { type, evidence: `${type} seen`, ...more } });
export const passing = reply({ result: 'pass', total: 2, summary: 'Good' });
export const failing = (...tests: readonly string[]): Step =>
  reply({ result: 'fail', total: 9, summary: 'Some fail', failures: tests.map((test) => ({ test, error: 'wrong' })) });
export const rejecting = (...claims: readonly string[]): Step =>
  reply({
    verdict: 'REJECT',
    findings: claims.map((claim) => ({ severity: 'required', claim, file: 'src/core.js', line: 1 })),
  });
export const accepting = (...failures: readonly object[]): Step => reply({ summary: 'Looked at everything', failures });
export const planned = (id: string, step?: string): Step => reply({ plan: tinyPlan(id, step) });

const texts: Readonly<Record<string, string>> = {
  'M-001': "export function word(text) {\n  if (text === '') throw new Error('empty');\n  return text;\n}\n",
  'M-002': "import { word } from './core.js';\nexport const shout = (text) => word(text).toUpperCase();\n",
  'M-003': "import { word } from './core.js';\nexport const print = (text) => `[${word(text)}]`;\n",
  'M-004': 'export const extra = 4;\n',
};
/** The right source of a module, with something added. */
export const source = (id: string, more = ''): Step => write(tinyModules[id]?.file ?? '', `${texts[id] ?? ''}${more}`);

const proofs: Readonly<Record<string, string>> = {
  'F-001/AC1': "assert.equal(word('a'), 'a');",
  'F-001/AC2': "assert.equal(shout('a'), 'A');",
  'F-001/AC3': "assert.throws(() => word(''), /empty/);",
  'F-002/AC1': "assert.equal(print('a'), '[a]');",
  'F-002/AC2': "assert.equal(print('a b'), '[a b]');",
};
const imports: Readonly<Record<string, string>> = {
  word: 'src/core.js',
  shout: 'src/shout.js',
  print: 'src/print.js',
};

/** A test file: names with the bodies that prove them. */
export function testFile(up: string, tests: readonly (readonly [name: string, body: string])[]): string {
  const used = Object.entries(imports).filter(([name]) => tests.some(([, body]) => body.includes(`${name}(`)));
  return [
    "import assert from 'node:assert/strict';",
    "import test from 'node:test';",
    ...used.map(([name, file]) => `import { ${name} } from '${up}${file}';`),
    ...tests.map(([name, body]) => `test(${JSON.stringify(name)}, () => {\n  ${body}\n});`),
    '',
  ].join('\n');
}

export const moduleTests = (id: string, criteria = tinyModules[id]?.criteria ?? []): Step =>
  write(
    `test/modules/${id}.test.js`,
    testFile(
      '../../',
      criteria.length === 0
        ? [[`${id} is there`, 'assert.equal(1 + 1, 2);']]
        : criteria.map((criterion) => [`${criterion} in ${id}`, proofs[criterion] ?? '']),
    ),
  );

/** End-to-end tests; a criterion may be left out, or proven by something else. */
export function e2eTests(changed: Readonly<Record<string, string | undefined>> = {}): Step {
  const bodies = Object.entries({ ...proofs, ...changed }).flatMap(([criterion, body]) =>
    body === undefined ? [] : [[`${criterion} end to end`, body] as const],
  );
  return write(
    'e2e/all.test.js',
    testFile('../', [
      ...bodies,
      ['J-001-E2E1 a word is heard', "assert.equal(word('hello'), 'hello');"],
      ['J-001-E2E2 nothing is refused', "assert.throws(() => word(''), /empty/);"],
    ]),
  );
}

const ids = ['M-001', 'M-002', 'M-003', 'M-004'];

/** Everything goes well, unless a job in front says otherwise. */
export function designScript(...odd: readonly Job[]): readonly Job[] {
  return [
    ...odd,
    always({ role: 'first-planner' }, reply({ plan: tinyPlan('M-001'), conventions: tinyConventions })),
    ...ids.flatMap((id) => [
      always({ role: 'module-planner', task: `${id}*` }, planned(id)),
      always({ role: 'module-developer', task: `${id}*` }, source(id), done()),
      always({ role: 'module-tester', task: `${id}*` }, moduleTests(id), passing),
    ]),
    always({ role: 'module-developer' }, done()),
    always({ role: 'module-reviewer' }, reply({ verdict: 'APPROVE', findings: [] })),
    always({ role: 'integration-tester' }, reply({ result: 'pass', total: 1, summary: 'Fits' })),
    always({ role: 'acceptance-tester' }, e2eTests(), accepting()),
    always({ role: 'impact-judge' }, reply({ change: 'semantic', reason: 'It says something else' })),
    always(
      { role: 'diagnostician' },
      reply({
        pattern: 'the same test fails',
        rootCause: 'conflicting-constraints',
        explanation: 'It is hard',
        options: [
          { title: 'Do less', change: 'src/core.js', isTradeOff: true },
          { title: 'Do it later', change: 'src/core.js', isTradeOff: true },
        ],
      }),
    ),
  ];
}

/** The design, its PRD, and a project with a linter and no tests yet. */
export const designProject: Files = {
  ...designFiles,
  'package.json': `${JSON.stringify({ name: 'echo', type: 'module', scripts: { test: 'node --test' } })}\n`,
  'lint.mjs':
    "import { readdirSync, readFileSync } from 'node:fs';\nfor (const name of readdirSync('src')) if (readFileSync(`src/${name}`, 'utf8').includes('LINT')) { console.error(`src/${name}: LINT`); process.exit(1); }\n",
  'src/old.js': 'export const old = 1;\n',
};
