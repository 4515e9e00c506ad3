import { expect, it } from 'vitest';
import { keptEntryPoints } from '../../src/evidence/entry-points.ts';

const kept = (before: object, after: object, ...there: readonly string[]): unknown => {
  const texts = { path: 'pkg/package.json', before: JSON.stringify(before), after: JSON.stringify(after) };
  const text = keptEntryPoints({ ...texts, there: new Set(there) });
  return text === undefined ? undefined : JSON.parse(text);
};

it('keeps the entry points of before whose files still exist, and the new ones', () => {
  expect(
    kept(
      { main: './a.js', exports: './a.js' },
      { name: 'p', main: './b.js', exports: { '.': './b.js', './x': './x.js' } },
      'pkg/a.js',
      'pkg/b.js',
    ),
  ).toEqual({ name: 'p', main: './a.js', exports: { '.': './a.js', './x': './x.js' } });
  expect(kept({ exports: './a.js' }, { exports: { node: './b.js', default: './a.js' } }, 'pkg/a.js')).toEqual({
    exports: { '.': './a.js' },
  });
});

it('has nothing to say where they are the same, moved, or cannot be read', () => {
  expect(kept({ main: './a.js' }, { main: './a.js', version: '2' }, 'pkg/a.js')).toBeUndefined();
  expect(kept({ main: './a.js' }, { main: './b.js' }, 'pkg/b.js')).toBeUndefined();
  expect(kept({}, { main: './b.js' }, 'pkg/b.js')).toBeUndefined();
  expect(keptEntryPoints({ path: 'package.json', before: '{', after: '{}', there: new Set() })).toBeUndefined();
});
