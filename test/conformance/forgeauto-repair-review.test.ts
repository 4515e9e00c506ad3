/**
 * Repairs, reviews, plan checks, blockers, accounts of runs and contexts: every decision of the vectors that the routing
 * test does not cover, through the functions that a milestone's run calls.
 */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { checkSymbols } from '../../src/evidence/syntax/check-symbols.ts';
import { heartbeatOf, isShownActive } from '../../src/gsd/heartbeat.ts';
import { resolveMilestone } from '../../src/gsd/resolve-milestone.ts';
import { type BlockerRecovery, classifyBlocker } from '../../src/workflows/milestone/rules/blocker.ts';
import { contextSeverity } from '../../src/workflows/milestone/rules/context-severity.ts';
import {
  type AdvocateVerdict,
  firstWords,
  resolveObjection,
  type Ruling,
} from '../../src/workflows/milestone/rules/dialectic.ts';
import { planCheckOutcome } from '../../src/workflows/milestone/rules/plan-check.ts';
import { classifyRepair, droppedRequirements, isLargeTask } from '../../src/workflows/milestone/rules/repair.ts';
import { securityWords } from '../../src/workflows/milestone/rules/security-words.ts';
import { readVectors } from './read-vectors.ts';

const all = readVectors(
  'forgeauto-routing-repair-review',
  z.looseObject({ fn: z.string(), name: z.string().optional(), input: z.unknown(), expect: z.unknown() }),
);
const of = (fn: string) => all.filter((vector) => vector.fn === fn);

/** Decided in forgeauto-routing.test.ts. */
const elsewhere = ['tier', 'tierModel', 'effort', 'accountHandoff'];

it('leaves nothing out', () => {
  const here = [
    'classifyRepair',
    'isLargeTask',
    'reinjectDiff',
    'reviewResolve',
    'resolveRun',
    'heartbeat',
    'planCheckBlocking',
    'contextSeverity',
    'failureTaxonomy',
    'securityKeywords',
    'symbolCheck',
  ];
  expect([...new Set(all.map(({ fn }) => fn))].sort()).toEqual([...elsewhere, ...here].sort());
  expect(all).toHaveLength(69);
});

const signals = z
  .object({
    missing_artifacts: z.number(),
    substantive_false: z.number(),
    wired_false: z.number(),
    symbol_missing: z.number(),
    test_quality: z.object({ disabled: z.number(), weak: z.number() }),
    is_large_task: z.boolean(),
  })
  .transform((raw) => ({
    missingArtifacts: raw.missing_artifacts,
    notSubstantive: raw.substantive_false,
    notWired: raw.wired_false,
    missingSymbols: raw.symbol_missing,
    tests: raw.test_quality,
    isLarge: raw.is_large_task,
  }));
const repair = z.object({
  severity: z.literal('critical').optional(),
  failure_shape: z.literal('context_overflow').optional(),
  worker_explained: z.enum(['contradictory', 'impossible']).optional(),
  signals,
});

it.each(of('classifyRepair'))('repair: $name', ({ input, expect: wanted }) => {
  const read = input === null ? undefined : repair.parse(input);
  const question = read && {
    signals: read.signals,
    severity: read.severity,
    shape: read.failure_shape,
    explained: read.worker_explained,
  };
  expect(classifyRepair(question).strategy).toBe(wanted);
});

it('prefers a test that is switched off as the reason', () => {
  const tests = { disabled: 1, weak: 2 };
  const none = { missingArtifacts: 0, notSubstantive: 0, notWired: 0, missingSymbols: 0, isLarge: false };
  expect(classifyRepair({ signals: { ...none, tests } }).reason).toContain('switched off');
});

it.each([
  [{ steps: 6, artifacts: 0, lines: 0 }, true],
  [{ steps: 5, artifacts: 2, lines: 250 }, false],
  [{ steps: 0, artifacts: 3, lines: 0 }, true],
  [{ steps: 0, artifacts: 0, lines: 251 }, true],
  [{ isLarge: false, steps: 9, artifacts: 9, lines: 900 }, false],
] as const)('a task of %o is large: %s', (size, wanted) => expect(isLargeTask(size)).toBe(wanted));

it('puts what was planned and not delivered into the next unit, and nothing that was dropped on purpose', () => {
  const planned = ['a', 'b', 'c'];
  expect(droppedRequirements({ planned, delivered: ['a', 'b'], pruned: [] })).toEqual({
    dropped: ['c'],
    isCapped: false,
  });
  expect(droppedRequirements({ planned, delivered: ['a', 'b'], pruned: ['c'] })).toEqual({
    dropped: [],
    isCapped: false,
  });
  expect(droppedRequirements({ planned, delivered: undefined, pruned: [] })).toEqual({ dropped: [], isCapped: false });
  const many = Array.from({ length: 11 }, (_, at) => `R${at}`);
  expect(droppedRequirements({ planned: many, delivered: [], pruned: [] })).toEqual({
    dropped: many.slice(0, 10),
    isCapped: true,
  });
});

