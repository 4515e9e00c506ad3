/**
 * A state of a repository that cannot be had together with those of repository-states.slow.test.ts, through a whole run:
 * what is said about it, and that nothing else changes. Each notice by itself is in test/git/repository.test.ts.
 */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makePlace, type Place, placeAt } from './repository-place.ts';

/** Two commits of which neither holds the other's change to the same line. */
function partedPlace(): Place {
  const place = makePlace();
  place.git('checkout', '-q', '-b', 'other');
  place.write('src/add.js', 'export const add = (a, b) => b + a;\n');
  place.git('commit', '-qam', 'theirs');
  place.git('checkout', '-q', 'main');
  place.write('src/add.js', 'export const add = (a, b) => 0 + a + b;\n');
  place.git('commit', '-qam', 'ours');
  return place;
}

const conflicting =
  (...command: string[]) =>
  (): Place => {
    const place = partedPlace();
    expect(() => place.git(...command)).toThrow();
    return place;
  };

describe('a whole run', () => {
  it.each<[string, () => Place, RegExp | undefined]>([
    ['during a rebase', conflicting('rebase', '-q', 'other'), /A rebase is in progress/],
    ['during a cherry-pick', conflicting('cherry-pick', 'other'), /A cherry-pick is in progress/],
    [
      'during a bisection',
      () => {
        const place = partedPlace();
        place.git('bisect', 'start', '-q', 'main', 'main~1');
        return place;
      },
      /A bisection is in progress/,
    ],
    [
      'from a directory below the top, with line ends of Windows',
      () => {
        const place = makePlace();
        place.write('dos.txt', 'a\r\nb\r\n');
        place.git('config', 'core.autocrlf', 'true');
        place.git('add', '-A');
        place.git('commit', '-qm', 'dos');
        const below = placeAt(join(place.root, 'src'));
        return { ...place, run: () => below.run() };
      },
      undefined,
    ],
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
