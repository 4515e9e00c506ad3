/**
 * Commands and prose, and what happens to a verify line with shell operators. Known defect: the old
 * system drops the bad segment and runs the rest, or falls back to other commands; ours refuses the
 * entry. Left out: the `discoverCommands` cases without a `taskPlanVerify` (discovery of package.json
 * scripts is the business of the checks), and `limits` and `noCommands` but for the two stated below.
 */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { defaultVerifyTimeoutMs, resolveVerify } from '../../src/plan/command-line.ts';
import { isLikelyCommand } from '../../src/plan/likely-command.ts';
import { reportStatus } from '../../src/policy/check-verdict.ts';
import { readVectors } from './read-vectors.ts';

const caseSchema = z.discriminatedUnion('fn', [
  z.object({ fn: z.literal('isLikelyCommand'), input: z.string(), expect: z.boolean() }),
  z.object({ fn: z.literal('discoverCommands'), input: z.object({ taskPlanVerify: z.string().optional() }) }),
]);
const cases = readVectors('forgeauto-verify-gate', caseSchema);

const likely = cases.flatMap((vector) => (vector.fn === 'isLikelyCommand' ? [vector] : []));
it.each(likely)('$input is a command: $expect', ({ input, expect: wanted }) => {
  expect(isLikelyCommand(input)).toBe(wanted);
});

const unsafe = cases.flatMap((vector) => (vector.fn === 'discoverCommands' ? (vector.input.taskPlanVerify ?? []) : []));
it('has the three unsafe lines', () => expect(unsafe).toHaveLength(3));
it.each(unsafe)('known defect: %s is refused as a whole', (line) => {
  expect(resolveVerify(line)).toMatchObject({ status: 'refused' });
});

it('a command has 120 seconds', () => expect(defaultVerifyTimeoutMs).toBe(120_000));
it('known defect: no commands is unverified, not passed', () => expect(reportStatus([])).toBe('unverified'));
