/** A search for words finds what `git grep` finds, reads each file once, and listings follow what differs. */
import { describe, expect, it } from 'vitest';
import { holdSameFiles, listFiles } from '../../src/git/changes.ts';
import { gitStarted } from '../../src/git/run-git.ts';
import { filesWithWords } from '../../src/git/search.ts';
import { listTree } from '../../src/git/tree-objects.ts';
import { makeRepo } from './support.ts';

const files = {
  'a.txt': 'import { one } from "./src/alpha";\n',
  'src/alpha.ts': 'export const beta = 1;\n'.repeat(300),
  'src/gamma.ts': `${'x'.repeat(40_000)} alphabet\n`,
  'binary.bin': Buffer.from('alpha\0alpha'),
  'late.bin': Buffer.from(`${'y'.repeat(9000)}\0 alpha`),
  'ümläut.txt': 'größe alpha\n',
  empty: '',
  two: 'ab',
};

function grep(repo: ReturnType<typeof makeRepo>, commit: string, words: readonly string[]): readonly string[] {
  try {
    const found = repo.git(
      '-c',
      'core.quotePath=false',
      'grep',
      '-lIF',
      ...words.flatMap((word) => ['-e', word]),
      commit,
    );
    return found.split('\n').map((line) => line.slice(commit.length + 1));
  } catch {
    return [];
  }
}

describe('a search for words', () => {
  it('finds what git finds, without a process per search', async () => {
    const repo = makeRepo({ files });
    const opened = await repo.open();
    const first = repo.git('rev-parse', 'HEAD');
    const second = repo.commit('more', {
      'src/alpha.ts': 'nothing\n',
      'src/new.ts': 'alpha beta\n',
      'z/deep/x': 'größe',
    });
    const asked = [
      ['alpha'],
      ['beta'],
      ['größe', 'nowhere'],
      ['alphabet'],
      ['./src/'],
      ['not there'],
      ['xxxx'],
      ['abc'],
    ];
    gitStarted.clear();
    for (const commit of [first, second]) {
      for (const words of asked)
        expect([...(await filesWithWords(opened, commit, words))].sort()).toEqual(
          [...grep(repo, commit, words)].sort(),
        );
    }
    expect(gitStarted.get('grep')).toBeUndefined();
    // Too short for what is remembered of a file.
    expect([...(await filesWithWords(opened, first, ['ab']))].sort()).toEqual([...grep(repo, first, ['ab'])].sort());
    expect(gitStarted.get('grep')).toBe(1);
    expect(await filesWithWords(opened, first, ['', 'a\nb'])).toEqual([]);
  });

  it('lists a commit that differs a little as if it were listed anew', async () => {
    const repo = makeRepo({ files });
    const opened = await repo.open();
    const commits = [
      repo.git('rev-parse', 'HEAD'),
      repo.commit('change', { 'src/alpha.ts': '1', 'src/alpha/x': '1', '0': 'first', zz: 'last' }),
      repo.commit('again', { 'src/alpha.ts': '2', 'src/alpha/x': '3', Ω: 'more' }),
    ];
    repo.git('rm', '-q', '-r', 'src', '0');
    commits.push(repo.commit('removed'));
    for (const commit of [...commits, ...commits]) {
      const leaves = await listTree(opened, repo.git('rev-parse', `${commit}^{tree}`));
      const listed = await listFiles(opened, commit);
      expect(listed.map(({ mode, id }) => `${mode} ${id}`)).toEqual(leaves.map(({ mode, id }) => `${mode} ${id}`));
      const names = repo.git('-c', 'core.quotePath=false', 'ls-tree', '-r', '--name-only', commit).split('\n');
      expect(listed.map(({ path }) => path)).toEqual(names);
    }
    const [one = '', other = ''] = commits.map((commit) => repo.git('rev-parse', `${commit}^{tree}`));
    expect(await holdSameFiles(opened, one, one)).toBe(true);
    expect(await holdSameFiles(opened, one, other)).toBe(false);
    expect(await holdSameFiles(opened, one, '1'.repeat(40))).toBe(false);
  });
});
