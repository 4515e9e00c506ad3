/** Must-haves in the front matter of task plans: which are valid, and that no line end switches the gate off. */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { readMustHaves } from '../../src/gsd/must-haves.ts';
import { readVectors } from './read-vectors.ts';

const cases = readVectors(
  'forgeauto-must-haves',
  z.object({
    name: z.string(),
    input: z.string(),
    expect: z.object({
      stdout: z.object({ legacy: z.boolean(), valid: z.boolean(), errors: z.array(z.string()) }),
    }),
  }),
);

function decide(plan: string): { readonly legacy: boolean; readonly valid: boolean; readonly errors: number } {
  const reading = readMustHaves(plan);
  const errors = reading.status === 'malformed' ? reading.errors.length : 0;
  return { legacy: reading.status === 'none', valid: reading.status !== 'malformed', errors };
}

it('has all of them', () => expect(cases).toHaveLength(9));

it.each(cases)('$name', ({ input, expect: { stdout } }) => {
  expect(decide(input)).toEqual({ legacy: stdout.legacy, valid: stdout.valid, errors: stdout.errors.length });
});

it.each(cases)('$name, with the line ends of Windows and a byte order mark', ({ input, expect: { stdout } }) => {
  const saved = `\uFEFF${input.replaceAll('\n', '\r\n')}`;
  expect(decide(saved)).toEqual({ legacy: stdout.legacy, valid: stdout.valid, errors: stdout.errors.length });
});

it('takes lists that are written on one line', () => {
  const plan = '---\nmust_haves:\n  truths: ["it works"]\n  artifacts: []\n  key_links: []\n---\n# x\n';
  expect(decide(plan)).toEqual({ legacy: false, valid: true, errors: 0 });
});

it('does not take front matter that cannot be read for a plan without a gate', () => {
  expect(decide('---\nmust_haves: [\n---\n# x\n')).toEqual({ legacy: false, valid: false, errors: 1 });
});
