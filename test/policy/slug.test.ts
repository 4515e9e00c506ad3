import fc from 'fast-check';
import { expect, it } from 'vitest';
import { makeSlug } from '../../src/policy/slug.ts';

it.each([
  ['Please add a login page to the shop', 'add-login-page-shop'],
  ['2048 game', '2048-game'],
  ['Füge Überschriften hinzu!', 'fuge-uberschriften-hinzu'],
  ['日本語', 'run'],
  ['it', 'it'],
  ['', 'run'],
])('%j becomes %j', (text, slug) => expect(makeSlug(text)).toBe(slug));

it('is always a safe name', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(makeSlug(text)).toMatch(/^[a-z0-9][a-z0-9-]{0,39}$/);
    }),
  );
});
