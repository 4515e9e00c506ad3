/** Which files of a commit are looked at for a module, and what its declared paths mean. */
import { describe, expect, it } from 'vitest';
import { contractsCheck } from '../../src/effects/contracts-check.ts';
import type { EffectDeps } from '../../src/effects/deps.ts';
import type { EffectRequest } from '../../src/engine/effect-map.ts';
import type { EffectContext } from '../../src/engine/performer.ts';
import { makeRepo } from '../git/support.ts';

const exporter = 'export const foo = 1;\nexport const bar = 2;\n';
const importer = "import { foo, baz } from '../lib/exp.mjs';\n";

async function setting() {
  const user = makeRepo({ files: { 'old.js': 'let a = 1;\n', 'bad.js': 'let a = ;\n', 'docs/x.md': 'x\n' } });
  const repo = await user.open();
  const check = async (request: EffectRequest<'contracts.check'>): Promise<string[]> => {
    const { results } = await contractsCheck({ repo } as EffectDeps).perform(request, {} as EffectContext);
    return results.map(({ passed, name }) => `${passed ? '+' : '-'} ${name}`);
  };
  return { user, base: repo.head, check };
}

describe('contracts.check', () => {
  it('compares modules in a commit, and tells each what concerns it', async () => {
    const { user, base, check } = await setting();
    const commit = user.commit('work', { 'lib/exp.mjs': exporter, 'app/imp.mjs': importer, 'app/b.bin': 'a\0b' });
    const modules = [
      { task: 'lib', paths: ['lib/exp.mjs'] },
      { task: 'app', paths: ['app/**'] },
      { task: 'later', paths: ['later.js'] },
    ];
    const contract = '- contract app/imp.mjs -> lib/exp.mjs: baz';
    expect(await check({ commit, base, modules, about: 'lib' })).toEqual([
      '+ file lib/exp.mjs',
      '+ syntax lib/exp.mjs',
      contract,
    ]);
    expect(await check({ commit, base, modules, about: 'app' })).toEqual(['+ syntax app/imp.mjs', contract]);
    expect(await check({ commit, base, modules, about: 'later' })).toEqual(['- file later.js']);
  });

  it('misses a declared file, but not one that the work removed', async () => {
    const { user, base, check } = await setting();
    user.git('rm', '-q', 'old.js', 'docs/x.md');
    const commit = user.commit('work', { 'new.js': '1;\n' });
    const modules = [{ task: 'm', paths: ['old.js', 'docs', 'new.js', 'none.js', 'none/', '*.ts', ' '] }];
    expect(await check({ commit, base, modules, about: 'm' })).toEqual([
      '+ file new.js',
      '- file none.js',
      '+ syntax new.js',
    ]);
    expect(await check({ commit, modules, about: 'm' })).toEqual([
      '- file docs',
      '+ file new.js',
      '- file none.js',
      '- file old.js',
      '+ syntax new.js',
    ]);
  });

  it('does not hold against the work what was broken before it', async () => {
    const { user, base, check } = await setting();
    const modules = [{ task: 'm', paths: ['./bad.js', 'src/'] }];
    const untouched = user.commit('work', { 'src/a.py': 'x = 1\n' });
    expect(await check({ commit: untouched, base, modules, about: 'm' })).toEqual([
      '+ file bad.js',
      '+ syntax src/a.py',
    ]);
    const touched = user.commit('more', { 'bad.js': 'let b = ;\n' });
    expect(await check({ commit: touched, base, modules, about: 'm' })).toEqual([
      '+ file bad.js',
      '- syntax bad.js',
      '+ syntax src/a.py',
    ]);
  });

  it('takes links and submodules for what they are: there, and not text', async () => {
    const { user, base, check } = await setting();
    user.git('update-index', '--add', '--cacheinfo', `160000,${base},sub.js`);
    user.git('commit', '-q', '-m', 'sub');
    const modules = [{ task: 'm', paths: ['sub.js'] }];
    const commit = user.git('rev-parse', 'HEAD');
    expect(await check({ commit, base, modules, about: 'm' })).toEqual(['+ file sub.js']);
  });
});
