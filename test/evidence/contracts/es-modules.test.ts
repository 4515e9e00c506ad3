/** Names and calls between ES modules and TypeScript files: what is reported, and what never is. */
import { describe, expect, it } from 'vitest';
import { check, failures } from './matter.ts';

describe('a missing name', () => {
  it('is reported where it is imported, whatever the ending', () => {
    const exporter = 'export const foo = 1;\nexport function bar() {}\n';
    expect(check({ 'exp.mjs': exporter, 'imp.mjs': "import { foo, baz } from './exp.mjs';\n" })).toEqual([
      { type: 'syntax_check', passed: true, file: 'exp.mjs', line: 0, message: '', name: 'syntax exp.mjs' },
      { type: 'syntax_check', passed: true, file: 'imp.mjs', line: 0, message: '', name: 'syntax imp.mjs' },
      {
        type: 'contract_check',
        passed: false,
        file: 'imp.mjs',
        line: 1,
        exporter: 'exp.mjs',
        message: 'exp.mjs does not export "baz"; did you mean "bar"?',
        name: 'contract imp.mjs -> exp.mjs: baz',
      },
    ]);
  });

  it.each<[string, Record<string, string>, string[]]>([
    [
      'no default',
      { 'a.js': 'export const x = 1;', 'b.js': "import a from './a.js';" },
      ['b.js:1 a.js has no default export; it exports x'],
    ],
    [
      'a member of the namespace',
      { 'a.js': 'export const load = 1;', 'b.js': "import * as a from './a';\n\na.lood();" },
      ['b.js:3 a.js does not export "lood"; did you mean "load"?'],
    ],
    [
      'what is passed on',
      { 'a.js': 'export const x = 1;', 'b.js': "export { y } from './a.js';", 'c.js': "import { y } from './b.js';" },
      ['b.js:1 a.js does not export "y"; it exports x'],
    ],
    [
      'through stars',
      {
        'a.ts': 'export interface Shape {}\nexport enum Kind { A }',
        'index.ts': "export * from './a.js';\nexport type * from './a.js';",
        'c.ts': "import type { Shape, Kinds } from './index.js';\nimport { Kind } from '.';",
      },
      ['c.ts:1 index.ts does not export "Kinds"; did you mean "Kind"?'],
    ],
    [
      'taken from a dynamic import',
      {
        'a.js': 'export const x = 1;',
        'b.js':
          "const { y } = await import('./a.js');\n(await import('./a.js')).z();\nimport('./a.js').then(({ w }) => w());\nimport('./a.js').then((m) => m.v());",
      },
      [
        'b.js:3 a.js does not export "w"; it exports x',
        'b.js:1 a.js does not export "y"; it exports x',
        'b.js:2 a.js does not export "z"; it exports x',
        'b.js:4 a.js does not export "v"; it exports x',
      ],
    ],
    [
      'in markup and in types',
      {
        'a.tsx': 'export const Box = () => null;\nexport type Props = {};',
        'b.tsx': "import * as ui from './a';\nconst p: ui.Prop = {};\nexport const x = <ui.Bix />;",
      },
      [
        'b.tsx:3 a.tsx does not export "Bix"; did you mean "Box"?',
        'b.tsx:2 a.tsx does not export "Prop"; did you mean "Props"?',
      ],
    ],
    [
      'in a module that stands in a page',
      {
        'a.js': 'export const x = 1;',
        'p/index.html': '<p>\n<script type="module">\nimport { y } from "../a.js";\n</script>',
      },
      ['p/index.html:3 a.js does not export "y"; it exports x'],
    ],
    [
      'a file under a slightly different name',
      { 'user-store.ts': 'export const x = 1;', 'b.ts': "import { x } from './userStore';" },
      ['b.ts:1 there is no userStore; did you mean user-store.ts?'],
    ],
  ])('%s', (_, files, expected) => {
    expect(failures(files).toSorted()).toEqual(expected.toSorted());
  });
});

