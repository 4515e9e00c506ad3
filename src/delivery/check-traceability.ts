/**
 * Checks `traceability.json`: its shape, ids and counts, and that nothing passes without a test that exists. The file may come
 * from anybody; what does not fit is reported place by place and never thrown. Pure.
 */
import { z } from 'zod';
import { issueIn as issueReference } from '../design/design-ids.ts';
import { quoteText } from '../design/design-problems.ts';
import { type FoundIssue, issueIn, type PlanIssue } from './plan-issue.ts';

/** Whether a path relative to the source root is a plain file; undefined where there is no source to look at. */
export type FileLookup = ((path: string) => boolean) | undefined;

const statuses = ['PASS', 'FAIL', 'NOT_COVERED'] as const;
const kinds = ['happy', 'error', 'boundary', 'concurrency', 'idempotency'] as const;

const criterion = z.object({
  id: z.string().regex(/^F-\d{3,}\/AC\d+$/, 'has to look like F-001/AC1'),
  status: z.enum(statuses),
  tests: z.array(z.string()).default([]),
  issue: z.string().optional(),
});
const journey = z
  .object({
    id: z.string().regex(/^J-\d{3,}$/, 'has to look like J-001'),
    status: z.enum(statuses),
    touchpoints_total: z.int().positive(),
    touchpoints_traversed: z.int().nonnegative(),
    scenarios: z.array(z.object({ kind: z.enum(kinds), test: z.string(), status: z.enum(statuses) })),
    coverage_gap_issue: z.string().optional(),
  })
  .refine(
    (value) => value.touchpoints_traversed <= value.touchpoints_total,
    'traverses more touchpoints than there are',
  );
const named = (key: 'path' | 'id') =>
  z.union([z.string(), z.looseObject({ [key]: z.string() }).transform((value) => String(value[key]))]);
const traceability = z.object({
  criteria: z.array(z.unknown()),
  journeys: z.array(z.unknown()),
  orphan_tests: z.array(named('path')),
  unmapped_criteria: z.array(named('id')),
});

export function checkTraceability(file: string, text: string, isFile?: FileLookup): readonly PlanIssue[] {
  const value = parsed(text);
  const shape = traceability.safeParse(value);
  if (!shape.success) {
    return shape.error.issues
      .slice(0, 50)
      .map(({ path, message }) => issueIn(file, wrongShape(path.join('.'), message)));
  }
  const { criteria, journeys, orphan_tests, unmapped_criteria } = shape.data;
  const seen = new Set<string>();
  return [
    ...criteria.flatMap((each, at) =>
      checked(criterion, each, `criteria[${at}]`, (found) => [
        ...repeated(found.id, seen),
        ...aboutCriterion(found, isFile),
      ]),
    ),
    ...journeys.flatMap((each, at) =>
      checked(journey, each, `journeys[${at}]`, (found) => [
        ...repeated(found.id, seen),
        ...aboutJourney(found, isFile),
      ]),
    ),
    ...orphan_tests.map(
      (each): FoundIssue => ({
        rule: 'CR-AF09',
        line: 0,
        description: `The test ${quoteText(each)} belongs to no criterion.`,
        fix: 'Map it to a criterion, or remove it.',
      }),
    ),
    ...unmapped_criteria.map(
      (each): FoundIssue => ({
        rule: 'CR-AF08',
        line: 0,
        description: `The criterion ${quoteText(each)} has no test.`,
        fix: 'Write a test that proves it.',
      }),
    ),
  ].map((found) => issueIn(file, found));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function wrongShape(where: string, message: string): FoundIssue {
  const place = where === '' ? 'The file' : where;
  return {
    rule: 'CR-AF07',
    line: 0,
    description: `${place}: ${message}`,
    fix: 'Write criteria, journeys, orphan_tests and unmapped_criteria as docs/check-plan.md shows.',
  };
}

function checked<T>(
  schema: z.ZodType<T>,
  value: unknown,
  where: string,
  then: (value: T) => FoundIssue[],
): FoundIssue[] {
  const result = schema.safeParse(value);
  if (result.success) return then(result.data);
  return result.error.issues.map(({ path, message }) => wrongShape([where, ...path].join('.'), message));
}

function repeated(id: string, seen: Set<string>): FoundIssue[] {
  if (!seen.has(id)) {
    seen.add(id);
    return [];
  }
  return [wrongShape(id, 'is there twice')];
}

function aboutCriterion({ id, status, tests, issue }: z.output<typeof criterion>, isFile: FileLookup): FoundIssue[] {
  if (status === 'NOT_COVERED') {
    if (issueReference(issue ?? '') !== undefined) return [];
    return [
      {
        rule: 'CR-AF10',
        line: 0,
        description: `${id} is not covered and no issue says so.`,
        fix: 'Write a test, or add "issue": "owner/repo#123".',
      },
    ];
  }
  if (tests.length === 0) return [wrongShape(id, `is ${status} without any test`)];
  return tests.flatMap((test) => aboutTest(id, test, isFile));
}

function aboutJourney(
  { id, status, scenarios, coverage_gap_issue }: z.output<typeof journey>,
  isFile: FileLookup,
): FoundIssue[] {
  const tests = scenarios.flatMap((scenario) =>
    scenario.status === 'NOT_COVERED' ? [] : aboutTest(id, scenario.test, isFile),
  );
  const hasOther = scenarios.some(({ kind, status: result }) => kind !== 'happy' && result !== 'NOT_COVERED');
  if (hasOther || issueReference(coverage_gap_issue ?? '') !== undefined) return tests;
  if (status === 'PASS' && scenarios.length === 0) return [...tests, wrongShape(id, 'is PASS without any scenario')];
  return [
    ...tests,
    {
      rule: 'CR-AF21',
      line: 0,
      description: `${id} is only tested on the happy path.`,
      fix: 'Add an error, boundary, concurrency or idempotency scenario, or "coverage_gap_issue": "owner/repo#123".',
    },
  ];
}

/** `path` or `path::name`. */
function aboutTest(id: string, test: string, isFile: FileLookup): FoundIssue[] {
  const [path = ''] = test.split('::', 1);
  const description =
    path.trim() === ''
      ? `${id} names a test without a file.`
      : isFile !== undefined && !isFile(path.trim())
        ? `${id} names the test file ${quoteText(path)}, which does not exist.`
        : undefined;
  return description === undefined
    ? []
    : [
        {
          rule: 'CR-AF15',
          line: 0,
          description,
          fix: 'Name the file of a test that exists, relative to the source root.',
        },
      ];
}
