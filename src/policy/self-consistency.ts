/**
 * What several readers with different eyes found, made into one verdict: what two of them saw in the same place
 * blocks a release, and so does an error of a kind that fails silently even if one alone saw it. The rest is advice.
 */
import type { ReviewFinding } from './review-finding.ts';

export interface LensFindings {
  readonly lens: string;
  readonly findings: readonly ReviewFinding[];
}

/** One finding, however many saw it. */
export interface AgreedFinding extends ReviewFinding {
  readonly lenses: readonly string[];
}

export interface Aggregated {
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

export function aggregateFindings(byLens: readonly LensFindings[]): Aggregated {
  const groups: AgreedFinding[] = [];
  for (const { lens, findings } of byLens) {
    for (const finding of findings) {
      const at = groups.findIndex((group) => isSame(group, finding));
      const known = groups[at];
      if (known === undefined) groups.push({ ...finding, lenses: [lens] });
      else groups[at] = join(known, finding, lens);
    }
  }
  const blocks = (finding: AgreedFinding) => finding.lenses.length >= 2 || isSilent(finding);
  return { mustFix: groups.filter(blocks), advisory: groups.filter((finding) => !blocks(finding)) };
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

function join(known: AgreedFinding, finding: ReviewFinding, lens: string): AgreedFinding {
  const worse = rank(finding) < rank(known) ? finding : known;
  const silent = [known, finding].find(isSilent);
  return { ...(silent ?? worse), lenses: [...new Set([...known.lenses, lens])] };
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
