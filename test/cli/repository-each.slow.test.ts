/** Each state of a repository by itself, through a whole run: what is said about it, and that nothing else changes. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { emptyPlace, makePlace, type Place, placeAt } from './repository-place.ts';

/** Two commits of which neither holds the other's change to the same line. */
function parted(place: Place): void {
  place.git('checkout', '-q', '-b', 'other');
  place.write('src/add.js', 'export const add = (a, b) => b + a;\n');
  place.git('commit', '-qam', 'theirs');
  place.git('checkout', '-q', 'main');
  place.write('src/add.js', 'export const add = (a, b) => 0 + a + b;\n');
  place.git('commit', '-qam', 'ours');
}

const plain = (change: (place: Place) => void) => (): Place => {
  const place = makePlace();
  change(place);
  return place;
};
const conflicting = (...command: string[]) =>
  plain((place) => {
    parted(place);
    expect(() => place.git(...command)).toThrow();
  });

describe('a whole run', () => {
  it.each<[string, () => Place, RegExp | undefined]>([
    [
      'in a changed checkout',
      plain((place) => {
        place.write('src/add.js', 'export const add = 1;\n');
        place.write('new.txt', 'n\n');
        place.git('add', 'new.txt');
      }),
      /2 paths are changed or not committed/,
    ],
    ['with a detached HEAD', plain((place) => place.git('checkout', '-q', '--detach')), /HEAD is detached/],
    ['during a merge', conflicting('merge', '-q', 'other'), /A merge is in progress/],
    ['during a rebase', conflicting('rebase', '-q', 'other'), /A rebase is in progress/],
    ['during a cherry-pick', conflicting('cherry-pick', 'other'), /A cherry-pick is in progress/],
    [
      'during a bisection',
      plain((place) => {
        parted(place);
        place.git('bisect', 'start', '-q', 'main', 'main~1');
      }),
      /A bisection is in progress/,
    ],
    [
      'with a submodule',
      plain((place) => {
        place.git('submodule', '--quiet', 'add', makePlace().root, 'sub');
        place.git('commit', '-qm', 'sub');
      }),
      /Submodules are empty directories/,
    ],
    [
      'with files in LFS and no git-lfs',
      plain((place) => {
        place.write('.gitattributes', '*.psd filter=lfs diff=lfs -text\n');
        place.write('art.psd', 'version https://git-lfs.github.com/spec/v1\n');
        place.git('add', '-A');
        place.git('commit', '-qm', 'art');
      }),
      /Git LFS stay pointers/,
    ],
    [
      'in a shallow clone',
      () => {
        const area = emptyPlace();
        const origin = makePlace();
        parted(origin);
        area.git('clone', '-q', '--depth=1', `file://${origin.root}`, 'clone');
        return placeAt(join(area.root, 'clone'));
      },
      /The clone is shallow/,
    ],
    [
      'in a linked worktree',
      () => {
        const root = join(emptyPlace().root, 'linked');
        makePlace().git('worktree', 'add', '-q', '-b', 'linked', root);
        return placeAt(root);
      },
      /This checkout is a linked worktree/,
    ],
    ['at a path with spaces and letters of the world', () => makePlace("dé pôt/it's 漢字"), undefined],
    [
      'within another repository',
      () => {
        const outer = emptyPlace();
        outer.git('init', '-q');
        outer.git('commit', '-q', '--allow-empty', '-m', 'outer');
        makePlace().git('clone', '-q', '.', join(outer.root, 'sums'));
        return placeAt(join(outer.root, 'sums'));
      },
      undefined,
    ],
    [
      'from a directory below the top',
      () => {
        const place = makePlace();
        const below = placeAt(join(place.root, 'src'));
        return { ...place, run: () => below.run() };
      },
      undefined,
    ],
    [
      'with line ends of Windows',
      plain((place) => {
        place.write('dos.txt', 'a\r\nb\r\n');
        place.git('config', 'core.autocrlf', 'true');
        place.git('add', '-A');
        place.git('commit', '-qm', 'dos');
      }),
      undefined,
    ],
    ['with a branch named forge', plain((place) => place.git('branch', 'forge')), /A branch named forge exists/],
  ])('%s', async (_, make, notice) => {
    const place = make();
    const before = place.fingerprint();
    const { code, stderr } = await place.run();
    expect({ code, stderr }).toEqual({ code: 0, stderr: notice === undefined ? '' : expect.stringMatching(notice) });
    expect(place.fingerprint()).toBe(before);
    const [branch = ''] = place.results();
    expect(place.git('diff', '--name-only', `HEAD..${branch}`)).toBe('src/mul.js\ntest/mul.test.js');
  });
});
