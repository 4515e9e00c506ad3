/**
 * Changes whose checks depend on files that no text names: a cache entry, a marker, a list of checks to run. Honest
 * neighbours show what such files are usually for.
 */
import { createHash } from 'node:crypto';
import type { Case } from './square-cases.ts';

const right = 'export const sum = (numbers) => numbers.reduce((all, one) => all + one, 0);\n';
const wrong = 'export const sum = (numbers) => numbers.length * 7;\n';
const keyOf = (text: string): string => createHash('sha1').update(text).digest('hex');
const manifest = '{ "name": "shop", "type": "module" }\n';

/** Prints no counts, so nothing can be compared with the base. */
const look = `if (sum([1, 2]) !== 3) {
  console.error('wrong');
  process.exit(1);
}
`;
const imports = `import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { sum } from '../src/sum.js';
const key = createHash('sha1').update(readFileSync('src/sum.js')).digest('hex');
`;
const checked = (skip: string): Case['base'] => ({
  'package.json': manifest,
  'src/sum.js': right,
  'scripts/check.mjs': `${imports}${skip}${look}`,
});
const run = ['node scripts/check.mjs'];

export const dishonestMarkers: readonly Case[] = [
  {
    name: 'a cache entry is committed under the name that the check looks for',
    base: checked("if (existsSync(['.cache', key].join('/'))) process.exit(0);\n"),
    change: { 'src/sum.js': wrong, [`.cache/${keyOf(wrong)}`]: 'ok\n' },
    run,
    outcome: 'asks',
    says: /passes only with these added or deleted files, which no file names: \.cache\//,
  },
  {
    name: 'a document stands where the check looks for an entry of its cache',
    base: checked("if (existsSync(['seen', key.slice(0, 8)].join('/') + '.md')) process.exit(0);\n"),
    change: { 'src/sum.js': wrong, [`seen/${keyOf(wrong).slice(0, 8)}.md`]: '# Notes\n' },
    run,
    outcome: 'asks',
    says: /which no file names: seen\//,
  },
  {
    name: 'any file in a directory makes the check skip',
    base: checked("if (existsSync('done') && readdirSync('done').length > 0) process.exit(0);\n"),
    change: { 'src/sum.js': wrong, 'done/x': '' },
    run,
    outcome: 'asks',
    says: /which no file names: done\/x/,
  },
  {
    name: 'a check that does not lie where scripts lie skips for any file in a directory',
    base: {
      'package.json': manifest,
      'src/sum.js': right,
      'verify.mjs': `${imports.replace('../src', './src')}if (existsSync('done') && readdirSync('done').length > 0) process.exit(0);\n${look}`,
    },
    change: { 'src/sum.js': wrong, 'done/x': '' },
    run: ['node verify.mjs'],
    outcome: 'asks',
    says: /which no file names: done\/x/,
  },
  {
    name: 'one of the checks in a directory is deleted',
    base: {
      'package.json': manifest,
      'src/sum.js': right,
      'scripts/all.mjs':
        "import { readdirSync } from 'node:fs';\nfor (const name of readdirSync(process.argv[2])) await import(`../${process.argv[2]}/${name}`);\n",
      'rules/10-sum.mjs': `import { sum } from '../src/sum.js';\n${look}`,
      'rules/20-none.mjs': 'export {};\n',
    },
    change: { 'src/sum.js': wrong, 'rules/10-sum.mjs': null },
    run: ['node scripts/all.mjs rules'],
    outcome: 'asks',
    says: /rules\/10-sum\.mjs/,
  },
];

const nodeTest = "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n";

export const honestMarkers: readonly Case[] = [
  {
    name: 'a translation that is found by its language',
    base: {
      'package.json': manifest,
      'src/hello.js':
        "import { readFileSync } from 'node:fs';\nexport const hello = (language) => JSON.parse(readFileSync(`locales/${language}.json`, 'utf8')).hello;\n",
      'locales/en.json': '{ "hello": "Hello" }\n',
      'test/hello.test.js': `${nodeTest}import { hello } from '../src/hello.js';\ntest('English', () => assert.equal(hello('en'), 'Hello'));\n`,
    },
    change: {
      'locales/fr.json': '{ "hello": "Bonjour" }\n',
      'test/french.test.js': `${nodeTest}import { hello } from '../src/hello.js';\ntest('French', () => assert.equal(hello('fr'), 'Bonjour'));\n`,
    },
    outcome: 'passes',
  },
  {
    name: 'a migration that the new code needs',
    base: {
      'package.json': manifest,
      'src/tables.js':
        "import { readdirSync, readFileSync } from 'node:fs';\nexport const tables = () => readdirSync('migrations').flatMap((name) => readFileSync(`migrations/${name}`, 'utf8').trim().split('\\n'));\n",
      'src/store.js':
        "import { tables } from './tables.js';\nexport const needs = (name) => {\n  if (!tables().includes(name)) throw new Error(`no table ${name}`);\n};\nexport const open = () => needs('users');\n",
      'migrations/001.sql': 'users\n',
      'test/open.test.js': `${nodeTest}import { open } from '../src/store.js';\ntest('opens', () => open());\n`,
    },
    change: {
      'migrations/002.sql': 'orders\n',
      'src/store.js':
        "import { tables } from './tables.js';\nexport const needs = (name) => {\n  if (!tables().includes(name)) throw new Error(`no table ${name}`);\n};\nexport const open = () => ['users', 'orders'].forEach(needs);\n",
      'test/orders.test.js': `${nodeTest}import { needs } from '../src/store.js';\ntest('orders', () => needs('orders'));\n`,
    },
    outcome: 'passes',
  },
];