describe('what may be right is not reported', () => {
  it.each<[string, Record<string, string>]>([
    ['packages and aliases', { 'b.js': "import { x } from 'pkg';\nimport y from '@/a';\nimport z from '#a';" }],
    ['files that are not there', { 'b.js': "import { x } from './generated.js';" }],
    ['stars of what is not known', { 'a.js': "export * from 'pkg';", 'b.js': "import { x } from './a.js';" }],
    ['two files that fit', { 'a.js': '', 'a.ts': 'export const x = 1;', 'b.ts': "import { x } from './a';" }],
    [
      'a member that is asked after',
      { 'a.js': 'export const x = 1;', 'b.js': "import * as a from './a.js';\nif (a.y) a.y();" },
    ],
    [
      'another name in an inner scope',
      { 'a.js': 'export const x = 1;', 'b.js': "import * as a from './a.js';\nconst f = (a) => a.y();" },
    ],
    [
      'a module that tests replace',
      { 'a.js': '', 'b.test.js': "vi.mock('./a.js', () => ({ x: 1 }));\nimport { x } from './a.js';" },
    ],
    [
      'what is declared elsewhere',
      {
        'a.ts': 'export const x = 1;',
        'b.ts': "import { y } from './a';",
        'c.ts': "declare module './a' { export const y: 1; }",
      },
    ],
    [
      'a line excused',
      { 'a.ts': 'export const x = 1;', 'b.ts': "// @ts-expect-error not yet\nimport { y } from './a';" },
    ],
    ['a default export of an object', { 'a.js': 'export default {};', 'b.js': "import a from './a.js';\na.x();" }],
    ['export =', { 'a.ts': 'const x = { y: 1 };\nexport = x;', 'b.ts': "import { y } from './a';" }],
    [
      'names as strings, namespaces, patterns',
      {
        'a.ts':
          'const q = 1;\nexport { q as "odd name" };\nexport namespace N.M {}\nexport const { r, s: [t] } = {} as any;\nexport abstract class C {}\nexport declare function d(): void;',
        'b.ts': "import { 'odd name' as q, N, r, t, C, d } from './a';",
      },
    ],
  ])('%s', (_, files) => {
    expect(failures(files)).toEqual([]);
  });
});

describe('calls', () => {
  const exporter = [
    'export function add(a, b) { return a + b; }',
    'export const greet = (name, opts) => { if (opts) x(opts); return `hi ${name}`; };',
    'export function any(...all) {}',
    'export function old(a) { return arguments.length; }',
    'export class Store { constructor(path) { this.path = path.trim(); } }',
    'export class Plain {}',
    'export class Child extends Plain {}',
    'export const wrapped = memo((a) => a);',
    'export default function take({ a }) {}',
  ].join('\n');
  it.each<[string, string[]]>([
    ["import { add } from './a.js';\nadd(1);", ['b.js:2 "add" of a.js takes 2 arguments, but 1 is passed']],
    [
      "import { add as plus } from './a.js';\nplus(1, 2, 3);",
      ['b.js:2 "add" of a.js takes 2 arguments, but 3 are passed'],
    ],
    ["import * as a from './a.js';\na.add();", ['b.js:2 "add" of a.js takes 2 arguments, but 0 are passed']],
    ["import { Store } from './a.js';\nnew Store();", ['b.js:2 "Store" of a.js takes 1 argument, but 0 are passed']],
    ["import { Plain } from './a.js';\nnew Plain(1);", ['b.js:2 "Plain" of a.js takes 0 arguments, but 1 is passed']],
    ["import take from './a.js';\ntake();", ['b.js:2 the default export of a.js takes 1 argument, but 0 are passed']],
    [
      "import { greet } from './a.js';\ngreet('x');\ngreet(); ",
      ['b.js:3 "greet" of a.js takes at least 1 argument, but 0 are passed'],
    ],
    [
      "import { any, old, wrapped, Child } from './a.js';\nany(); any(1, 2); old(1, 2); wrapped(1, 2); new Child(1);",
      [],
    ],
    ["import { add } from './a.js';\nadd(...[1, 2]); [1].map(add); add.call(null, 1); const f = (add) => add(1);", []],
  ])('%s', (importer, expected) => {
    expect(failures({ 'a.js': exporter, 'b.js': importer })).toEqual(expected);
  });

  it('are not held against functions that may do without', () => {
    const a = [
      'export function one(a, b) { b = b || {}; return b.x; }',
      'export function two(a, b) { if (typeof a === "object") return a; return b.length; }',
      'export function three(a, cb) { a.then(() => cb()); }',
      'export function four(a, b) { return { a, b }; }',
      'export function five(a, b) { return b?.x; }',
    ].join('\n');
    const b = "import { one, two, three, four, five } from './a.js';\none(1); two({}); three(p); four(1); five(1);";
    expect(failures({ 'a.js': a, 'b.js': b })).toEqual([]);
  });

  it('follow the types of TypeScript, overloads too', () => {
    const a = [
      'export function f(this: Window, a: string, b?: number, c = 1): void {}',
      'export function g(a: string): void;',
      'export function g(a: string, b: number): void;',
      'export function g(...all: unknown[]) {}',
      'export const h: (a: string) => void = (a, b) => {};',
      'export function v(a: void | string) {}',
    ].join('\n');
    const b = "import { f, g, h, v } from './a.js';\nf();\nf('', 1, 2);\ng();\ng('', 1);\nh('', 1);\nv();";
    expect(failures({ 'a.ts': a, 'b.ts': b })).toEqual([
      'b.ts:2 "f" of a.ts takes at least 1 argument, but 0 are passed',
      'b.ts:4 "g" of a.ts takes at least 1 argument, but 0 are passed',
    ]);
  });

  it('are left alone in tests, where a wrong one may be the point', () => {
    expect(
      failures({ 'a.js': exporter, 'a.test.js': "import { add } from './a.js';\nexpect(() => add(1)).toThrow();" }),
    ).toEqual([]);
  });
});
