/** What a project's checks lead to, over files that are only text: no repository, no process. */
import { describe, expect, it } from 'vitest';
import { judgeClosure } from '../../src/checks/judge-closure.ts';
import { scriptTexts } from '../../src/checks/started-files.ts';
import type { VerifyCommand } from '../../src/plan/command-line.ts';

type Files = Readonly<Record<string, string>>;

const product = { 'src/sum.js': 'export const sum = 1', 'index.js': '', 'test/sum.test.js': '' };

async function closureOf(command: string, files: Files) {
  const all: Files = { ...product, ...files };
  const [program = '', ...args] = command.split(' ');
  const resolved: VerifyCommand = { status: 'resolved', argv: [program, ...args], cwd: '.', env: {}, timeoutMs: 1 };
  const scripts = (JSON.parse(all['package.json'] ?? '{}') as { scripts?: Record<string, string> }).scripts ?? {};
  const closure = await judgeClosure({
    commands: [resolved],
    isOwn: () => true,
    paths: Object.keys(all),
    scriptTexts: ({ argv }) => scriptTexts(argv, scripts).map((text) => ({ text, cwd: '.' })),
    read: async (paths) => new Map(paths.flatMap((path) => (all[path] === undefined ? [] : [[path, all[path] ?? '']]))),
  });
  return { files: [...closure.files.keys()].sort(), awaited: [...closure.awaited.keys()].sort() };
}

const scripts = (lines: Record<string, string>): Files => ({ 'package.json': JSON.stringify({ scripts: lines }) });

