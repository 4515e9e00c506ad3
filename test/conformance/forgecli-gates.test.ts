/** Gates: the language, what they decide before and after a phase, and verdicts. No case is left out. */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { artifactPlace } from '../../src/pipelines/artifact-place.ts';
import { checkPostflight, checkPreflight } from '../../src/pipelines/evaluate-gates.ts';
import type { GateTable, OutputTable } from '../../src/pipelines/gate.ts';
import { parseGates, parseOutputs } from '../../src/pipelines/parse-gates.ts';
import { readVerdict } from '../../src/pipelines/read-verdict.ts';
import { readVectors } from './read-vectors.ts';

const grammarSchema = z.object({
  fn: z.enum(['parseGates', 'parseOutputs']),
  name: z.string(),
  input: z.string(),
  expect: z.unknown().optional(),
  expectError: z.string().optional(),
});

it.each(readVectors('forgecli-gate-grammar', grammarSchema))(
  '$fn: $name',
  ({ fn, input, expect: table, expectError }) => {
    const parsed = fn === 'parseGates' ? parseGates(input) : parseOutputs(input);
    if (expectError === undefined) {
      expect(parsed).toEqual({ ok: true, table });
      return;
    }
    const line = Number(/line (\d+)/.exec(expectError)?.[1]);
    expect(parsed.ok ? [] : parsed.mistakes.map((mistake) => mistake.line)).toEqual([line]);
  },
);

const flightSchema = z.object({
  fn: z.string(),
  name: z.string(),
  input: z.record(z.string(), z.unknown()),
  expect: z.unknown(),
});

/** The two files that the cases speak of. */
const sizes = new Map([
  ['<ROOT>/s/t/PLAN.md', 250],
  ['<ROOT>/s/t/STUB.md', 10],
]);

it.each(readVectors('forgecli-pre-postflight', flightSchema))('$fn: $name', ({ fn, input, expect: wanted }) => {
  if (fn === 'deriveSprintTaskFromArtifactPath') {
    const { taskPath, engineeringRoot } = z.object({ taskPath: z.string(), engineeringRoot: z.string() }).parse(input);
    expect(artifactPlace(taskPath, engineeringRoot) ?? null).toEqual(wanted);
    return;
  }
  const {
    phase,
    state = {},
    substitutions,
  } = z
    .object({
      phase: z.string(),
      state: z.record(z.string(), z.unknown()).optional(),
      substitutions: z.record(z.string(), z.string()),
    })
    .parse(input);
  const subject = { state, names: substitutions, artifact: (path: string) => sizes.get(path) };
  const result =
    fn === 'preflight'
      ? checkPreflight((input['gates'] ?? {}) as GateTable, phase, subject)
      : checkPostflight((input['outputs'] ?? {}) as OutputTable, phase, subject);
  const { ok, missing, reasonCode } = z
    .object({ ok: z.boolean(), missing: z.array(z.string()), reasonCode: z.string().nullish() })
    .parse(wanted);
  expect(result.ok).toBe(ok);
  if (result.ok) return;
  expect(result.missing).toHaveLength(missing.length);
  if (typeof reasonCode === 'string') expect(result.reasonCode).toBe(reasonCode);
});

const verdictSchema = z.object({
  name: z.string(),
  input: z.object({ record: z.unknown(), phase: z.string() }),
  expect: z.unknown(),
});

it.each(readVectors('forgecli-read-verdict', verdictSchema))('verdict: $name', ({ input, expect: wanted }) => {
  expect(readVerdict(input.record, input.phase)).toEqual(wanted);
});
