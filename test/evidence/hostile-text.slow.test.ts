/** Every piece, long enough that anything worse than linear shows. */
import { expect, it } from 'vitest';
import { slowestComparison, slowestReading, outputPieces, sourcePieces } from './hostile-text.ts';

it.each(sourcePieces)('compares %j over and over in linear time', (piece) => {
  expect(slowestComparison(piece.repeat(Math.ceil(300_000 / piece.length)))).toBeLessThan(15_000);
});

it.each(outputPieces)('reads %j over and over in linear time', (piece) => {
  expect(slowestReading(piece, 2_000_000)).toBeLessThan(15_000);
});
