import { describe, expect, it } from 'vitest';
import { canBeUnnamed, unnamedFiles, type UnnamedQuestion } from '../../src/evidence/unnamed-files.ts';

const unnamedIn = (question: Partial<UnnamedQuestion>) =>
  unnamedFiles({ paths: ['.cache/3f2a'], usersBefore: [], usersAfter: [], checks: [], own: [], ...question });

describe('a file that nothing names', () => {
  it('is one that no text mentions, or mentions only in passing', () => {
    expect(unnamedIn({})).toEqual(['.cache/3f2a']);
    expect(unnamedIn({ usersAfter: [{ path: 'src/a.js', text: '// see 3f2a' }] })).toEqual(['.cache/3f2a']);
  });

  it('is not one that a file names or imports, before or after', () => {
    expect(unnamedIn({ usersAfter: [{ path: 'src/a.js', text: "read('.cache/3f2a')" }] })).toEqual([]);
    expect(unnamedIn({ usersBefore: [{ path: 'tools/a.js', text: "read('3f2a')" }] })).toEqual([]);
    const paths = ['src/b.js'];
    expect(unnamedIn({ paths, usersAfter: [{ path: 'src/a.js', text: "import './b.js';" }] })).toEqual([]);
  });

  it.each(['.cache', 'done'])(
    'is not one in a directory that product code of the base names; checks and new code do not count: %s',
    (directory) => {
      const names = (path: string) => [{ path, text: `readdirSync('${directory}')` }];
      const paths = [`${directory}/3f2a`];
      expect(unnamedIn({ paths, usersBefore: names('src/a.js') })).toEqual([]);
      expect(unnamedIn({ paths, usersBefore: names('scripts/check.mjs') })).toEqual(paths);
      expect(unnamedIn({ paths, usersBefore: names('test/a.test.js') })).toEqual(paths);
      expect(unnamedIn({ paths, usersBefore: names('verify.mjs'), checks: ['verify.mjs'] })).toEqual(paths);
      expect(unnamedIn({ paths, usersAfter: names('src/a.js') })).toEqual(paths);
    },
  );

  it('is no document that Forge wrote, unless a test or check of the base names it or a directory above it', () => {
    const paths = ['docs/plans/tally-1a2b/reports/notes.json'];
    const own = paths;
    const names = (path: string, text: string) => [{ path, text }];
    expect(unnamedIn({ paths })).toEqual(paths);
    expect(unnamedIn({ paths, own })).toEqual([]);
    expect(unnamedIn({ paths, own, usersBefore: names('src/a.js', "readdirSync('docs')") })).toEqual([]);
    for (const said of ['docs', 'docs/plans', './docs/**', 'notes.json'])
      expect(unnamedIn({ paths, own, usersBefore: names('test/a.test.js', `glob('${said}')`) })).toEqual(paths);
    expect(unnamedIn({ paths, own, usersBefore: names('check.sh', 'ls docs/plans'), checks: ['check.sh'] })).toEqual(
      paths,
    );
  });

  it.each([
    'main.go',
    'src/Main.java',
    'package.json',
    'shop/__init__.py',
    'test/a.test.js',
    'test/data/a.txt',
    'vitest.config.ts',
  ])('is never %s, which tools find by themselves', (path) => {
    expect(canBeUnnamed(path)).toBe(false);
  });

  it.each(['.cache/3f2a', 'notes.md', 'marker.js', 'rules/10-sum.mjs', 'skip.py'])('can be %s', (path) => {
    expect(canBeUnnamed(path)).toBe(true);
  });
});
