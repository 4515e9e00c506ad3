/**
 * Which test proves which criterion, in both directions, from what really ran: a criterion passes when a test that names it
 * was seen to pass and none that names it failed. What an agent says about its tests is not asked. Pure.
 */
import type { ProductRequirements } from '../../../design/design.ts';
import { criteriaIn, idsIn } from '../../../design/design-ids.ts';
import type { CheckReport } from '../../../policy/check-report.ts';
import type { TracedTest } from '../../../policy/traced-test.ts';

export type ProofStatus = 'PASS' | 'FAIL' | 'NOT_COVERED';
export type TestStatus = 'PASS' | 'FAIL' | 'SKIPPED' | 'NOT_RUN';

export interface ProvenTest {
  /** `path::name`. */
  readonly id: string;
  readonly file: string;
  readonly line: number;
  readonly status: TestStatus;
  readonly criteria: readonly string[];
  readonly journeys: readonly string[];
  readonly assertions: number;
}

export interface ProvenCriterion {
  readonly id: string;
  readonly text: string;
  readonly status: ProofStatus;
  readonly tests: readonly string[];
  readonly modules: readonly string[];
  readonly commits: readonly string[];
  readonly reason?: string;
  readonly issue?: string;
}

export interface ProvenJourney {
  readonly id: string;
  readonly status: ProofStatus;
  readonly touchpoints_total: number;
  readonly touchpoints_traversed: number;
  readonly scenarios: readonly { readonly kind: ScenarioKind; readonly test: string; readonly status: ProofStatus }[];
  readonly coverage_gap_issue?: string;
}

export type ScenarioKind = 'happy' | 'error' | 'boundary' | 'concurrency' | 'idempotency';

export interface ModuleTrace {
  readonly id: string;
  readonly commits: readonly string[];
  readonly criteria: readonly string[];
  readonly files: readonly string[];
}

export interface Traceability {
  readonly criteria: readonly ProvenCriterion[];
  readonly journeys: readonly ProvenJourney[];
  readonly orphan_tests: readonly string[];
  readonly unmapped_criteria: readonly string[];
  readonly tests: readonly ProvenTest[];
  readonly modules: readonly ModuleTrace[];
}

export interface TraceMatter {
  readonly prd: Pick<ProductRequirements, 'features' | 'journeys'>;
  readonly tests: readonly TracedTest[];
  readonly report: Pick<CheckReport, 'commands' | 'status'>;
  readonly modules: readonly ModuleTrace[];
  /** What a person or a tracked issue excuses, by criterion or journey. */
  readonly excused: Readonly<Record<string, { readonly reason: string; readonly issue?: string }>>;
  /** Tests that nobody has to name a criterion in, such as those of modules. */
  readonly isAcceptanceTest: (file: string) => boolean;
}

export function traceRequirements(matter: TraceMatter): Traceability {
  const { prd, modules, excused } = matter;
  const known = new Set(prd.features.flatMap(({ criteria }) => criteria.map(({ id }) => id)));
  const journeyIds = new Set(prd.journeys.map(({ id }) => id));
  const tests = matter.tests.map((test) => provenTest(test, matter));
  const criteria = prd.features.flatMap((feature) =>
    feature.criteria.map(({ id, text }): ProvenCriterion => {
      const proving = tests.filter((test) => test.criteria.includes(id));
      const owners = modules.filter((module) => module.criteria.includes(id));
      return {
        id,
        text,
        ...proofOf(proving, excused[id]),
        tests: proving.map((test) => test.id),
        modules: owners.map((module) => module.id),
        commits: owners.flatMap(({ commits }) => commits),
      };
    }),
  );
  const isOrphan = (test: ProvenTest): boolean =>
    matter.isAcceptanceTest(test.file) &&
    !test.criteria.some((id) => known.has(id)) &&
    !test.journeys.some((id) => journeyIds.has(id));
  return {
    criteria,
    journeys: prd.journeys.map((journey) => provenJourney(journey, tests, excused[journey.id])),
    orphan_tests: tests.filter(isOrphan).map(({ id }) => id),
    unmapped_criteria: criteria
      .filter(({ id, tests: names }) => names.length === 0 && excused[id]?.issue === undefined)
      .map(({ id }) => id),
    tests,
    modules,
  };
}

function provenTest(test: TracedTest, { report }: TraceMatter): ProvenTest {
  return {
    id: `${test.file}::${test.name}`,
    file: test.file,
    line: test.line,
    status: statusOf(test, report),
    criteria: criteriaIn(test.name),
    journeys: journeysIn(test.name),
    assertions: test.assertions,
  };
}

/** `J-001`, also written `J001`. */
function journeysIn(name: string): string[] {
  const plain = [...name.matchAll(/(?<![A-Za-z0-9])J_?(\d{3,})(?!\d)/gi)].map(([, digits]) => `J-${digits ?? ''}`);
  return [...new Set([...idsIn(name, 'J'), ...plain])];
}

/** Runners whose output lists every test that passed: what they do not list did not run. */
const listing: ReadonlySet<string> = new Set(['tap', 'node-spec', 'junit', 'jest-json', 'go-json']);

