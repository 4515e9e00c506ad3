/**
 * Vectors of the wave rules. Those about agents' replies (truncated three times, fail without bugs, resume) are
 * decided by policy/reply.ts and the workflow; the end-to-end tests cover them, with the known defect done right:
 * three truncated test replies are `unverified`, never a pass.
 */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { taskSchema } from '../../src/plan/plan.ts';
import { testerResult } from '../../src/workflows/waves/role-results.ts';
import { judgeWaves } from '../../src/workflows/waves/wave-rules.ts';
import { readVectors } from './read-vectors.ts';

const caseSchema = z.object({
  name: z.string(),
  input: z
    .looseObject({ complexities: z.array(z.string()).optional(), waves: z.array(z.number()).optional() })
    .catch({}),
  expect: z.union([z.string(), z.object({ sum: z.number(), action: z.string() })]),
});

const cases = readVectors('waves-workflow', caseSchema);
const actions: readonly [RegExp, string][] = [
  [/^proceed/, 'proceed'],
  [/^ask merge|^warn over-split/, 'ask'],
  [/^re-invoke/, 'replan'],
];

describe('waves-workflow', () => {
  const sized = cases.filter((one) => one.input.complexities !== undefined);
  it.each(sized)('$name', ({ input, expect: wanted }) => {
    const tasks = (input.complexities ?? []).map((complexity, n) =>
      taskSchema.parse({ id: `T${n}`, title: 't', complexity }),
    );
    let next = 0;
    const waves = (input.waves ?? []).map((size) => Array.from({ length: size }, () => `T${next++}`));
    const { sum, action } = judgeWaves(tasks, waves);
    if (typeof wanted === 'string') throw new Error('a sized case has figures');
    expect({ sum, action }).toEqual({
      sum: wanted.sum,
      action: actions.find(([pattern]) => pattern.test(wanted.action))?.[1],
    });
  });

  it('test fail without bugs is no reply at all', () => {
    expect(testerResult.safeParse({ result: 'fail', bugs: [] }).success).toBe(false);
  });
});
