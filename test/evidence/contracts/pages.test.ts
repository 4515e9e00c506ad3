/** Scripts of a page: their order, and the members of the globals they share. */
import { describe, expect, it } from 'vitest';
import { check, failures } from './matter.ts';

const page = (...scripts: string[]): string =>
  `<!doctype html>\n<!-- <script src="gone.js"></script> -->\n${scripts.map((each) => (each.startsWith('<') ? each : `<script src="${each}"></script>`)).join('\n')}\n`;

describe('a global that comes too late, or not at all', () => {
  it.each<[string, Record<string, string>, string[]]>([
    [
      'defined by a later script',
      { 'i.html': page('app.js', 'store.js'), 'app.js': 'Store.load();', 'store.js': 'const Store = { load() {} };' },
      ['app.js:1 needs "Store" while it loads, but i.html loads store.js, which defines it, only later'],
    ],
    [
      'used in a function called in place, and in the page itself',
      {
        'w/i.html': page('./js/app.js', '<script>\nrun(Store);\n</script>', '/w/js/store.js?v=1'),
        'w/js/app.js': '(function () {\n  Store.load();\n})();',
        'w/js/store.js': 'window.Store = { load() {} };',
      },
      [
        'w/i.html:5 needs "Store" while it loads, but w/i.html loads w/js/store.js, which defines it, only later',
        'w/js/app.js:2 needs "Store" while it loads, but w/i.html loads w/js/store.js, which defines it, only later',
      ],
    ],
    [
      'a deferred script runs last',
      { 'i.html': page('<script defer src="a.js"></script>', 'b.js'), 'a.js': 'var A = 1;', 'b.js': 'use(A);' },
      ['b.js:1 needs "A" while it loads, but i.html loads a.js, which defines it, only later'],
    ],
    [
      'a member it does not have',
      {
        'i.html': page('a.js', 'b.js'),
        'a.js': 'var App = (function () { function start() {} return { start }; })();',
        'b.js': 'addEventListener("load", () => App.strt());',
      },
      ['b.js:1 "App" of a.js has no "strt"; did you mean "start"?'],
    ],
    [
      'a different spelling',
      { 'i.html': page('a.js', 'b.js'), 'a.js': 'class GameBoard {}', 'b.js': 'new Gameboard();' },
      ['b.js:1 no script of i.html defines "Gameboard"; did you mean "GameBoard" of a.js?'],
    ],
  ])('%s', (_, files, expected) => {
    expect(failures(files)).toEqual(expected);
  });
});

describe('what may be right is not reported', () => {
  it.each<[string, Record<string, string>]>([
    ['the right order', { 'i.html': page('a.js', 'b.js'), 'a.js': 'const A = { x: 1 };', 'b.js': 'A.x;' }],
    [
      'used later, or under a condition',
      {
        'i.html': page('a.js', 'b.js'),
        'a.js':
          'function f() { B.x(); }\nif (document.readyState !== "loading") B.x();\naddEventListener("load", () => B.x());\ntypeof B;\n(function () { if (y()) return; B.x(); })();',
        'b.js': 'var B = { x() {} };',
      },
    ],
    [
      'browsers and libraries',
      {
        'i.html': page('<script src="https://cdn/jq.js"></script>', 'a.js', 'b.js'),
        'a.js': '$(document); new URL(location); React.x;',
        'b.js': 'var $ = jQuery.noConflict();',
      },
    ],
    [
      'a script that is not known',
      { 'i.html': page('dist/all.js', 'a.js', 'b.js'), 'a.js': 'B.x();', 'b.js': 'var B = {};' },
    ],
    [
      'members that others set',
      {
        'i.html': page('a.js', 'b.js', 'c.js'),
        'a.js': 'var App = App || {};\nvar Bus = { on() { this.all = []; } };\nvar Ext = {};',
        'b.js': 'App.views = {};\nmix(Ext, {});',
        'c.js': 'App.views.x; Bus.all.push(1); Ext.anything(); if (App.maybe) App.maybe();',
      },
    ],
    [
      'templates',
      {
        'i.html': page('a.js', '<script>var x = {{ data }};</script>', 'b.js'),
        'a.js': 'B.x();',
        'b.js': 'var B = {};',
      },
    ],
    [
      'asynchronous scripts and data',
      {
        'i.html': page('<script async src="b.js"></script>', '<script type="application/json">{</script>', 'a.js'),
        'a.js': 'B.x();',
        'b.js': 'var B = { x() {} };',
      },
    ],
    [
      'two definitions',
      { 'i.html': page('a.js', 'b.js', 'c.js'), 'a.js': 'var S = { a: 1 };', 'b.js': 'S = make(S);', 'c.js': 'S.b();' },
    ],
  ])('%s', (_, files) => {
    expect(failures(files)).toEqual([]);
  });

  it('what fits is a result too', () => {
    const files = { 'i.html': page('a.js', 'b.js'), 'a.js': 'const A = { x: 1 };', 'b.js': 'A.x;' };
    expect(check(files).at(-1)).toEqual({
      type: 'contract_check',
      passed: true,
      file: 'b.js',
      line: 0,
      exporter: 'a.js',
      message: '',
      name: 'contract b.js -> a.js',
    });
  });
});