describe('a check leads to', () => {
  it.each<[string, string, Files, string[]]>([
    ['a script', 'sh scripts/run.sh', { 'scripts/run.sh': 'exit 0' }, ['scripts/run.sh']],
    [
      'what a script sources, through a variable',
      'sh scripts/run.sh',
      {
        'scripts/run.sh': '. "$(dirname "$0")/lib.sh"\nsource ${ROOT}/ci/env.sh',
        'scripts/lib.sh': '',
        'ci/env.sh': '',
      },
      ['ci/env.sh', 'scripts/lib.sh', 'scripts/run.sh'],
    ],
    [
      'what a recipe and an include mention',
      'make check',
      {
        Makefile: 'include rules.inc\ncheck:\n\t@node tools/check.js --strict\n',
        'rules.inc': '',
        'tools/check.js': '',
      },
      ['rules.inc', 'tools/check.js'],
    ],
    [
      'the end of a chain of package scripts, with what runs before',
      'npm test',
      {
        ...scripts({
          pretest: 'sh ci/pre.sh',
          test: 'run-s unit',
          unit: 'npm run real:unit',
          'real:unit': 'node tools/x.js',
        }),
        'tools/x.js': "require('./y')",
        'tools/y.js': '',
        'ci/pre.sh': '',
      },
      ['ci/pre.sh', 'tools/x.js', 'tools/y.js'],
    ],
    [
      'set-up files, reporters and imports of a runner’s configuration',
      'npm test',
      {
        ...scripts({ test: 'vitest run' }),
        'vitest.config.ts':
          "import { shared } from './config/shared';\nexport default { test: { setupFiles: ['./test/setup.ts'], globalSetup: 'tests/global-setup.ts', reporters: ['./tools/reporter.mjs'] } }",
        'config/shared.ts': '',
        'test/setup.ts': "import '../src/sum.js';\nimport './helpers/db.js'",
        'test/helpers/db.js': '',
        'tests/global-setup.ts': '',
        'tools/reporter.mjs': '',
      },
      ['config/shared.ts', 'test/setup.ts', 'tests/global-setup.ts', 'tools/reporter.mjs'],
    ],
    [
      'set-up files of jest below its root, and its transforms',
      'npx jest',
      {
        'jest.config.js':
          "module.exports = { setupFiles: ['<rootDir>/jest/setup.js'], transform: { x: './tools/transform.js' } }",
        'jest/setup.js': '',
        'tools/transform.js': '',
      },
      ['jest/setup.js', 'tools/transform.js'],
    ],
    [
      'what mocha requires',
      'npx mocha',
      { '.mocharc.yml': 'require: ./test/register\nspec: test/*.js', 'test/register.cjs': '' },
      ['test/register.cjs'],
    ],
    [
      'plugins of pytest, by their module names',
      'pytest',
      {
        'pytest.ini': '[pytest]\naddopts = -p tools.plugin',
        'tools/plugin.py': 'from .deep import x',
        'tools/deep.py': '',
      },
      ['tools/deep.py', 'tools/plugin.py'],
    ],
    [
      'modules that are loaded first',
      'node --import ./tools/hook.mjs --test',
      { 'tools/hook.mjs': '' },
      ['tools/hook.mjs'],
    ],
    [
      'a program in a directory of any name',
      'make check',
      { Makefile: 'check:\n\t@python3 -B assurance/run.py\n', 'assurance/run.py': '' },
      ['assurance/run.py'],
    ],
    [
      'a directory of rules',
      'eslint --rulesdir tools/rules src',
      { 'tools/rules/a.js': '', 'tools/rules/b.js': '' },
      ['tools/rules/a.js', 'tools/rules/b.js'],
    ],
    [
      'expected output',
      'sh ci/diff.sh',
      { 'ci/diff.sh': 'diff out.txt expected/out.txt', 'expected/out.txt': '' },
      ['ci/diff.sh', 'expected/out.txt'],
    ],
  ])('%s', async (_, command, files, expected) => {
    expect((await closureOf(command, files)).files).toEqual(expected);
  });

  it.each<[string, string, Files]>([
    ['product code that a runner is given', 'npx eslint src/sum.js index.js', {}],
    ['tests that a runner is given', 'node --test test/sum.test.js', {}],
    ['tests by their directory', 'npx mocha test/', { 'test/helpers/x.js': '' }],
    ['what a build reads', 'npm test', scripts({ test: 'esbuild src/sum.js --outfile=dist/x.js && node --test' })],
    [
      'a makefile that nothing calls',
      'node --test',
      { Makefile: 'deploy:\n\tsh scripts/deploy.sh', 'scripts/deploy.sh': '' },
    ],
    [
      'scripts of the package that nothing calls',
      'npm test',
      { ...scripts({ test: 'node --test', release: 'sh ci/release.sh' }), 'ci/release.sh': '' },
    ],
    [
      'product code in directories of any name',
      'mypy mylib/core.py mylib/',
      { 'mylib/core.py': '', 'mylib/__init__.py': '' },
    ],
    [
      'pages that a configuration names',
      'npx vitest',
      { 'vite.config.ts': "export default { build: { rollupOptions: { input: 'index.html' } } }", 'index.html': '' },
    ],
    ['a guide', 'sh run', { 'README.md': 'x' }],
  ])('nothing of %s', async (_, command, files) => {
    expect((await closureOf(command, files)).files).toEqual([]);
  });

  it('product code behind a check script, never', async () => {
    const files = { 'tools/check.js': "import { sum } from '../src/sum.js'; import x from '../index.js'" };
    expect((await closureOf('node tools/check.js', files)).files).toEqual(['tools/check.js']);
    expect((await closureOf('node check.js', { 'check.js': "import './sum.js'", 'sum.js': '' })).files).toEqual([
      'check.js',
    ]);
  });

  it('files that are not there, where a commit could bring them', async () => {
    const { awaited } = await closureOf('sh ci/run.sh', {
      'ci/run.sh': '[ -f .env.ci ] && . ./.env.ci\n. ci/local.sh || true',
    });
    expect(awaited).toEqual(expect.arrayContaining(['.env.ci', 'ci/local.sh']));
  });

  it('ends, whatever mentions whatever', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 900 }, (_, at) => [
        `tools/f${at}.sh`,
        `sh tools/f${(at + 1) % 900}.sh tools/f${(at * 7) % 900}.sh`,
      ]),
    );
    expect((await closureOf('sh tools/f0.sh', many)).files.length).toBeLessThanOrEqual(400);
  });
});
