/** What is looked at, for whom it is told, and in which order; and that no text can break it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkContracts, type ModuleFile } from '../../../src/evidence/contracts/check-contracts.ts';
import { check, failures, filesOf } from './matter.ts';

const file = (task: string, path: string, text?: string): ModuleFile => ({
  task,
  path,
  text,
  exists: text !== undefined,
});
const names = (files: readonly ModuleFile[], about?: string): string[] =>
  checkContracts({ files, all: files.filter(({ exists }) => exists).map(({ path }) => path), about }).map(
    ({ name, passed }) => `${passed ? '+' : '-'} ${name}`,
  );

describe('results', () => {
  const files = [
    file('b', 'b.js', "import { x, y } from './a.js';\ny();\n"),
    file('c', 'c.js', 'export const lonely = 1;'),
    file('a', 'a.js', 'export const x = 1;'),
    file('a', 'gone.js'),
    file('d', 'd.py', 'def f(:\n'),
  ];

  it('are ordered by kind, file and name, whatever order the files came in', () => {
    const expected = [
      '+ file a.js',
      '+ file b.js',
      '+ file c.js',
      '+ file d.py',
      '- file gone.js',
      '+ syntax a.js',
      '+ syntax b.js',
      '+ syntax c.js',
      '- syntax d.py',
      '- contract b.js -> a.js: y',
    ];
    expect(names(files)).toEqual(expected);
    expect(names(files.toReversed())).toEqual(expected);
  });

  it('about one module are of its files and of contracts it takes part in', () => {
    const contract = '- contract b.js -> a.js: y';
    expect(names(files, 'a')).toEqual(['+ file a.js', '- file gone.js', '+ syntax a.js', contract]);
    expect(names(files, 'b')).toEqual(['+ file b.js', '+ syntax b.js', contract]);
    expect(names(files, 'c')).toEqual(['+ file c.js', '+ syntax c.js']);
    expect(names(files, 'e')).toEqual([]);
  });

  it('leave out faults in files that the work did not touch', () => {
    const old = files.map((each) => ({ ...each, unchanged: each.exists }));
    expect(names(old).filter((name) => name.startsWith('-'))).toEqual(['- file gone.js']);
    const halfOld = old.map((each) => (each.path === 'a.js' ? { ...each, unchanged: false } : each));
    expect(names(halfOld)).toContain('- contract b.js -> a.js: y');
  });

  it('do not ask for files that a pattern found, nor for names of files still to come', () => {
    const later = [
      { ...file('b', 'b.js', "import { x } from './user-a.js';"), expanded: true },
      file('a', 'user-a.js'),
    ];
    expect(names(later, 'b')).toEqual(['+ syntax b.js']);
  });

  it('name a failure without its line', () => {
    const at = (before: string): string[] =>
      names([file('b', 'b.js', `${before}import { y } from './a.js';`), file('a', 'a.js', '')]);
    expect(at('\n\n')).toEqual(at(''));
  });
});

describe('syntax', () => {
  it.each<[string, string, string[]]>([
    ['a.js', 'let a = ;', ['a.js:1 syntax error: Unexpected token']],
    ['a.ts', 'const a: = 1;\n', ['a.ts:1 syntax error: Unexpected token']],
    ['a.mjs', '\n<<<<<<< ours\n', ['a.mjs:2 syntax error: Unexpected token']],
    ['a.mjs', 'export { nowhere };', ["a.mjs:1 syntax error: Export 'nowhere' is not defined."]],
    ['a.js', 'let a; let a;', ["a.js:1 syntax error: Identifier 'a' has already been declared."]],
    ['a.json', '{\n "a": 1,,\n}', ['a.json:2 syntax error: not JSON']],
    ['package.json', '{ "a": 1, }', ['package.json:1 syntax error: not JSON']],
    ['a.py', 'def f(:\n    pass\n', ['a.py:1 syntax error: invalid syntax']],
    ['a.py', 'x = (1,\ny = 2\n', ['a.py:2 syntax error: invalid syntax']],
    ['a.py', 'if x\n    pass\n', ['a.py:1 syntax error: invalid syntax']],
    ['p.html', '<p>\n<script>\nlet a = ;\n</script>', ['p.html:3 syntax error: Unexpected token']],
    ['test/fixtures/a.js', 'let a = ;', []],
    ['a.js', '// @flow\nlet a: ?string = 1;', []],
    ['a.js', 'function f(a: string) {}', []],
    ['a.js', 'with (a) { b = 010; }\nreturn;\nawait = 1;', []],
    ['a.js', '#!/usr/bin/env node\nimport x from "y" with { type: "json" };\nawait x;\nconst e = <a />;', []],
    ['a.ts', '@a() export class A { constructor(@b() private c: string) {} }', []],
    ['a.ts', 'export @d class E {}', []],
    ['a.ts', '<?xml version="1.0"?><TS></TS>', []],
    ['tsconfig.json', '\uFEFF{ // as usual\n "a": "//", /* b */ "c": [1,], }', []],
    [
      'a.py',
      'def g():\n    x = yield\n    yield\n    with a as (b, c): pass\n    with (a as b, c as d): pass\n    return 1./3.\n',
      [],
    ],
    ['a.py', 'match x:\n    case {}: pass\n    case A.B(): pass\n', []],
    ['a.py', 'f"{a["b"]}"\nlambda a, /, b: a\nprint(*a, sep="")\nx: tuple[*T] = 1\nprint "two"\n', []],
    ['a.css', '}{', []],
  ])('%s %j', (path, text, expected) => {
    expect(failures({ [path]: text })).toEqual(expected);
  });

  it('is told once, and makes no noise among contracts', () => {
    expect(failures({ 'a.js': 'export const x = ;', 'b.js': "import { y } from './a.js';\ny(1);" })).toEqual([
      'a.js:1 syntax error: Unexpected token',
    ]);
  });
});

