/** What lies in product files and decides what checks say: examples that are run, comments that take a file out of a check. */
import { describe, expect, it } from 'vitest';
import { changedExamples, holdsExamples } from '../../../src/evidence/weakened/doc-examples.ts';
import { weakenedEvidence } from '../weakened-evidence.ts';

const python = (...lines: readonly string[]): string =>
  `def add(a, b):\n    """\n${lines.map((line) => `    ${line}\n`).join('')}    """\n    return a + b\n`;
const changed = (path: string, before: string, after: string) => changedExamples([{ path, before, after }]);

describe('an example that is run', () => {
  const before = python('>>> add(1, 2)', '3');
  it('is shown where something else is expected, or it is gone', () => {
    expect(changed('a.py', before, python('>>> add(1, 2)', '42'))).toEqual([
      { path: 'a.py', test: '>>> add(1, 2)', before: ['3'], after: ['42'] },
    ]);
    expect(changed('a.py', before, python())).toMatchObject([{ after: [] }]);
    const rust = (value: number) => `/// \`\`\`\n/// assert_eq!(add(1, 2), ${value});\n/// \`\`\`\npub fn add() {}\n`;
    expect(changed('src/lib.rs', rust(3), rust(42))).toMatchObject([{ before: ['/// assert_eq!(add(1, 2), 3);'] }]);
  });

  it('is not shown where it is the same, moved, or new', () => {
    expect(changed('a.py', before, python('>>> add(2, 2)', '4', '', '>>> add(1, 2)', '3'))).toEqual([]);
    expect([holdsExamples('a.py', before), holdsExamples('a.py', 'x = 1 >>> 2\n')]).toEqual([true, false]);
  });
});

describe('a comment that takes a whole file out of a check', () => {
  const found = (path: string, before: string, after: string) =>
    weakenedEvidence([{ path, before, after }]).map(({ kind, line }) => `${kind} ${line}`);

  it.each([
    ['src/a.ts', '// @ts-nocheck\n'],
    ['src/a.js', '/* eslint-disable */\n'],
    ['src/a.js', '/* istanbul ignore file */\n'],
    ['src/a.ts', '// biome-ignore-all lint: later\n'],
    ['a.py', '# mypy: ignore-errors\n'],
    ['a.py', '# ruff: noqa\n'],
    ['a.py', '# pylint: skip-file\n'],
    ['src/lib.rs', '#![allow(warnings)]\n'],
  ])('is found in %s: %s', (path, comment) => {
    expect(found(path, 'x\n', `${comment}x\n`)).toEqual(['check-silenced 1']);
    expect(found(path, `${comment}x\n`, `${comment}y\n`)).toEqual([]);
  });

  it.each([
    ['src/a.js', '// eslint-disable-next-line no-console\n'],
    ['src/a.js', '/* eslint-disable no-console */\n'],
    ['src/a.ts', '// @ts-expect-error\n'],
    ['a.py', 'x = 1  # noqa: E501\n'],
    ['src/a.js', 'const text = "/* eslint-disable */";\n'],
  ])('is not found in %s: %s', (path, comment) => {
    expect(found(path, 'x\n', `${comment}x\n`)).toEqual([]);
  });
});
