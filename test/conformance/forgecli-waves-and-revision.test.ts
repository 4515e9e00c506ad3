/** Stages, cycles and where a revision goes back to. No case is left out. */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { revisionTarget } from '../../src/pipelines/revision.ts';
import { findCycles } from '../../src/plan/cycles.ts';
import { planStages } from '../../src/plan/graph.ts';
import { readVectors } from './read-vectors.ts';

const nodeSchema = z.object({ taskId: z.string(), dependencies: z.array(z.string()) });
const phaseSchema = z.object({ role: z.string(), command: z.string(), on_revision: z.string().optional() });
const caseSchema = z.discriminatedUnion('fn', [
  z.object({
    fn: z.literal('computeWaves'),
    name: z.string(),
    input: z.array(nodeSchema),
    expect: z.array(z.array(z.string())).optional(),
    expectError: z.string().optional(),
  }),
  z.object({
    fn: z.literal('revisionTarget'),
    name: z.string(),
    input: z.object({ phases: z.array(phaseSchema), reviewIdx: z.number() }),
    expect: z.number(),
  }),
]);

it.each(readVectors('forgecli-waves-and-revision', caseSchema))('$fn: $name', (vector) => {
  if (vector.fn === 'revisionTarget') {
    const phases = vector.input.phases.map(({ on_revision, ...phase }) => ({ ...phase, onRevision: on_revision }));
    expect(revisionTarget(phases, vector.input.reviewIdx)).toBe(vector.expect);
    return;
  }
  const tasks = vector.input.map(({ taskId, dependencies }) => ({ id: taskId, depends: dependencies }));
  if (vector.expectError === undefined) {
    expect(planStages(tasks)).toEqual(vector.expect);
    return;
  }
  const members = vector.expectError.replace(/.*among: /, '').split(', ');
  expect(findCycles(tasks)).toEqual([members]);
  expect(() => planStages(tasks)).toThrow(`Dependency cycle among: ${members.join(', ')}`);
});
