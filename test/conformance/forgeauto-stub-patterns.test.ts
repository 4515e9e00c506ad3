/** Signs of a stub, line by line, and that a file is only called one where the syntax agrees. */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { findStubs, stubSign } from '../../src/evidence/syntax/stubs.ts';
import { readVectors } from './read-vectors.ts';

const cases = readVectors('forgeauto-stub-patterns', z.object({ line: z.string(), expect: z.string().nullable() }));

it('has all of them', () => expect(cases).toHaveLength(10));

it.each(cases)('$line', ({ line, expect: wanted }) => {
  expect(stubSign(line) ?? null).toBe(wanted);
});

it('does not call a function a stub that returns null among other things', () => {
  const text = 'function find(all, id) {\n  if (all.length === 0) {\n    return null;\n  }\n  return all[id];\n}\n';
  expect(findStubs('src/a.js', text)).toEqual([]);
});

it('calls a function a stub that only returns null', () => {
  expect(findStubs('src/a.ts', 'export function find(): string | null {\n  return null;\n}\n')).toEqual([
    { line: 2, sign: 'return_null_function' },
  ]);
});

it('takes no word of a comment or a string for code', () => {
  const text = '// function foo() {}\nconst text = `\n  return null;\n`;\nexport const shown = text;\n';
  expect(findStubs('src/a.js', text)).toEqual([]);
});

it("looks for a plan's own signs instead", () => {
  expect(findStubs('src/a.py', 'def a():\n    raise NotImplementedError\n', ['NotImplementedError'])).toEqual([
    { line: 2, sign: 'NotImplementedError' },
  ]);
});
