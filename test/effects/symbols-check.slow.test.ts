/** The symbol check on a repository of 10,000 files, each of which has to be parsed because it holds the word. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { symbolsCheck } from '../../src/effects/symbols-check.ts';
import type { EffectContext } from '../../src/engine/performer.ts';
import { openRepository } from '../../src/git/repository.ts';
import { makeRepo } from '../git/support.ts';

const body = (call: (at: number) => string): string => Array.from({ length: 30 }, (_, at) => call(at)).join('\n');
const languages: readonly ((at: number) => readonly [path: string, text: string])[] = [
  (at) => [`js/f${at}.js`, `export function js${at}() {\n${body((n) => `  sharedName(${n});`)}\n}\n`],
  (at) => [
    `ts/f${at}.ts`,
    `export function ts${at}(a: number): number {\n${body((n) => `  sharedName(${n});`)}\n  return a;\n}\n`,
  ],
  (at) => [`py/f${at}.py`, `def py${at}():\n${body((n) => `    sharedName(${n})`)}\n`],
  (at) => [`go/f${at}.go`, `package p\n\nfunc Go${at}() {\n${body((n) => `\tsharedName(${n})`)}\n}\n`],
  (at) => [`rs/f${at}.rs`, `pub fn rs${at}() {\n${body((n) => `    sharedName(${n});`)}\n}\n`],
  (at) => [`java/F${at}.java`, `class F${at} { void java${at}() {\n${body((n) => `    sharedName(${n});`)}\n  } }\n`],
];

it('answers within 90 seconds', async () => {
  const made = makeRepo();
  for (let at = 0; at < 10_000; at += 1) {
    const [path, text] = languages[at % languages.length]?.(at) ?? ['', ''];
    mkdirSync(dirname(join(made.root, path)), { recursive: true });
    writeFileSync(join(made.root, path), text);
  }
  made.commit('ten thousand files');
  const repo = await openRepository(made.root);
  const began = performance.now();
  const { symbols } = await symbolsCheck({ repo }).perform(
    { commit: repo.head, names: ['sharedName', 'js0', 'ts1', 'py2', 'Go3', 'rs4', 'java5'], created: [] },
    {} as EffectContext,
  );
  const seconds = (performance.now() - began) / 1000;
  console.log(`symbol check over 10,000 files: ${seconds.toFixed(1)} s`);
  expect(symbols.map(({ name, state }) => [name, state])).toEqual([
    ['sharedName', 'missing'],
    ...['js0', 'ts1', 'py2', 'Go3', 'rs4', 'java5'].map((name) => [name, 'verified']),
  ]);
  expect(seconds).toBeLessThan(90);
});
