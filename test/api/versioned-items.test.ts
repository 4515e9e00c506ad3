import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VersionedItems } from '../../src/api/versioned-items.ts';

describe('things that change', () => {
  it('leads every reader to what there is, however often it looks', () => {
    const state = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.integer({ min: 0, max: 2 }));
    fc.assert(
      fc.property(fc.array(fc.tuple(state, fc.boolean()), { maxLength: 12 }), (steps) => {
        const items = new VersionedItems<number>();
        let known = new Map<string, number>();
        let position: string | undefined;
        const look = (): void => {
          const news = items.since(position);
          if (news === undefined) return;
          if (news.isWhole) known = new Map();
          for (const id of news.removed) known.delete(id);
          for (const [id, value] of news.changed) known.set(id, value);
          ({ position } = news);
        };
        for (const [now, looks] of steps) {
          items.update(Object.entries(now));
          if (looks) look();
        }
        look();
        expect(Object.fromEntries(known)).toEqual({ ...steps.at(-1)?.[0] });
        expect(items.since(position)).toBeUndefined();
      }),
    );
  });

  it('gives everything to a position it does not know', () => {
    const items = new VersionedItems<number>();
    items.update([['a', 1]]);
    const other = new VersionedItems<number>();
    other.update([['b', 1]]);
    expect(items.since(other.since(undefined)?.position)).toMatchObject({ isWhole: true, changed: [['a', 1]] });
    expect(items.since('nonsense')).toMatchObject({ isWhole: true });
  });
});
