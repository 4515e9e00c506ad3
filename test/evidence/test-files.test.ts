import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isTestFile, perFileRunner } from '../../src/evidence/test-files.ts';

describe('isTestFile', () => {
  it.each([
    'src/a.test.ts',
    'src/a.spec.tsx',
    'a-test.js',
    'a_test.mjs',
    'test.js',
    'test-a.cjs',
    'src/__tests__/a.js',
    'test/a.js',
    'tests/unit/a.ts',
    'src/helpers/format.test.ts',
    'e2e/login.e2e.ts',
    'cypress/login.cy.ts',
    'tests/test_a.py',
    'pkg/a_test.py',
    'app/tests.py',
    'pkg/a_test.go',
    'tests/it.rs',
    'src/parser/tests.rs',
    'src/test/java/com/x/FooTest.java',
    'src/FooTests.kt',
    'FooIT.java',
    'spec/models/user_spec.rb',
    'test/user_test.rb',
  ])('%s is one', (path) => expect(isTestFile(path)).toBe(true)); // prettier-ignore

  it.each([
    'src/a.ts',
    'src/latest.ts',
    'src/contest.js',
    'src/testing.go',
    'test/fixtures/a.test.js',
    'test/helpers/a.ts',
    'test/setup.ts',
    'vitest.config.ts',
    'test/vitest.config.ts',
    'node_modules/x/a.test.js',
    'conftest.py',
    'tests/__init__.py',
    'src/lib.rs',
    'src/Foo.java',
    'src/Contest.java',
    'README.md',
    'testdata/a_test.go',
    'test/types.d.ts',
    '',
  ])('%s is none', (path) => expect(isTestFile(path)).toBe(false)); // prettier-ignore
});

describe('perFileRunner', () => {
  const js = ['test/b.test.js', 'test/a.test.js'];
  it.each<readonly [line: string, files: readonly string[], expected: string | undefined]>([
    ['node --test', js, 'node --test test/a.test.js test/b.test.js'],
    ['node --import tsx --test test/**/*.ts', ['test/a.test.ts'], 'node --import tsx --test test/a.test.ts'],
    ['node --test test/ --test-reporter=tap', ['test/a.test.js'], 'node --test --test-reporter=tap test/a.test.js'],
    ['npx vitest run', js, 'npx vitest run test/a.test.js test/b.test.js'],
    ['vitest --config x.ts src', ['src/a.test.ts'], 'vitest run --config x.ts src/a.test.ts'],
    ['npx vitest run --coverage', ['a.test.ts'], 'npx vitest run a.test.ts'],
    ['npx --no-install jest --ci', ['a.test.js'], 'npx --no-install jest --ci --runTestsByPath a.test.js'],
    [
      'node --experimental-vm-modules node_modules/jest/bin/jest.js',
      ['a.test.js'],
      'node --experimental-vm-modules node_modules/jest/bin/jest.js --runTestsByPath a.test.js',
    ],
    [
      './node_modules/.bin/mocha -r ts-node/register test',
      ['test/a.js'],
      './node_modules/.bin/mocha -r ts-node/register test/a.js',
    ],
    ['pytest -q -k fast tests', ['tests/test_a.py'], 'pytest -q -k fast tests/test_a.py'],
    ['uv run python3 -m pytest', ['tests/test_a.py', 'src/a.test.ts'], 'uv run python3 -m pytest tests/test_a.py'],
    ['go test -race ./...', ['pkg/a_test.go', 'pkg/b_test.go', 'c_test.go'], 'go test -race ./ ./pkg'],
    ['cargo test', ['tests/it.rs'], 'cargo test --test it'],
    ['cargo test', ['src/lib.rs'], undefined],
    ['pytest', ['a.test.js'], undefined],
    ['make test', js, undefined],
    ['sh -c vitest', js, undefined],
    ['pytest --unknown value', ['tests/test_a.py'], undefined],
    ['node --test', [], undefined],
    ['node --test', ['-a.test.js'], 'node --test ./-a.test.js'],
  ])('%s', (line, testFiles, expected) => {
    expect(perFileRunner({ argv: line.split(' '), testFiles })?.join(' ')).toBe(expected);
  });

  it.each<readonly [line: string, script: string, expected: string | undefined]>([
    ['npm test', 'vitest run', 'npm run test -- a.test.js'],
    ['npm run test', 'vitest', 'npm run test -- run a.test.js'],
    ['npm run -s test', 'tsc && NODE_ENV=test jest --ci', 'npm run test -- --runTestsByPath a.test.js'],
    ['yarn test', 'cross-env CI=1 mocha', 'yarn run test a.test.js'],
    ['pnpm test', 'node --test', 'pnpm run test a.test.js'],
    ['bun run test', 'vitest run', 'bun run test a.test.js'],
    ['npm test', 'node --test test/', 'node --test a.test.js'],
    ['npm test', 'mocha "test/**/*.js"', 'npx --no-install mocha a.test.js'],
    ['npm test', 'tsc && mocha test', undefined],
    ['npm test', 'npm run unit', 'npm run unit -- a.test.js'],
    ['npm test', 'echo hi | tee x', undefined],
    ['npm test', 'true', undefined],
    ['npm test', 'npm test', undefined],
    ['npm run other', 'vitest run', undefined],
  ])('%s, where test is %s', (line, script, expected) => {
    const scripts = { test: script, unit: 'vitest run' };
    expect(perFileRunner({ argv: line.split(' '), testFiles: ['a.test.js'], scripts })?.join(' ')).toBe(expected);
  });

  it('names files as seen from the working directory, and none outside it', () => {
    const testFiles = ['packages/a/x.test.js', 'packages/b/y.test.js'];
    expect(perFileRunner({ argv: ['node', '--test'], testFiles, cwd: './packages/a/' })).toEqual([
      'node',
      '--test',
      'x.test.js',
    ]);
    expect(perFileRunner({ argv: ['node', '--test'], testFiles, cwd: 'packages/c' })).toBeUndefined();
  });

  it('never throws and never adds a word that is neither of the command nor a file', () => {
    const word = fc.oneof(
      fc.constantFrom(
        'npx',
        'node',
        '--test',
        'vitest',
        'run',
        'npm',
        'test',
        '--',
        'pytest',
        '-m',
        'python',
        'go',
        './...',
        '--x',
        '__proto__',
        'constructor',
      ),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(word), fc.string(), (argv, script) => {
        const scripts = { test: script };
        const narrowed = perFileRunner({ argv, testFiles: ['a.test.js'], scripts });
        for (const each of narrowed ?? []) {
          const ours = [
            ...argv,
            'a.test.js',
            'run',
            '--run',
            '--runTestsByPath',
            'npx',
            '--no-install',
            '--',
            'test',
            './',
          ];
          expect(ours.includes(each) || script.includes(each)).toBe(true);
        }
      }),
    );
  });
});
