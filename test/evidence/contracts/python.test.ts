/** Names and calls between Python files. */
import { describe, expect, it } from 'vitest';
import { failures } from './matter.ts';

describe('a missing name', () => {
  it.each<[string, Record<string, string>, string[]]>([
    [
      'of a module',
      { 'a.py': 'def load(): pass\n', 'b.py': 'from a import lood\n' },
      ['b.py:1 a.py does not export "lood"; did you mean "load"?'],
    ],
    [
      'relative',
      { 'p/__init__.py': '', 'p/a.py': 'X = 1\n', 'p/b.py': 'from .a import X, Y\nfrom . import a, q\n' },
      [
        'p/b.py:2 p/__init__.py does not export "q"; it exports nothing',
        'p/b.py:1 p/a.py does not export "Y"; it exports X',
      ],
    ],
    [
      'an attribute',
      { 'src/p/__init__.py': '', 'src/p/a.py': 'x = 1\n', 'main.py': 'import p.a\nimport p.a as m\n\np.a.y()\nm.z\n' },
      [
        'main.py:4 src/p/a.py does not export "y"; it exports x',
        'main.py:5 src/p/a.py does not export "z"; it exports x',
      ],
    ],
    [
      'an attribute of a module that was imported as a name',
      { 'p/__init__.py': '', 'p/a.py': 'x = 1\n', 'b.py': 'from p import a\na.y()\n' },
      ['b.py:2 p/a.py does not export "y"; it exports x'],
    ],
    [
      'through a star, which takes what the list says',
      {
        'a.py': '__all__ = ["x"]\nx = 1\ny = 2\n',
        'm.py': 'from a import *\n',
        'b.py': 'from m import x, y\nfrom a import y as z\n',
      },
      ['b.py:1 m.py does not export "y"; it exports x'],
    ],
  ])('%s', (_, files, expected) => {
    expect(failures(files)).toEqual(expected);
  });
});

describe('what may be right is not reported', () => {
  it.each<[string, Record<string, string>]>([
    ['the standard library, whatever lies beside', { 'json.py': '', 'b.py': 'from json import loads\n' }],
    ['packages', { 'b.py': 'from flask import Flask\nimport numpy as np\nnp.x()\n' }],
    ['__getattr__', { 'a.py': 'def __getattr__(n): pass\n', 'b.py': 'from a import x\n' }],
    ['names made while it runs', { 'a.py': 'globals()["x"] = 1\n', 'b.py': 'from a import x\n' }],
    ['stars of what is not known', { 'a.py': 'from flask import *\n', 'b.py': 'from a import x\n' }],
    ['a try', { 'a.py': '', 'b.py': 'try:\n    from a import x\nexcept ImportError:\n    x = None\n' }],
    ['what only checkers of types read', { 'a.py': '', 'b.py': 'if typing.TYPE_CHECKING:\n    from a import x\n' }],
    ['a stub', { 'a.py': '', 'a.pyi': 'x: int', 'b.py': 'from a import x\n' }],
    [
      'an attribute that is set, or asked after',
      { 'a.py': '', 'b.py': 'import a\na.x = 1\na.x()\n', 'c.py': 'import a\ngetattr(a, "y")\na.y()\n' },
    ],
    [
      'a submodule, and the module’s own names',
      { 'p/__init__.py': '', 'p/a.py': '', 'b.py': 'from p import a, __name__\nimport p\np.a\n' },
    ],
    [
      'every way to bind a name',
      {
        'a.py':
          'import os.path\nx, (y, *z) = 1, (2, 3)\nfor i in []: pass\nwith o() as w: pass\nif (n := 1): pass\ntry: pass\nexcept E as e: pass\ntype T = int\nclass C: pass\nq: int = 1\ndef f():\n    global g\n    g = 1\n',
        'b.py': 'from a import os, x, y, z, i, w, n, e, T, C, q, f, g\n',
      },
    ],
    ['another name of the same spelling', { 'a.py': '', 'b.py': 'import a\ndef f(a):\n    a.x()\n' }],
  ])('%s', (_, files) => {
    expect(failures(files)).toEqual([]);
  });
});

describe('calls', () => {
  const exporter = [
    'def f(a, b, *, c, d=1): pass',
    'def g(a, b=2): pass',
    'def h(*args, **kw): pass',
    'def p(a, /, b): pass',
    '@decorated',
    'def w(a): pass',
    'class C:',
    '    def __init__(self, x): pass',
    'class E: pass',
    'class D(C): pass',
    '@dataclass',
    'class R:',
    '    x: int',
    '',
  ].join('\n');
  it.each<[string, string[]]>([
    ['f(1, 2, c=3)', []],
    ['f(1, 2)', ['"f" of a.py is called without "c"']],
    ['f(1, 2, 3, c=4)', ['"f" of a.py takes 2 arguments, but 3 are passed']],
    ['f(1, 2, c=3, e=4)', ['"f" of a.py has no parameter "e"; it has a, b, c, d']],
    ['g(1, a=2)', ['"g" of a.py is passed "a" twice']],
    ['g()', ['"g" of a.py is called without "a"']],
    ['p(a=1, b=2)', ['"p" of a.py has no parameter "a"; it has b']],
    ['C()', ['"C" of a.py is called without "x"']],
    ['E(1)', ['"E" of a.py takes 0 arguments, but 1 is passed']],
    ['h(1, x=2); w(); D(); R(1, 2); f(*x); g(**x); g(i for i in x)', []],
    ['g(\n    1,  # a, b\n    2,\n)', []],
    ['try:\n    g()\nexcept TypeError: pass', []],
  ])('%s', (call, expected) => {
    const importer = `from a import f, g, h, p, w, C, D, E, R\n${call}\n`;
    expect(failures({ 'a.py': exporter, 'b.py': importer })).toEqual(expected.map((text) => `b.py:2 ${text}`));
  });
});
