/**
 * What several readers with different eyes found, made into one verdict: what two of them saw in the same place
 * blocks a release, and so does an error of a kind that fails silently even if one alone saw it. The rest is advice.
 */
import { isFixable, repositoryPath } from './finding-path.ts';
import type { ReviewFinding } from './review-finding.ts';

export interface LensFindings {
  readonly lens: string;
  readonly findings: readonly ReviewFinding[];
}

/** One finding, however many saw it. */
export interface AgreedFinding extends ReviewFinding {
  readonly lenses: readonly string[];
}

export interface AggregatedFindings {
  readonly mustFix: readonly AgreedFinding[];
  readonly advisory: readonly AgreedFinding[];
}

/** Readers rarely name the very same line. */
const nearLines = 5;
/** Tests stay green while these fail, so one reader with evidence is enough. */
const silentKinds: ReadonlySet<string> = new Set([
  'silent-failure',
  'contract-mismatch',
  'schema-drift',
  'silent-production-failure',
]);

/** `known`: paths and patterns of files that are there, by which places written in another way are recognized. */
export function aggregateFindings(byLens: readonly LensFindings[], known: readonly string[] = []): AggregatedFindings {
  const named = byLens
    .flatMap(({ findings }) => findings.map(({ file }) => repositoryPath(file, [])))
    .filter(isFixable);
  const files = [...known, ...named];
  const cited = byLens
    .toSorted((a, b) => (a.lens < b.lens ? -1 : 1))
    .flatMap(({ lens, findings }) =>
      findings.map((finding): Cited => ({ lens, finding: { ...finding, file: repositoryPath(finding.file, files) } })),
    );
  const agreed = groupsOf(cited).flatMap(agreedOn);
  const blocks = (finding: AgreedFinding) => finding.lenses.length >= 2 || isSilent(finding);
  return { mustFix: agreed.filter(blocks), advisory: agreed.filter((finding) => !blocks(finding)) };
}

/**
 * A round's findings with those of the rounds before it that nobody could be set to, as their file is not known: they
 * were not fixed, so they stand though a later reader does not name them again.
 */
export function withUnfixed(before: AggregatedFindings | undefined, now: AggregatedFindings): AggregatedFindings {
  const isNamed = (one: AgreedFinding) =>
    now.mustFix.some(({ file, claim }) => file === one.file && claim === one.claim);
  const left = (before?.mustFix ?? []).filter((one) => !isFixable(one.file) && !isNamed(one));
  return left.length === 0 ? now : { ...now, mustFix: [...now.mustFix, ...left] };
}

interface Cited {
  readonly lens: string;
  readonly finding: ReviewFinding;
}

/**
 * Findings are of one group when each is near another of it, whoever comes first. Those that name an element make the
 * groups; one that names none goes by its place alone, and so must not bring two elements together.
 */
function groupsOf(cited: readonly Cited[]): readonly (readonly Cited[])[] {
  const groups: Cited[][] = [];
  const isNamed = ({ finding }: Cited) => lastName(finding.element) !== '';
  for (const each of cited.filter(isNamed)) {
    const met = groups.filter((group) => group.some((other) => isSame(other.finding, each.finding)));
    for (const group of met) groups.splice(groups.indexOf(group), 1);
    groups.push([...met.flat(), each]);
  }
  for (const each of cited.filter((one) => !isNamed(one))) {
    const met = groups.filter((group) => group.some((other) => isSame(other.finding, each.finding)));
    // Agreement is with somebody else.
    const joined = met.find((group) => group.some(({ lens }) => lens !== each.lens)) ?? met[0];
    if (joined === undefined) groups.push([each]);
    else joined.push(each);
  }
  return groups;
}

/** One finding where lenses agree. What a single lens said are its own findings, each once. */
function agreedOn(group: readonly Cited[]): readonly AgreedFinding[] {
  const lenses = [...new Set(group.map(({ lens }) => lens))].toSorted();
  if (lenses.length === 1) {
    const byClaim = new Map(group.toReversed().map(({ finding }) => [finding.claim, finding]));
    return [...byClaim.values()].toReversed().map((finding) => ({ ...finding, lenses }));
  }
  const [first] = group.toSorted((a, b) => rank(a.finding) - rank(b.finding));
  const chosen = group.find(({ finding }) => isSilent(finding)) ?? first;
  if (chosen === undefined) return [];
  // Others say the same in their words; what its own reader said besides is something else.
  const claims = group.filter(({ lens }) => lens === chosen.lens).map(({ finding }) => finding.claim);
  const claim = [...new Set([chosen.finding.claim, ...claims])].join('; ');
  return [{ ...chosen.finding, claim, lenses }];
}

function isSame(a: ReviewFinding, b: ReviewFinding): boolean {
  return a.file === b.file && Math.abs(a.line - b.line) <= nearLines && aboutTheSame(a.element, b.element);
}

/** Readers may spell one element `save`, `save()` or `Store.save`; one that names none is taken by its place. */
function aboutTheSame(a: string, b: string): boolean {
  const [left, right] = [lastName(a), lastName(b)];
  return left === '' || right === '' || left === right;
}

function lastName(element: string): string {
  return (
    element
      .match(/[\p{L}\p{N}_$]+/gu)
      ?.at(-1)
      ?.toLowerCase() ?? ''
  );
}

function isSilent({ severity, category }: ReviewFinding): boolean {
  return (
    severity === 'error' &&
    silentKinds.has(
      category
        .trim()
        .toLowerCase()
        .replaceAll(/[\s_]+/g, '-'),
    )
  );
}

function rank({ severity }: ReviewFinding): number {
  return ['error', 'warning', 'info'].indexOf(severity);
}
