/** Which state may follow which. No case is left out. */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { isLegalTransition } from '../../src/records/transitions.ts';
import { readVectors } from './read-vectors.ts';

const caseSchema = z.object({ entity: z.string(), from: z.string(), to: z.string(), legal: z.boolean() });

it.each(readVectors('forgecli-transitions', caseSchema))('$entity: $from → $to', ({ entity, from, to, legal }) => {
  expect(isLegalTransition(entity, from, to)).toBe(legal);
});
