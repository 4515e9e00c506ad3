import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  childPath,
  decodePath,
  encodePath,
  fsPath,
  isGitMetadata,
  joinRaw,
  parentsOf,
  type RawPath,
  splitRaw,
} from '../../src/git/raw-path.ts';

const bytes = fc
  .uint8Array({ minLength: 1, maxLength: 20 })
  .map((array) => Buffer.from(array.map((byte) => byte || 1)));

describe('raw paths', () => {
  it('bring any bytes back unchanged', () => {
    fc.assert(
      fc.property(fc.array(bytes), (names) => {
        const output = Buffer.concat(names.flatMap((name) => [name, Buffer.from([0])]));
        const raw = splitRaw(output);
        expect(raw).toHaveLength(names.length);
        expect(joinRaw(raw)).toEqual(output);
        for (const [at, path] of raw.entries())
          expect(fsPath('/r', path)).toEqual(Buffer.concat([Buffer.from('/r/'), names[at]!]));
      }),
    );
  });

  it('decode what is UTF-8', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (path) => decodePath(encodePath(path)) === path));
  });

  it('know their parents and git metadata', () => {
    expect(parentsOf('a/b/c' as RawPath)).toEqual(['a', 'a/b']);
    expect(parentsOf('a' as RawPath)).toEqual([]);
    expect(childPath('' as RawPath, Buffer.from('a'))).toBe('a');
    expect(childPath('a' as RawPath, Buffer.from([0xff]))).toBe('a/\u00ff');
    expect(['.git', 'a/.GIT/b', '.gitignore', 'x.git'].map((path) => isGitMetadata(path as RawPath))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