function statusOf(test: TracedTest, { commands, status }: TraceMatter['report']): TestStatus {
  const counts = commands.flatMap((command) => command.counts ?? []);
  if (counts.some(({ failing }) => failing.some((name) => isNamed(name, test)))) return 'FAIL';
  if (test.isSkipped) return 'SKIPPED';
  if (counts.some(({ passing = [] }) => passing.some((name) => isNamed(name, test)))) return 'PASS';
  // A runner that only counts: all that ran passed, and nothing says that this one was left out.
  const ran = commands.filter(({ counts: each }) => (each?.passed ?? 0) > 0);
  const onlyCounts = ran.length > 0 && ran.every(({ reader = '' }) => !listing.has(reader));
  return onlyCounts && (status === 'passed' || status === 'flaky') ? 'PASS' : 'NOT_RUN';
}

/** Results are named with the file or the suites before the test, in the runner's own way. */
function isNamed(result: string, { name, leaf }: Pick<TracedTest, 'name' | 'leaf'>): boolean {
  if (result === name || result === leaf) return true;
  return [` > ${name}`, ` > ${leaf}`, `::${leaf}`, `.${leaf}`, `/${leaf}`].some((end) => result.endsWith(end));
}

function proofOf(
  tests: readonly ProvenTest[],
  excuse: { readonly reason: string; readonly issue?: string } | undefined,
): Pick<ProvenCriterion, 'status' | 'reason' | 'issue'> {
  const failed = tests.filter(({ status }) => status === 'FAIL');
  if (failed.length > 0) return { status: 'FAIL', reason: `${failed.map(({ id }) => id).join(', ')} fails` };
  if (tests.some(({ status, assertions }) => status === 'PASS' && assertions > 0)) return { status: 'PASS' };
  if (excuse !== undefined) return { status: 'NOT_COVERED', ...excuse };
  if (tests.length === 0) return { status: 'NOT_COVERED', reason: 'no test names it' };
  const empty = tests.some(({ status }) => status === 'PASS');
  return { status: 'NOT_COVERED', reason: empty ? 'its test asserts nothing' : 'its test did not run' };
}

function provenJourney(
  journey: ProductRequirements['journeys'][number],
  tests: readonly ProvenTest[],
  excuse: { readonly reason: string; readonly issue?: string } | undefined,
): ProvenJourney {
  const own = tests.filter((test) => test.journeys.includes(journey.id));
  const scenarios = own.map((test) => ({
    kind: kindOf(test, journey),
    test: test.id,
    status: proofOf([test], undefined).status,
  }));
  const planned = journey.scenarios.map(({ path }, at) => ({ kind: kindOfPath(path), at: at + 1 }));
  const covers = ({ kind, at }: (typeof planned)[number]): boolean =>
    own.some(
      (test) =>
        proofOf([test], undefined).status === 'PASS' &&
        (scenarioNumber(test.id, journey.id) ?? (kindOf(test, journey) === kind ? at : 0)) === at,
    );
  const total = Math.max(1, journey.touchpoints.length);
  const hasHappy = scenarios.some(({ kind, status }) => kind === 'happy' && status === 'PASS');
  const hasOther = scenarios.some(({ kind, status }) => kind !== 'happy' && status === 'PASS');
  const status: ProofStatus = scenarios.some((each) => each.status === 'FAIL')
    ? 'FAIL'
    : hasHappy && hasOther && planned.every(covers)
      ? 'PASS'
      : 'NOT_COVERED';
  return {
    id: journey.id,
    status,
    touchpoints_total: total,
    touchpoints_traversed: hasHappy ? total : 0,
    scenarios,
    ...(excuse?.issue === undefined ? {} : { coverage_gap_issue: excuse.issue }),
  };
}

/** `J-001-E2E2`, `J-001 E2E#2`, `J-001 #2`: the second scenario of the journey. */
function scenarioNumber(name: string, journey: string): number | undefined {
  const digits = journey.slice(2);
  const found = new RegExp(String.raw`J[-_]?${digits}\s?[-/_ ]?\s?(?:E2E\s?[-#]?\s?|#)(\d{1,3})`, 'i').exec(name)?.[1];
  return found === undefined ? undefined : Number(found);
}

function kindOf(test: ProvenTest, journey: ProductRequirements['journeys'][number]): ScenarioKind {
  const number = scenarioNumber(test.id, journey.id);
  const row = number === undefined ? undefined : journey.scenarios[number - 1];
  if (row !== undefined) return kindOfPath(row.path);
  const words = test.id.slice(test.id.indexOf('::'));
  if (/\b(?:concurren|parallel|at once)/i.test(words)) return 'concurrency';
  if (/\b(?:idempoten|again|twice)/i.test(words)) return 'idempotency';
  if (/\b(?:error|refus|reject|invalid|fail|unhappy|missing|bad|without)/i.test(words)) return 'error';
  return /\b(?:empty|limit|boundar|too (?:long|many|large)|maximum|edge)/i.test(words) ? 'boundary' : 'happy';
}

function kindOfPath(path: string): ScenarioKind {
  if (/^happy/i.test(path)) return 'happy';
  return /error|recover/i.test(path) ? 'error' : 'boundary';
}
