/** A run goes on from what earlier runs and other tools wrote: reviews, what is owed, what was learned. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { reviewText, memoryText, verificationText } from '../../../src/workflows/milestone/documents/result-texts.ts';
import { readFragments, readOwed, readReview } from '../../../src/workflows/milestone/documents/read-left.ts';
import { deferredReason, isPending } from '../../../src/workflows/milestone/decide-items.ts';
import { type ReviewedItem, reviewedItemSchema } from '../../../src/workflows/milestone/slice-review.ts';

const word = fc.stringMatching(/^[A-Za-z]+(?:,? [a-z]+){0,4}$/);
const item: fc.Arbitrary<ReviewedItem> = fc
  .record({
    state: fc.constantFrom('conceded' as const, 'resolved' as const, 'open' as const),
    file: fc.constantFrom('', 'src/a.js'),
    claim: word,
    defense: fc.oneof(fc.constant(''), word),
    ruling: fc.oneof(fc.constant(''), word),
  })
  .map(({ state, ...more }) =>
    reviewedItemSchema.parse({
      id: 'R1',
      line: more.file === '' ? 0 : 3,
      state,
      fix: state === 'conceded' ? 'applied, commit 12345678' : '',
      decision: state === 'open' ? deferredReason : '',
      ...more,
    }),
  );

it('reads the reviews it writes', () => {
  fc.assert(
    fc.property(fc.array(item, { maxLength: 4 }), (made) => {
      const items = made.map((one, at) => ({ ...one, id: `R${at + 1}` }));
      const review = { style: 'dialectic' as const, items, warnings: [], problem: '' };
      expect(readReview(reviewText('S01', review))).toEqual(review);
    }),
    { numRuns: 60 },
  );
  expect(readReview('')).toBeUndefined();
});

it('knows what waits for a person in a review that another tool wrote', () => {
  const review = readReview(`# S01 — Review

### R1 · \`src/login.ts:12\` · aberto
A sessão não expira.
**Defesa:** refutado
**Decisão:** deferido → triagem no fim da milestone

### R2 · \`src/login.ts:30\` · concedido
O hash é fraco.
**Correção:** falhou — deferida para triagem final

### R3 · \`src/a.ts:1\` · concedido
**Correção:** aplicada — commit abc1234
`);
  expect(review?.items.map((one) => [one.id, one.file, one.line, one.claim, isPending(one)])).toEqual([
    ['R1', 'src/login.ts', 12, 'A sessão não expira.', true],
    ['R2', 'src/login.ts', 30, 'O hash é fraco.', true],
    ['R3', 'src/a.ts', 1, 'R3 · `src/a.ts:1` · concedido', false],
  ]);
});

it('reads what is owed, but for tasks that are still open', () => {
  const text = verificationText('S01', [], ['T01: src/a.js', 'T02: src/b.js', 'a sum works']);
  expect(readOwed(text, ['T02'])).toEqual(['src/a.js', 'a sum works']);
});

it('reads what was learned', () => {
  const fragments = [
    { unit: 'S01/T01', category: 'gotcha' as const, confidence: 0.9, hits: 2, text: 'pipes | need a bar' },
    { unit: 'S01/T02', category: 'decision' as const, confidence: 0.7, hits: 0, text: 'no dependencies' },
  ];
  expect(readFragments(memoryText(fragments))).toEqual(
    fragments.map(({ category, confidence, hits, text }) => ({ category, confidence, hits, text })),
  );
  expect(
    readFragments(
      '## Gotcha\n- [MEM001] (gotcha) confidence:0.95 hits:3 — The hook writes the signal.\n  source: M001\n- [MEM2] (odd) confidence:7 — x\n',
    ),
  ).toEqual([
    { category: 'gotcha', confidence: 0.95, hits: 3, text: 'The hook writes the signal.' },
    { category: 'pattern', confidence: 0.5, hits: 0, text: 'x' },
  ]);
  expect(readFragments(readFileSync(import.meta.filename, 'utf8')).length).toBeLessThan(5);
});
