/**
 * What the steps and tasks of a run reported, put together by the rules of policy/work-report.ts: the outermost word on
 * findings counts, a round replaces the rounds before it, and what an earlier one found and the newest does not is
 * fixed. What was found in a task that was accepted anyway is advice. Linear in the steps of the run.
 */
import { createHash } from 'node:crypto';
import type { Place } from '../engine/facts.ts';
import type { CoveredRequirement, WorkFinding, WorkReport } from '../policy/work-report.ts';
import type { Chronicle } from './chronicle.ts';
import { entriesAt, type OutlineEntry, ownerPlace, pathTitle, placeTitle } from './outline.ts';

export interface ReportedFinding extends Omit<WorkFinding, 'state'> {
  /** `fixed`: it was sent back and is gone. */
  readonly state: WorkFinding['state'] | 'fixed';
  /** The title of the work it was found in. */
  readonly owner: string;
  /** Key of the step or task that reported it. */
  readonly key: string;
  /** The same for the same finding in another run, wherever its line has moved. */
  readonly fingerprint: string;
}

export interface CollectedReports {
  readonly findings: readonly ReportedFinding[];
  readonly redGreen: NonNullable<WorkReport['redGreen']>;
  readonly unverified: readonly string[];
  /** Requirements one by one; empty where no workflow knows them. */
  readonly coverage: readonly CoveredRequirement[];
  readonly lessons: NonNullable<WorkReport['lessons']>;
}

export function collectReports(chronicle: Chronicle): CollectedReports {
  const { findings, redGreen, unverified, coverage, lessons } = inside(chronicle, undefined);
  return { findings, redGreen, unverified: [...new Set(unverified)], coverage, lessons };
}

interface Gathered extends CollectedReports {
  /** Something in it reported findings, if only that there are none. */
  readonly isReported: boolean;
}

const nothing: Gathered = {
  findings: [],
  redGreen: { red: 0, absent: 0, green: 0, notMeasured: 0 },
  unverified: [],
  coverage: [],
  lessons: { added: 0, applied: [], learned: [] },
  isReported: false,
};

/** Of everything below a place; repetitions of one step count as one. */
function inside(chronicle: Chronicle, place: Place | undefined): Gathered {
  const groups = new Map<string, { isRound: boolean; parts: Gathered[] }>();
  for (const entry of entriesAt(chronicle.outline, chronicle.state, place)) {
    if (entry.type !== 'step' && entry.type !== 'task') continue;
    const step = entry.type === 'step' ? chronicle.state.steps.get(entry.key) : undefined;
    const isRound = step?.kind === 'round';
    const id = step === undefined ? `task ${entry.key}` : isRound ? 'round' : `${step.kind} ${step.title}`;
    const group = groups.get(id) ?? { isRound, parts: [] };
    groups.set(id, group);
    group.parts.push(ofEntry(chronicle, entry));
  }
  return groups.size === 0 ? nothing : joinAll([...groups.values()].map(newestOf));
}

function ofEntry(chronicle: Chronicle, entry: OutlineEntry): Gathered {
  const { state } = chronicle;
  const place = { type: entry.type as Place['type'], key: entry.key };
  const below = inside(chronicle, place);
  const outcome = state.tasks.get(entry.key)?.outcome;
  const end = entry.type === 'step' ? state.steps.get(entry.key)?.end : outcome;
  const { findings, redGreen, unverified, coverage, lessons } = end?.report ?? {};
  const isSilent = end?.status === 'unverified' && below.unverified.length === 0;
  const accepted = entry.type === 'task' && outcome?.status === 'done';
  const own = findings?.map((finding) => marked(chronicle, place, finding)) ?? below.findings;
  return {
    findings: accepted ? own.map((one) => (one.state === 'must-fix' ? { ...one, state: 'advisory' } : one)) : own,
    redGreen: redGreen ?? below.redGreen,
    unverified: [
      ...below.unverified,
      ...(unverified ?? []),
      ...(isSilent ? [`${pathTitle(state, place)}: ${end?.detail ?? ''}`] : []),
    ],
    coverage: coverage ?? below.coverage,
    lessons: lessons === undefined ? below.lessons : joinLessons([below.lessons, lessons]),
    isReported: below.isReported || findings !== undefined,
  };
}

/** The newest that reported anything. Earlier findings that it does not repeat are fixed, or still advice. */
function newestOf({ isRound, parts }: { readonly isRound: boolean; readonly parts: readonly Gathered[] }): Gathered {
  const newest = parts.findLast(({ isReported }) => isReported) ?? parts.at(-1) ?? nothing;
  const known = new Set(newest.findings.map(({ fingerprint }) => fingerprint));
  const earlier = parts.slice(0, parts.indexOf(newest)).flatMap(({ findings }) => findings);
  const gone = earlier.flatMap((finding): ReportedFinding[] => {
    if (known.has(finding.fingerprint) || (finding.state === 'advisory' && isRound)) return [];
    known.add(finding.fingerprint);
    return [finding.state === 'must-fix' ? { ...finding, state: 'fixed' } : finding];
  });
  return {
    ...newest,
    lessons: joinLessons(parts.map(({ lessons }) => lessons)),
    findings: [...newest.findings, ...gone],
  };
}

function joinAll(parts: readonly Gathered[]): Gathered {
  const files = (result: keyof Gathered['redGreen']): number =>
    parts.reduce((sum, { redGreen }) => sum + redGreen[result], 0);
  return {
    findings: parts.flatMap(({ findings }) => findings),
    redGreen: { red: files('red'), absent: files('absent'), green: files('green'), notMeasured: files('notMeasured') },
    unverified: parts.flatMap(({ unverified }) => unverified),
    // What was said last about a requirement counts.
    coverage: [...new Map(parts.flatMap(({ coverage }) => coverage.map((one) => [one.id, one] as const))).values()],
    lessons: joinLessons(parts.map(({ lessons }) => lessons)),
    isReported: parts.some(({ isReported }) => isReported),
  };
}

function joinLessons(all: readonly Gathered['lessons'][]): Gathered['lessons'] {
  return {
    added: all.reduce((sum, { added }) => sum + added, 0),
    applied: all.flatMap(({ applied }) => applied),
    learned: all.flatMap(({ learned }) => learned),
  };
}

function marked({ state }: Chronicle, place: Place, finding: WorkFinding): ReportedFinding {
  const owner = ownerPlace(state, place) ?? place;
  return { ...finding, owner: placeTitle(state, owner), key: place.key, fingerprint: fingerprintOf(finding) };
}

/** Who found it and where: `review, m1 Parse queries`. */
export function findingSourceText({ source, owner, seenBy }: ReportedFinding): string {
  const isNamed = owner === '' || owner.toLowerCase() === source.toLowerCase();
  return [source, ...(isNamed ? [] : [owner]), ...seenBy].join(', ');
}

/** Without the line, which moves, and without words where an element names the thing. */
function fingerprintOf({ source, category, file, element, claim }: WorkFinding): string {
  const about = [source, category, file, element === '' ? claim : element];
  return createHash('sha256').update(JSON.stringify(about)).digest('hex').slice(0, 32);
}
