/** What somebody probably meant. No case is left out. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { suggestWords } from '../../src/records/suggest-words.ts';
import { readVectors } from './read-vectors.ts';

const file = new URL('./vectors/forgecli-did-you-mean.json', import.meta.url);
const { pools } = z
  .object({ pools: z.record(z.string(), z.array(z.string())) })
  .parse(JSON.parse(readFileSync(file, 'utf8')));
const caseSchema = z.object({ input: z.string(), candidates: z.string(), expect: z.array(z.string()) });

it.each(readVectors('forgecli-did-you-mean', caseSchema))('$input among $candidates', (vector) => {
  expect(suggestWords(vector.input, pools[vector.candidates] ?? [])).toEqual(vector.expect);
});
