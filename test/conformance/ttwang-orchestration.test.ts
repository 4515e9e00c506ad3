/** What several lenses agree on. The other cases of the file are statements that the workflow's own tests prove. */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { reviewFindingSchema } from '../../src/policy/review-finding.ts';
import { aggregateFindings } from '../../src/policy/self-consistency.ts';
import { readVectors } from './read-vectors.ts';

const findingSchema = z.object({
  lens: z.string(),
  file: z.string(),
  line: z.number(),
  severity: z.enum(['error', 'warning']),
  category: z.string(),
});
const caseSchema = z.discriminatedUnion('fn', [
  z.object({ fn: z.literal('selfConsistency'), name: z.string(), input: z.array(findingSchema), expect: z.string() }),
  z.object({ fn: z.literal('orchestrator'), name: z.string(), input: z.string(), expect: z.string() }),
]);
const cases = readVectors('ttwang-orchestration', caseSchema).filter((vector) => vector.fn === 'selfConsistency');

it.each(cases)('$fn: $name', (vector) => {
  const byLens = vector.input.map(({ lens, ...finding }) => ({
    lens,
    findings: [reviewFindingSchema.parse({ ...finding, claim: 'x' })],
  }));
  const { mustFix, advisory } = aggregateFindings(byLens);
  const said = { 'must-fix': [1, 0], advisory: [0, 1], '2 advisories': [0, 2] }[vector.expect];
  expect([mustFix.length, advisory.length]).toEqual(said);
});
