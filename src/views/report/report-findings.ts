/**
 * Everything that was found and still stands, from whoever found it: the final review, modules' reviewers, testers, and
 * what the engine saw done to the tests. What was mended on the way is listed as such.
 */
import { createHash } from 'node:crypto';
import type { Bug } from '../../policy/role-results.ts';
import { replyOf } from '../agent-reading.ts';
import { type Chronicle, isModules, isWaves, lastReading } from '../chronicle.ts';
import { eventsOf, finalRound, reviewRounds } from '../modules-keys.ts';
import { modulesSummary } from '../modules-summary.ts';
import { runFigures } from '../run-output.ts';
import { summaryOf } from '../summary.ts';

export interface ReportFinding {
  readonly source: 'final review' | 'review' | 'test' | 'evidence';
  /** `must-fix` keeps the release back; `mended` was sent back and is gone. */
  readonly state: 'must-fix' | 'advisory' | 'mended';
  readonly severity: 'error' | 'warning' | 'info';
  readonly category: string;
  readonly file: string;
  /** 0 when it is about the whole file. */
  readonly line: number;
  readonly element: string;
  readonly claim: string;
  readonly evidence: string;
  readonly suggestion: string;
  /** Who saw it: lenses, or the module. */
  readonly seenBy: readonly string[];
  /** The same for the same finding in another run, wherever its line has moved. */
  readonly fingerprint: string;
}

export function reportFindings(chronicle: Chronicle): ReportFinding[] {
  const found = [
    ...(isModules(chronicle) ? [...finalFindings(chronicle), ...reviewFindings(chronicle)] : []),
    ...(isWaves(chronicle) ? runFigures(chronicle).remainingBugs.map(ofBug) : []),
    ...summaryOf(chronicle).findings.map(
      ({ path, line, kind, claim }): Unmarked => ({
        ...blank,
        source: 'evidence',
        state: 'advisory',
        severity: 'warning',
        category: kind,
        file: path,
        line,
        claim,
      }),
    ),
  ];
  return found.map((finding) => ({ ...finding, fingerprint: fingerprintOf(finding) }));
}

type Unmarked = Omit<ReportFinding, 'fingerprint'>;
const blank = { element: '', evidence: '', suggestion: '', seenBy: [] } as const;

/** The last round's stand; what an earlier one sent back and the last does not name again was mended. */
function finalFindings(chronicle: Chronicle): Unmarked[] {
  const { mustFix, advisory } = modulesSummary(chronicle);
  const standing = [
    ...mustFix.map(
      (finding): Unmarked => ({ ...finding, source: 'final review', state: 'must-fix', seenBy: finding.lenses }),
    ),
    ...advisory.map(
      (finding): Unmarked => ({ ...finding, source: 'final review', state: 'advisory', seenBy: finding.lenses }),
    ),
  ];
  const known = new Set(standing.map(fingerprintOf));
  const rounds = Array.from({ length: Math.max(0, reviewRounds(chronicle) - 1) }, (_, at) => at + 1);
  const mended = rounds.flatMap((round) =>
    (finalRound(chronicle, round)?.mustFix ?? []).flatMap((finding): Unmarked[] => {
      const one: Unmarked = { ...finding, source: 'final review', state: 'mended', seenBy: finding.lenses };
      if (known.has(fingerprintOf(one))) return [];
      known.add(fingerprintOf(one));
      return [one];
    }),
  );
  return [...standing, ...mended];
}

/** What the reviewers of modules said: warnings stand, errors were sent back until a review no longer had them. */
function reviewFindings(chronicle: Chronicle): Unmarked[] {
  return modulesSummary(chronicle).modules.flatMap(({ task, status }) => {
    const reviews = eventsOf(chronicle, task)
      .filter((event) => event.type === 'reviewer')
      .map(({ key }) => replyOf(lastReading(chronicle, key), 'reviewer')?.findings ?? []);
    const last = new Set((reviews.at(-1) ?? []).map((finding) => finding.claim));
    const seen = new Set<string>();
    return reviews.flat().flatMap((finding): Unmarked[] => {
      const id = `${finding.file}\n${finding.claim}`;
      if (seen.has(id)) return [];
      seen.add(id);
      const isOpen = finding.severity !== 'error' || last.has(finding.claim);
      const open = status === 'done' || finding.severity !== 'error' ? 'advisory' : 'must-fix';
      return [{ ...finding, source: 'review', state: isOpen ? open : 'mended', seenBy: [task] }];
    });
  });
}

const bugSeverity = { critical: 'error', major: 'error', minor: 'warning' } as const;

function ofBug({ title, category, severity, files, reproduction, expected, actual, wave }: Bug): Unmarked {
  const evidence = [
    ...(reproduction === '' ? [] : [reproduction]),
    ...(expected === '' ? [] : [`expected ${expected}`]),
    ...(actual === '' ? [] : [`got ${actual}`]),
  ];
  return {
    ...blank,
    source: 'test',
    state: 'must-fix',
    severity: bugSeverity[severity],
    category: `${category} test`,
    file: files[0] ?? '',
    line: 0,
    claim: title,
    evidence: evidence.join('; '),
    seenBy: [typeof wave === 'number' ? `W${wave}` : wave],
  };
}

/** Without the line, which moves, and without words where an element names the thing. */
function fingerprintOf({ source, category, file, element, claim }: Unmarked): string {
  const about = [source, category, file, element === '' ? claim : element];
  return createHash('sha256').update(JSON.stringify(about)).digest('hex').slice(0, 32);
}
