/** Every piece, long enough that anything worse than linear shows. */
import { expect, it } from 'vitest';
import { compareEverywhere, readRepeated, outputPieces, sourcePieces } from './hostile-text.ts';

it.each(sourcePieces)('compares %j over and over in linear time', (piece) => {
  expect(compareEverywhere(piece.repeat(Math.ceil(300_000 / piece.length)))).toBeGreaterThan(0);
});

it.each(outputPieces)('reads %j over and over in linear time', (piece) => {
  expect(readRepeated(piece, 2_000_000)).toBe(2);
});
