/**
 * Commands and prose, and what happens to a verify line with shell operators. Known defect: the old
 * system drops the bad segment and runs the rest, or falls back to other commands; ours refuses the
 * entry. Left out: `limits` and `noCommands` but for the two stated below.
 */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { discoverChecks } from '../../src/evidence/discover.ts';
import { defaultVerifyTimeoutMs, resolveVerify } from '../../src/plan/command-line.ts';
import { isLikelyCommand } from '../../src/plan/likely-command.ts';
import { reportStatus } from '../../src/policy/check-verdict.ts';
import { readVectors } from './read-vectors.ts';

const caseSchema = z.discriminatedUnion('fn', [
  z.object({ fn: z.literal('isLikelyCommand'), input: z.string(), expect: z.boolean() }),
  z.object({
    fn: z.literal('discoverCommands'),
    input: z.object({
      taskPlanVerify: z.string().optional(),
      cwdFixture: z.enum(['empty dir', 'pkg', 'pkg build only']),
    }),
    expect: z.object({ commands: z.array(z.string()) }),
  }),
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

const scripts = { typecheck: 'tsc', build: 'tsc -b', lint: 'eslint .', test: 'node --test' };
const packages = { 'empty dir': undefined, pkg: scripts, 'pkg build only': { build: scripts.build } };
const discovered = cases.flatMap((vector) =>
  vector.fn === 'discoverCommands' && vector.input.taskPlanVerify === undefined ? [vector] : [],
);
it('has the three folders', () => expect(discovered).toHaveLength(3));
it.each(discovered)('finds $expect.commands in $input.cwdFixture', ({ input, expect: wanted }) => {
  const found = packages[input.cwdFixture];
  const files = { paths: found === undefined ? [] : ['package.json'], read: () => JSON.stringify({ scripts: found }) };
  expect(discoverChecks(files).map(({ run }) => run.join(' '))).toEqual(wanted.commands);
});

it('a command has 120 seconds', () => expect(defaultVerifyTimeoutMs).toBe(120_000));
it('known defect: no commands is unverified, not passed', () => expect(reportStatus([])).toBe('unverified'));
