/** Pipelines of any shape, walked with any verdicts: they end, nothing is approved by wear, and mistakes have a place. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { builtinGates } from '../../src/pipelines/builtin-pipelines.ts';
import { checkPipeline } from '../../src/pipelines/check-pipeline.ts';
import { isJudging } from '../../src/pipelines/record-states.ts';
import { summaryKey } from '../../src/pipelines/read-verdict.ts';
import { resolvePipeline } from '../../src/pipelines/resolve-pipeline.ts';
import { routePhase } from '../../src/pipelines/route-phase.ts';
import { type PipelinePhase, pipelinePhaseSchema, pipelineSettingsSchema } from '../../src/policy/pipeline-settings.ts';

const roles = [
  'plan',
  'review-plan',
  'implement',
  'review-code',
  'validate',
  'approve',
  'writeback',
  'commit',
  'review-own',
];

const anyPhases: fc.Arbitrary<readonly PipelinePhase[]> = fc
  .array(
    fc.record({ role: fc.constantFrom(...roles), maxIterations: fc.integer({ min: 1, max: 4 }), back: fc.nat(12) }),
    { minLength: 1, maxLength: 8 },
  )
  .map((drawn) =>
    drawn.map(({ role, maxIterations, back }, at) =>
      pipelinePhaseSchema.parse({
        command: `${role}-${at}`,
        role,
        maxIterations,
        ...(back < at ? { on_revision: `${drawn[back]?.role}-${back}` } : {}),
      }),
    ),
  );

/** As `run-record.ts` goes through them. */
function walk(phases: readonly PipelinePhase[], verdicts: readonly string[]) {
  const revisions = new Map<number, number>();
  const last = new Map<number, string>();
  const summaries: Record<string, object> = {};
  let steps = 0;
  for (let at = 0; at < phases.length; steps += 1) {
    const phase = phases[at];
    if (phase === undefined) break;
    const verdict = isJudging(phase.role) ? (verdicts[steps % verdicts.length] ?? 'approved') : 'n/a';
    summaries[summaryKey(phase.role)] = { verdict };
    last.set(at, verdict);
    const status = phase.role === 'approve' && verdict === 'approved' ? 'approved' : 'implemented';
    const route = routePhase({ phases, at, record: { status, summaries }, revisions: revisions.get(at) ?? 0 });
    if (route.kind === 'escalate') return { end: route.reason, at, verdict, steps, last };
    if (route.kind === 'back') revisions.set(at, route.round);
    at = route.to;
  }
  return { end: 'through' as const, steps, last };
}

describe('a pipeline', () => {
  it('ends after a bounded number of phases, and only by approvals', () => {
    const verdict = fc.constantFrom('approved', 'revision', 'revision', 'n/a', 'APPROVED', '', 'approved.');
    fc.assert(
      fc.property(anyPhases, fc.array(verdict, { minLength: 1, maxLength: 9 }), (phases, verdicts) => {
        const walked = walk(phases, verdicts);
        const sendBacks = phases.reduce((sum, { maxIterations }) => sum + maxIterations - 1, 0);
        expect(walked.steps).toBeLessThanOrEqual(phases.length * (1 + sendBacks));
        if (walked.end === 'through') {
          for (const [at, said] of walked.last) if (isJudging(phases[at]?.role ?? '')) expect(said).toBe('approved');
        } else expect(walked.verdict).not.toBe('approved');
        if (walked.end === 'verdict-malformed') expect(walked.verdict).not.toBe('revision');
      }),
    );
  });

  it('of any shape is checked and chosen without an accident', () => {
    const name = fc.constantFrom('default', 'bug', 'docs', '__proto__', 'constructor');
    const text = fc.oneof(fc.string(), fc.constant('```gates phase=implement\nafter review-plan = approved\n```'));
    fc.assert(
      fc.property(anyPhases, name, text, (phases, key, markdown) => {
        const settings = pipelineSettingsSchema.safeParse(
          Object.fromEntries([[key, { phases: phases.map((phase) => ({ ...phase })) }]]),
        );
        const known = settings.success ? settings.data : {};
        const { phases: chosen } = resolvePipeline(known, { kind: 'task', key });
        expect(chosen.length).toBeGreaterThan(0);
        for (const gates of [markdown, builtinGates('task', phases)]) {
          const { errors, notes } = checkPipeline(phases, gates, ['review-own']);
          for (const { where, problem, fix } of [...errors, ...notes])
            expect([where, problem, fix].every((part) => part !== '')).toBe(true);
        }
      }),
      { numRuns: 100 },
    );
  });
});
