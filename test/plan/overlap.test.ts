import fc from 'fast-check';
import picomatch from 'picomatch';
import { describe, expect, it } from 'vitest';
import { isPathCovered } from '../../src/plan/coverage.ts';
import { writesOverlap } from './writes-overlap.ts';

describe('writesOverlap', () => {
  it.each([
    ['src/a.ts', 'src/a.ts', true],
    ['src/a.ts', 'src/b.ts', false],
    ['src/a.ts', 'SRC/a.ts', false],
    ['src/auth', 'src/auth/x.ts', true],
    ['src/auth', 'src/authority/x.ts', false],
    ['src/auth/', './src//auth/x.ts', true],
    ['src\\auth\\jwt.ts', 'src/auth/jwt.ts', true],
    ['src/*', 'src/a/b.ts', true],
    ['src/*.ts', 'src/x/y.ts', false],
    ['src/*.ts', 'src/y.ts', true],
    ['src/*.ts', 'src/*.js', false],
    ['src/a*.ts', 'src/*b.ts', true],
    ['src/a?.ts', 'src/ab.ts', true],
    ['src/a?.ts', 'src/a.ts', false],
    ['src/auth/**', 'src/auth', true],
    ['**/*.test.ts', 'src/**', true],
    ['**/*.test.ts', 'src/*.md', false],
    ['a/**/z', '**/b/z', true],
    ['a/**/y', '**/b/z/*.ts', true],
    ['a/**/y.md', '**/b/*.ts', false],
    ['src/a.ts', '**/*.test.ts', false],
    ['src/a.ts', 'src/**/*.ts', true],
    ['src/v.d', 'src/v.d/x.ts', true],
    ['src/v.d', 'src/v.d/*.ts', true],
    ['src/v.d/', 'src/**/*.ts', true],
    ['src/v1.2', 'src/**/*.ts', true],
    ['.', 'anything/at/all', true],
    ['app/[id]/page.tsx', 'app/i/page.tsx', false],
    ['src/*', 'src/.env', true],
    ['src/é*.ts', 'src/é.ts', true],
    ['', 'a', false],
  ])('%s and %s: %s', (a, b, wanted) => {
    expect(writesOverlap([a], [b])).toBe(wanted);
  });

  it('is about lists', () => {
    expect(writesOverlap(['a', 'b'], ['c', 'b/x'])).toBe(true);
    expect(writesOverlap([], ['**'])).toBe(false);
  });

  it('is symmetric and reflexive', () => {
    fc.assert(
      fc.property(pattern, pattern, (a, b) => {
        expect(writesOverlap([a], [b])).toBe(writesOverlap([b], [a]));
        expect(writesOverlap([a], [a])).toBe(true);
      }),
    );
  });

  it('misses no path that both match', () => {
    const match = (glob: string) => picomatch(glob, { dot: true, nobrace: true, noextglob: true });
    fc.assert(
      fc.property(pattern, pattern, (a, b) => {
        const [inA, inB] = [match(a), match(b)];
        const common = allPaths.some((path) => inA(path) && inB(path));
        if (common) expect(writesOverlap([a], [b])).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('overlaps only where some path is covered by both', () => {
    fc.assert(
      fc.property(pattern, pattern, (a, b) => {
        const common = allPaths.some((path) => isPathCovered([a], path) && isPathCovered([b], path));
        expect(writesOverlap([a], [b])).toBe(common);
      }),
      { numRuns: 60 },
    );
  });
});

describe('covers', () => {
  it.each([
    ['src/auth', 'src/auth/deep/x.ts', true],
    ['src/*', 'src/a/b.ts', true],
    ['.git*', '.gitignore', true],
    ['.git*', '.github/CODEOWNERS', false],
    ['.ci/**', '.ci/run', true],
    ['src/a.ts', 'src', false],
    // A name as git reports it may hold anything: it is never read as a pattern.
    ['src/a.ts', 'src/*', false],
    ['src/*.ts', 'src/*.ts', true],
    ['a/b', 'a\\b', false],
  ])('%s covers %s: %s', (write, path, wanted) => {
    expect(isPathCovered([write], path)).toBe(wanted);
  });

  it('covers what picomatch matches', () => {
    const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
    fc.assert(
      fc.property(pattern, path, (glob, file) => {
        const isMatch = picomatch(glob, { dot: true, nobrace: true, noextglob: true })(file);
        if (isMatch) expect(isPathCovered([glob], file)).toBe(true);
      }),
    );
  });
});

// Two letters and three levels are enough for any two of these patterns to meet if they ever do.
const letters = ['a', 'b'];
const name = fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 2 });
const segment = fc.oneof(
  { weight: 3, arbitrary: name },
  { weight: 2, arbitrary: fc.string({ unit: fc.constantFrom(...letters, '*', '?'), minLength: 1, maxLength: 2 }) },
  { weight: 1, arbitrary: fc.constant('**') },
);
const pattern = fc.array(segment, { minLength: 1, maxLength: 2 }).map((segments) => segments.join('/'));
const names = letters.flatMap((x) => [x, ...letters.flatMap((y) => [x + y, ...letters.map((z) => x + y + z)])]);
const allPaths = levels(4);

/** Every path of up to `depth` names, the deeper ones of short names only. */
function levels(depth: number): string[] {
  const paths = [names];
  for (let level = 1; level < depth; level++) {
    const usable = level < 2 ? names : names.filter((each) => each.length < 3);
    paths.push((paths.at(-1) ?? []).flatMap((path) => usable.map((each) => `${path}/${each}`)));
  }
  return paths.flat();
}
