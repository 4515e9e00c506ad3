/** Text of any depth is read or refused, and never uses up the stack. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineCounter, parseDocument } from 'yaml';
import { mostAliases, readYaml } from '../../src/plan/read-yaml.ts';

describe('text that is nested without end', () => {
  it.each([
    ['lists', '['.repeat(20_000) + ']'.repeat(20_000), 1],
    ['lists that are not closed', `a: 1\nb: ${'['.repeat(20_000)}`, 2],
    ['maps', '{"a":'.repeat(8000) + '1' + '}'.repeat(8000), 1],
    ['items on a line', `${'- '.repeat(20_000)}x`, 1],
    ['keys on a line', `${'? '.repeat(20_000)}x`, 1],
    ['indented maps', Array.from({ length: 2000 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'), 201],
    ['both', `${'- '.repeat(150)}${'['.repeat(150)}`, 1],
  ])('%s', (_name, text, line) => {
    expect(readYaml(text).errors.map(({ message }) => message)).toEqual([
      `It is nested more than 200 levels deep at line ${line}`,
    ]);
    const lineCounter = new LineCounter();
    const [error] = readYaml(text, { lineCounter }).errors;
    expect(lineCounter.linePos(error?.pos[0] ?? -1).line).toBe(line);
  });
});

describe('aliases', () => {
  const nine = (name: string): string => `[${Array.from({ length: 9 }, () => `*${name}`).join(', ')}]`;
  const repeated = `a: &a [1]\nb: &b ${nine('a')}\nc: &c ${nine('b')}\nd: ${nine('c')}\n`;
  it.each([
    ['that lead nowhere', 'a: *missing', /Unresolved alias/],
    ['that lead back to themselves', 'a: &a [*a]', /leads back to what it is part of/],
    ['that make an enormous value', repeated, /Excessive alias count/],
  ])('%s are an error of the document', (_name, text, message) => {
    expect(readYaml(text).errors.map((error) => error.message)).toEqual([expect.stringMatching(message)]);
  });

  it('that repeat a value are read', () => {
    expect(readYaml('a: &a [1]\nb: *a').toJS({ maxAliasCount: mostAliases })).toEqual({ a: [1], b: [1] });
  });
});

describe('any other text', () => {
  it('is read as the parser reads it', () => {
    const long = `list:\n${'  - a: [1, {b: 2}]\n    c:\n      d: |\n        text\n'.repeat(2000)}`;
    expect(readYaml(long).toJS()).toEqual(parseDocument(long).toJS());
    const unit = fc.constantFrom('a', ':', ' ', '\n', '-', '[', ']', '{', '}', ',', '"', '#', '|', '?', '&', '*', '\t');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 150 }), (text) => {
        const [mine, theirs] = [readYaml(text), parseDocument(text)];
        if (mine.errors.some(({ code }) => code === 'BAD_ALIAS') && theirs.errors.length === 0) return;
        expect(mine.errors.map(({ message }) => message)).toEqual(theirs.errors.map(({ message }) => message));
      }),
    );
  });
});
