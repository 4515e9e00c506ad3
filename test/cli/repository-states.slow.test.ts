/** What `forge run` makes of repositories: refused with a remedy, or worked on with what a person should know. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { emptyPlace, makePlace, type Place, placeAt } from './repository-place.ts';

describe('a place that is refused', () => {
  it.each<[string, () => Place, { code: number; says: RegExp; hint: RegExp }]>([
    ['no git at all', emptyPlace, { code: 2, says: /is not in a git repository/, hint: /git init/ }],
    [
      'no commit yet',
      () => {
        const place = emptyPlace();
        place.git('init', '-q');
        place.write('a.txt', 'a\n');
        return place;
      },
      { code: 2, says: /has no commit yet/, hint: /commit/ },
    ],
    [
      'a bare repository',
      () => {
        const place = emptyPlace();
        place.git('init', '-q', '--bare');
        return place;
      },
      { code: 2, says: /is a bare repository/, hint: /clone|checkout|worktree/i },
    ],
    [
      'inside a git directory',
      () => placeAt(join(makePlace().root, '.git')),
      { code: 2, says: /inside a git directory/, hint: /./ },
    ],
    [
      'a partial clone',
      () => {
        const origin = makePlace();
        origin.git('config', 'uploadpack.allowFilter', 'true');
        const clone = emptyPlace();
        clone.git('clone', '-q', '--filter=blob:none', '--no-checkout', `file://${origin.root}`, 'partial');
        return placeAt(join(clone.root, 'partial'));
      },
      { code: 2, says: /partial clone/, hint: /fetch/i },
    ],
  ])('%s', async (_, make, wanted) => {
    const place = make();
    const before = place.fingerprint();
    const { code, stdout, stderr } = await place.run();
    expect({ code, stdout }).toEqual({ code: wanted.code, stdout: '' });
    const [said = '', hint = ''] = stderr.split('\n');
    expect(said).toMatch(/^forge: /);
    expect(said).toMatch(wanted.says);
    expect(hint).toMatch(wanted.hint);
    expect(place.fingerprint()).toBe(before);
  });
});

describe('a place that is worked on', () => {
  it('with everything open: detached, changed, staged, in the middle of a merge, within another repository', async () => {
    const outer = emptyPlace();
    outer.git('init', '-q', '-b', 'main');
    outer.git('commit', '-q', '--allow-empty', '-m', 'outer');
    const place = placeAt(join(outer.root, 'sums'));
    makePlace().git('clone', '-q', '.', place.root);
    place.git('checkout', '-q', '-b', 'other');
    place.write('src/add.js', 'export const add = (a, b) => b + a;\n');
    place.git('commit', '-qam', 'theirs');
    place.git('checkout', '-q', '--detach', 'main');
    place.write('src/add.js', 'export const add = (a, b) => 0 + a + b;\n');
    place.git('commit', '-qam', 'ours');
    expect(() => place.git('merge', '-q', 'other')).toThrow();
    place.write('untracked.txt', 'mine\n');
    const before = [place.fingerprint(), outer.git('for-each-ref')];

    const { code, stdout, stderr } = await place.run();
    expect(code).toBe(0);
    const head = place.git('rev-parse', 'HEAD').slice(0, 12);
    expect(stdout + stderr).toContain(
      `2 paths are changed or not committed in your checkout: agents start from ${head}`,
    );
    expect(stdout + stderr).toContain(`A merge is in progress in your checkout: agents start from ${head}`);
    expect(stdout + stderr).toContain(`HEAD is detached at ${head}`);
    expect([place.fingerprint(), outer.git('for-each-ref')]).toEqual(before);
    const [branch = ''] = place.results();
    expect(place.git('diff', '--name-only', `HEAD..${branch}`)).toBe('src/mul.js\ntest/mul.test.js');
  });

  it('a linked worktree of a shallow clone with a submodule, LFS, a branch named forge, and an odd path', async () => {
    const inner = makePlace();
    const origin = makePlace();
    origin.write('.gitattributes', '*.psd filter=lfs diff=lfs -text\n');
    origin.write('art.psd', 'version https://git-lfs.github.com/spec/v1\n');
    origin.git('submodule', '--quiet', 'add', inner.root, 'sub');
    origin.git('add', '-A');
    origin.git('commit', '-qm', 'art');
    const area = emptyPlace();
    area.git('clone', '-q', '--depth=1', `file://${origin.root}`, 'clone');
    const clone = placeAt(join(area.root, 'clone'));
    const root = join(area.root, 'dé pôt', "it's 漢字");
    clone.git('worktree', 'add', '-q', '-b', 'forge', root);
    const place = placeAt(root);
    const before = [place.fingerprint(), clone.fingerprint()];

    const { code, stdout, stderr } = await place.run();
    expect(code).toBe(0);
    for (const notice of [
      'Submodules are empty directories in workspaces',
      'Files kept in Git LFS stay pointers',
      'The clone is shallow',
      'This checkout is a linked worktree',
      'A branch named forge exists',
    ]) {
      expect(stdout + stderr).toContain(notice);
    }
    expect([place.fingerprint(), clone.fingerprint()]).toEqual(before);
    const [branch = ''] = place.results();
    expect(branch).toMatch(/^forge-add-multiplication-/);
    expect(place.git('diff', '--name-only', `HEAD..${branch}`)).toBe('src/mul.js\ntest/mul.test.js');
  });
});