const pieces = [
  'import export default from * { } ( ) [ ] , ; : = => . ? < > ` ${ " \' / \\ # @ \n x a this arguments yield __all__ **'.split(
    ' ',
  ),
  ['"./a.js"', "require('./b')", 'module.exports', 'exports.', 'function f(a, b)', 'class A', 'const ', 'await '],
  [
    'def f(a, *, b=1):\n',
    '    ',
    'class C:\n',
    'from . import ',
    'import a.b as c',
    'try:\n',
    'except:\n',
    'with a as b',
  ],
  ['<script src="a.js">', '</script>', '<!--', '-->', '{"a":', 'window.A', 'interface ', 'enum ', 'type T'],
].flat();
const paths = ['a.js', 'b.ts', 'c.tsx', 'd.py', 'p/__init__.py', 'e.json', 'i.html', 'f.cjs', 'g.d.ts'];

describe('hostile text', () => {
  it('is answered with results, the same ones every time', () => {
    const text = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 5 })), { maxLength: 30 });
    const files = fc.dictionary(
      fc.constantFrom(...paths),
      text.map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(files, (given) => {
        expect(check(given)).toEqual(check(Object.fromEntries(Object.entries(given).toReversed())));
      }),
      { numRuns: 150 },
    );
  });

  const deep = (piece: string, count: number): string => piece.repeat(count);
  it.each<[string, string]>([
    ['a.js', deep('(', 100_000)],
    ['a.js', deep('a+', 5000)],
    ['a.ts', deep('<T>(', 40)],
    ['a.ts', deep('`${<T>', 40)],
    ['a.js', deep('x.', 100_000)],
    ['a.py', deep('(', 50_000)],
    ['a.py', deep('1. ', 100_000)],
    ['a.py', `import a\n${deep('a.b, ', 20_000)} = 1\n`],
    ['a.py', deep('[x for x in ', 3000)],
    ['a.json', deep('[', 200_000)],
    ['a.json', deep('/*', 100_000)],
    ['i.html', deep('<script ', 50_000)],
    ['i.html', deep('<!--', 50_000)],
    ['a.js', `export const __proto__ = 1;\n${deep('export const constructor = 1;', 2)}`],
  ])('%s is read to its end: %.20s', (path, text) => {
    const results = checkContracts({ files: filesOf({ [path]: text }), all: [path], about: undefined });
    expect(results.length).toBeLessThanOrEqual(2);
  });
});