const pairs = of('reviewResolve').flatMap(({ input, expect: wanted }) =>
  Array.isArray(input)
    ? [{ verdict: input[0] as AdvocateVerdict, ruling: input[1] as Ruling, wanted: String(wanted) }]
    : [],
);
it('has all pairs', () => expect(pairs).toHaveLength(5));
it.each(pairs)('an objection that is $verdict and $ruling is $wanted', ({ verdict, ruling, wanted }) => {
  expect(resolveObjection(verdict, ruling)).toBe(wanted.toLowerCase());
});
it('without a round of answers every objection is maintained', () => {
  expect(resolveObjection('refuted', undefined)).toBe(resolveObjection('refuted', 'maintained'));
});
it('keeps the first of two verdicts on one objection and says so', () => {
  const { byId, warnings } = firstWords(
    [
      { id: 'R1', verdict: 'conceded' },
      { id: 'R1', verdict: 'refuted' },
    ],
    ['R1'],
  );
  expect(byId.get('R1')?.verdict).toBe('conceded');
  expect(warnings).toHaveLength(1);
});

const runs = z.object({ arg: z.string(), active: z.array(z.string()) });
const statuses: Readonly<Record<string, string>> = {
  'activate-new M065': 'start',
  legacy: 'next',
  'refuse + list + examples': 'refuse',
};
it.each(of('resolveRun'))('which run: $name', ({ input, expect: wanted }) => {
  const { arg, active } = runs.parse(input);
  const resolved = resolveMilestone(
    arg,
    active.map((milestone) => ({ milestone, run: `run-${milestone}` })),
  );
  expect(resolved.status).toBe(statuses[String(wanted)] ?? wanted);
  if (resolved.status === 'start') expect(resolved.milestone).toBe('M065');
  if (resolved.status === 'refuse') expect(resolved.examples).toHaveLength(active.length);
});

it('a run that was silent for five minutes may be taken over, and is shown as active for fifteen', () => {
  expect([heartbeatOf(299_000), heartbeatOf(301_000)]).toEqual(['fresh', 'stale']);
  expect([isShownActive(15 * 60_000), isShownActive(15 * 60_000 + 1)]).toEqual([true, false]);
});

const rounds = z.object({ failCounts: z.array(z.number()), max: z.literal(3) });
it.each(of('planCheckBlocking'))('plan check $input: $expect', ({ input, expect: wanted }) => {
  const { failCounts } = rounds.parse(input);
  expect(planCheckOutcome(failCounts)).toBe(wanted);
  // Every round before the last led to a revision.
  for (let at = 1; at < failCounts.length; at += 1) expect(planCheckOutcome(failCounts.slice(0, at))).toBe('revised');
});

it.each(of('contextSeverity'))('$input of the context left is $expect', ({ input, expect: wanted }) => {
  expect(contextSeverity(Number(input))).toBe(wanted);
});

const taxonomy = z.tuple([z.string(), z.string()]);
const actions: Readonly<Record<string, BlockerRecovery['action']>> = { 'retry once other model': 'other-model' };
it.each(of('failureTaxonomy'))('blocked by $input', ({ input, expect: wanted }) => {
  const [kind, recovery] = taxonomy.parse(wanted);
  const blocker = classifyBlocker({ text: String(input) });
  expect(blocker.class).toBe(kind);
  expect(blocker.recovery.action).toBe(actions[recovery] ?? 'stop');
});
it('known defect: single words of a sentence decide nothing', () => {
  expect(classifyBlocker({ text: 'The API of the parser cannot hold a token' }).class).toBe('unknown');
});
it('goes up twice and to another model once, then stops with its sentence', () => {
  const overflow = { kind: 'context_overflow', text: '' };
  expect(classifyBlocker(overflow, ['tier-up']).recovery.action).toBe('tier-up');
  expect(classifyBlocker(overflow, ['tier-up', 'tier-up']).recovery.action).toBe('stop');
  expect(classifyBlocker({ kind: 'model_refusal', text: '' }, ['other-model']).recovery.action).toBe('stop');
});

it('finds the words that ask for a security checklist', () => {
  const words = String(of('securityKeywords')[0]?.input).replace('api.?key', 'api_key').split('|');
  for (const word of words) expect(securityWords(`Add ${word} handling`)).not.toEqual([]);
  expect(securityWords('Sort the list')).toEqual([]);
});

it('finds symbols by syntax', () => {
  const files = [{ path: 'lib/known.js', text: 'function knownFn(){}; exports.knownFn = knownFn;' }];
  const names = ['knownFn', 'absent', 'make${Name}', 'fresh.js'];
  expect(checkSymbols({ names, created: ['src/fresh.js'], files }).map(({ state }) => state)).toEqual([
    'verified',
    'missing',
    'uncheckable',
    'greenfield',
  ]);
  expect(checkSymbols({ names: ['absent'], created: [], files, isPartial: true })[0]?.state).toBe('uncheckable');
});
