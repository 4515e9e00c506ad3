/** Texts that would keep the parser busy forever are refused, and no code is. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from '@babel/parser';
import { describe, expect, it } from 'vitest';
import { parseJs } from '../../src/evidence/contracts/js-parse.ts';
import { parseBounded } from '../../src/evidence/parse-bounded.ts';
import { jsOutline } from '../../src/evidence/weakened/js-outline.ts';

/** Each doubles the work with every level; strings, comments and templates are there to lead astray. */
const nests: readonly (readonly [string, string])[] = [
  ['<T>(', ''],
  ['<T>(', ')'],
  ['<T>(x = ', ')'],
  ['<T>(//)a\n', ')'],
  ['<T>(/*)*/', ')'],
  ['<T>(1, ', ')'],
  ['<T>(function () {; return ', '})'],
  ['`${<T>(', ')}`'],
  ['x<T>(', ''],
  ['(1)<T>(', ''],
  ['async <T>(', ''],
  ['<T>(class { x = ', '})'],
];

describe('a text that the parser would read over and over', () => {
  it.each(nests)('is refused: %j', (open, close) => {
    const source = `${open.repeat(24)}1${close.repeat(24)}`;
    expect(() => parseBounded(source, { plugins: ['typescript'] })).toThrow();
  });

  it('is refused by both readers, small or large', () => {
    for (const source of ['<T>('.repeat(20), '<T>('.repeat(400)]) {
      expect(['unread', 'broken']).toContain(parseJs('a.ts', source).status);
      expect(jsOutline('a.test.ts', source)).toBeUndefined();
    }
  });
});

it('reads code as the parser does', () => {
  const directory = join(import.meta.dirname, '../../src/evidence/contracts');
  const names = readdirSync(directory).filter((name) => name.endsWith('.ts'));
  expect(names.length).toBeGreaterThan(5);
  for (const name of names) {
    const source = readFileSync(join(directory, name), 'utf8');
    const options = { sourceType: 'module', plugins: ['typescript'] } as const;
    expect(JSON.stringify(parseBounded(source, { ...options, plugins: ['typescript'] }))).toBe(
      JSON.stringify(parse(source, { ...options, plugins: ['typescript'] })),
    );
  }
});

it('still reads generics within generics, as deep as anybody writes them', () => {
  const source = `${'f<T>(<U>(x: U) => '.repeat(6)}1${')'.repeat(6)};\n`;
  expect(parseJs('a.ts', source).status).toBe('tree');
});
