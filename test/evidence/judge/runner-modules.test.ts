import { expect, it } from 'vitest';
import { moduleFiles, runnerShadows } from '../../../src/evidence/judge/runner-modules.ts';

const shadows = (directories: readonly string[], judgePaths: readonly string[] = []) =>
  runnerShadows({ directories, judgePaths });

it.each([
  ['unittest.py', 'unittest'],
  ['pytest/__init__.py', 'pytest'],
  ['pytest/', 'pytest'],
  ['./_pytest.pyc', '_pytest'],
  ['argparse.cpython-311-x86_64-linux-gnu.so', 'argparse'],
  ['src/traceback.py', 'traceback'],
  ['tests/unittest/__main__.py', 'unittest'],
  ['app/unittest.py', undefined],
  ['app/logging.py', undefined],
  ['types/index.ts', undefined],
  ['json/data.py', undefined],
  ['calc.py', undefined],
  ['unittest.md', undefined],
  ['unittest', undefined],
])('%s at the root takes the place of %s', (path, module) => {
  expect(shadows(['.'])(path)).toBe(module);
});

it('looks where the commands import from', () => {
  expect(shadows(['packages/a', 'lib/'])('packages/a/pluggy.py')).toBe('pluggy');
  expect(shadows(['packages/a', 'lib/'])('lib/re.py')).toBe('re');
  expect(shadows(['packages/a'])('pluggy.py')).toBeUndefined();
});

it('leaves a module that the judge has to the project', () => {
  const own = shadows(['.'], ['coverage/__init__.py', 'queue.py']);
  expect([own('coverage/__main__.py'), own('queue/__init__.py'), own('src/coverage.py')]).toEqual([
    undefined,
    undefined,
    'coverage',
  ]);
});

it('names every file that python -m could start', () => {
  expect(moduleFiles('a.b', ['.', 'src'])).toEqual([
    'a/b.py',
    'a/b.pyc',
    'a/b/__init__.py',
    'a/b/__main__.py',
    'src/a/b.py',
    'src/a/b.pyc',
    'src/a/b/__init__.py',
    'src/a/b/__main__.py',
  ]);
});
