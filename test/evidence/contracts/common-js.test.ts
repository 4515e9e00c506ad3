/** Names and calls between CommonJS modules, and across the border to ES modules. */
import { describe, expect, it } from 'vitest';
import { failures } from './matter.ts';

describe('a missing name of a CommonJS module', () => {
  it.each<[string, string, string, string[]]>([
    [
      'destructured',
      'module.exports = { a, b };',
      "const { a, c } = require('./a');",
      ['b.js:1 a.js does not export "c"; it exports a, b'],
    ],
    [
      'a member',
      'exports.list = () => 1;',
      "const r = require('./a');\napp.get('/', r.lst);",
      ['b.js:2 a.js does not export "lst"; did you mean "list"?'],
    ],
    ['in place', 'module.exports.a = 1;', "require('./a').b();", ['b.js:1 a.js does not export "b"; it exports a']],
    [
      'both names for the exports',
      'exports = module.exports = { a: 1 };\nexports.b = 2;',
      "const { a, b, c } = require('./a');",
      ['b.js:1 a.js does not export "c"; it exports a, b'],
    ],
    [
      'from an ES module',
      'module.exports = { a: 1 };',
      "import { a, b } from './a.js';",
      ['b.js:1 a.js does not export "b"; it exports a'],
    ],
    [
      'of its default import',
      'exports.a = 1;',
      "import x from './a.js';\nx.b();",
      ['b.js:2 a.js does not export "b"; it exports a'],
    ],
    [
      'of a call',
      'exports.f = function (a) { return a.x; };',
      "const { f } = require('./a');\nf();\nf(1, 2);",
      [
        'b.js:2 "f" of a.js takes 1 argument, but 0 are passed',
        'b.js:3 "f" of a.js takes 1 argument, but 2 are passed',
      ],
    ],
    [
      'of a module that is a function',
      'module.exports = function (a) { return a.x; };',
      "const f = require('./a');\nf(1, 2);",
      ['b.js:2 the default export of a.js takes 1 argument, but 2 are passed'],
    ],
  ])('%s', (_, exporter, importer, expected) => {
    expect(failures({ 'a.js': exporter, 'b.js': importer })).toEqual(expected);
  });
});

describe('what may be right is not reported', () => {
  it.each<[string, string, string]>([
    ['a factory', 'module.exports = make();', "const { x } = require('./a');"],
    ['a spread', "module.exports = { ...require('./c') };", "const { x } = require('./a');"],
    ['computed names', 'for (const k of all) exports[k] = 1;', "const { x } = require('./a');"],
    ['a name for the exports', 'const api = (module.exports = {});\napi.x = 1;', "require('./a').x();"],
    [
      'the universal wrapper',
      "(function (root, f) { if (typeof module === 'object') module.exports = f(); else root.x = f(); })(this, () => 1);",
      "require('./a').x();",
    ],
    ['a class with members', 'class A {}\nA.x = 1;\nmodule.exports = A;', "const A = require('./a');\nA.x();"],
    ['what is set from outside', 'exports.a = 1;', "const a = require('./a');\na.x = 1;\na.x();"],
    ['what is handed on', 'exports.a = 1;', "const a = require('./a');\nObject.assign(a, more);\na.x();"],
    ['a default in the pattern', 'exports.a = 1;', "const { x = 1 } = require('./a');"],
    ['a try', 'exports.a = 1;', "try { require('./a').x(); } catch {}"],
    ['inherited members', 'exports.a = 1;', "require('./a').hasOwnProperty('a');"],
    ['either form of a default', 'export default function f() {}', "const f = require('./a');\nf.x(); f(1);"],
    ['AMD', 'define([], () => 1);', "const { x } = require('./a');"],
  ])('%s', (_, exporter, importer) => {
    expect(failures({ 'a.js': exporter, 'b.js': importer })).toEqual([]);
  });
});
