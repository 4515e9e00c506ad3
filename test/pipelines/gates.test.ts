/** The gate language under fuzz: it never throws, every mistake has a place and a fix, and what is printed is read back. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkPostflight, checkPreflight, fillNames } from '../../src/pipelines/evaluate-gates.ts';
import type { FieldRule, PhaseGate } from '../../src/pipelines/gate.ts';
import { parseGates, parseOutputs } from '../../src/pipelines/parse-gates.ts';
import { readVerdict } from '../../src/pipelines/read-verdict.ts';

const word = fc.stringMatching(/^[a-z][a-z0-9_.-]{0,12}$/);
const rule: fc.Arbitrary<FieldRule> = fc.oneof(
  fc.record({ field: word, op: fc.constantFrom('==' as const, '!=' as const), value: word }),
  fc.record({ field: word, op: fc.constant('in' as const), value: fc.array(word, { maxLength: 4 }) }),
);
const gate: fc.Arbitrary<PhaseGate> = fc.record({
  artifacts: fc.array(fc.record({ path: word, minBytes: fc.nat(100_000) }), { maxLength: 3 }),
  require: fc.array(rule, { maxLength: 3 }),
  forbid: fc.array(rule, { maxLength: 3 }),
  after: fc.array(
    fc.record({ phase: word, verdict: fc.constantFrom('approved' as const, 'revision' as const, 'n/a' as const) }),
    {
      maxLength: 3,
    },
  ),
});

/** Lines that look almost like the language. */
const almost = fc.array(
  fc.oneof(
    fc.constantFrom(
      '```gates phase=plan',
      '```outputs phase=plan',
      '```',
      '```gates',
      '  ```gates phase=x',
      '# note',
      '',
    ),
    fc
      .tuple(fc.constantFrom('artifact', 'require', 'forbid', 'after', 'befor'), fc.string())
      .map((parts) => parts.join(' ')),
    fc.string(),
  ),
  { maxLength: 20 },
);

describe('the gate language', () => {
  it('never throws, and places every mistake', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          almost.map((lines) => lines.join('\n')),
        ),
        (text) => {
          for (const parsed of [parseGates(text), parseOutputs(text)]) {
            if (parsed.ok) continue;
            expect(parsed.mistakes.length).toBeGreaterThan(0);
            for (const { line, problem, fix } of parsed.mistakes) {
              expect(line).toBeGreaterThan(0);
              expect(line).toBeLessThanOrEqual(text.split('\n').length);
              expect([problem, fix]).not.toContain('');
            }
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('reads back what it says', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9_-]{1,12}$/), gate, (phase, written) => {
        expect(parseGates(print(phase, written))).toEqual({ ok: true, table: { [phase]: written } });
      }),
    );
  });

  it('says line, problem and fix', () => {
    expect(parseGates('# x\n```gates phase=plan\nrequires task.status == draft\nafter review = aproved\n```')).toEqual({
      ok: false,
      mistakes: [
        {
          line: 3,
          problem: 'There is no directive "requires".',
          fix: 'Did you mean "require"? A line begins with artifact, require, forbid, after.',
        },
        {
          line: 4,
          problem: 'There is no verdict "aproved".',
          fix: 'Did you mean "approved"? Write after <phase> = approved|revision|n/a.',
        },
      ],
    });
  });

  it('refuses a file outside the project, and a gate without its phase', () => {
    for (const path of ['/etc/passwd', '../x', 'a/../../b']) {
      expect(parseGates(`\`\`\`gates phase=plan\nartifact ${path}\n\`\`\``).ok).toBe(false);
    }
    expect(parseGates('```gates\nforbid a == b\n```').ok).toBe(false);
  });
});

describe('a gate', () => {
  const state = fc.record({
    task: fc.record({ taskId: word, status: word, summaries: fc.object() }, { requiredKeys: [] }),
  });

  it('passes exactly when nothing is missing, and never throws', () => {
    fc.assert(
      fc.property(gate, state, fc.option(fc.nat(1000), { nil: undefined }), (rules, known, size) => {
        const subject = { state: known, names: {}, artifact: () => size };
        const result = checkPreflight({ plan: rules }, 'plan', subject);
        const small = rules.artifacts.some(({ minBytes }) => size === undefined || size < minBytes);
        if (small) expect(result.ok).toBe(false);
        if (!result.ok) expect([result.detail, result.remediation]).not.toContain('');
        expect(checkPostflight({}, 'plan', subject)).toEqual({ ok: true });
      }),
    );
  });

  it('is not opened by a name nobody fills in', () => {
    const subject = { state: {}, names: {}, artifact: () => 1000 };
    const rules = { artifacts: [{ path: '{sprint}/PLAN.md', minBytes: 0 }], require: [], forbid: [], after: [] };
    expect(checkPreflight({ plan: rules }, 'plan', subject)).toMatchObject({
      ok: false,
      reasonCode: 'artifact-missing',
    });
    expect(fillNames('{constructor}/{a}', { a: 'b' })).toBe('{constructor}/b');
  });

  it('reads no verdict out of anything but the three words', () => {
    fc.assert(
      fc.property(fc.anything(), fc.string(), (verdict, phase) => {
        const found = readVerdict({ taskId: 'T', summaries: { review_plan: { verdict } } }, 'review-plan').verdict;
        expect(found).toBe(['approved', 'revision', 'n/a'].includes(verdict as string) ? verdict : null);
        expect(readVerdict(verdict, phase).verdict ?? 'none').toMatch(/^(none|approved|revision|n\/a)$/);
      }),
    );
  });
});

function print(phase: string, { artifacts, require, forbid, after }: PhaseGate): string {
  const predicate = ({ field, op, value }: FieldRule): string =>
    op === 'in' ? `${field} in [${value.join(', ')}]` : `${field} ${op} ${value}`;
  return [
    `\`\`\`gates phase=${phase}`,
    ...artifacts.map(({ path, minBytes }) => `artifact ${path} min=${minBytes}`),
    ...require.map((one) => `require ${predicate(one)}`),
    ...forbid.map((one) => `forbid ${predicate(one)}`),
    ...after.map((one) => `after ${one.phase} = ${one.verdict}`),
    '```',
  ].join('\n');
}
