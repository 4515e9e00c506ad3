import { describe, expect, it } from 'vitest';
import { aliasesIn, isUsedBy } from '../../src/evidence/file-users.ts';

const uses = (from: string, text: string, path: string, aliases: readonly string[] = []) =>
  isUsedBy({ path: from, text }, path, aliases);

describe('a file uses another', () => {
  it.each([
    ['test/a.test.js', "readdirSync('cases')", 'cases/zebra.json'],
    ['test/a.test.js', "new URL('../cases/', import.meta.url)", 'cases/zebra.json'],
    ['scripts/check.mjs', "readdirSync('./known')", 'known/zebra.json'],
    ['test/a.test.js', "glob('data/sums/*.json')", 'data/sums/zebra.json'],
    ['test/a.test.js', '`data/sums/${name}.json`', 'data/sums/zebra.json'],
    ['test/a.test.js', 'import(`../cases/${name}`)', 'cases/zebra.js'],
    ['Makefile', 'test:\n\tfor r in rules/*; do node $$r; done', 'rules/zebra.mjs'],
    ['test/run.sh', 'diff out.tmp data/expected.txt', 'data/expected.txt'],
    ['test/a.test.js', "import { same } from 'tiny'", 'node_modules/tiny/lib/index.js'],
    ['test/a.test.js', "import { same } from '@acme/tiny/same'", 'node_modules/@acme/tiny/same.js'],
  ])('%s: %s means %s', (from, text, path) => {
    expect(uses(from, text, path)).toBe(true);
  });

  it.each([
    ['test/a.test.js', "import { b } from '../src/b.js'", 'src/zebra.js'],
    ['test/a.test.js', "new URL('../src/', import.meta.url)", 'src/zebra.js'],
    ['test/a.test.js', "join('..', 'x')", 'data/zebra.json'],
    ['test/a.test.js', "import { same } from 'tiny'", 'node_modules/tinier/index.js'],
  ])('%s: %s does not mean %s', (from, text, path) => {
    expect(uses(from, text, path)).toBe(false);
  });

  it('by a name that a manifest or a configuration gives it', () => {
    const manifest = { path: 'package.json', text: '{ "imports": { "#kit": { "default": "./lib/same.js" } } }' };
    expect(aliasesIn(manifest, 'lib/same.js')).toEqual(['#kit']);
    const config = { path: 'vitest.config.js', text: "alias: { '@kit': new URL('./lib/same.js', import.meta.url) }" };
    expect(aliasesIn(config, 'lib/same.js')).toEqual(['@kit']);
    expect(uses('test/a.test.js', "import { is } from '#kit'", 'lib/same.js', ['#kit'])).toBe(true);
    expect(uses('test/a.test.js', "import { is } from '#kit'", 'lib/same.js')).toBe(false);
  });
});
