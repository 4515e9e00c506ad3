/**
 * What has to be on record before the result of a run may move, whatever its workflow says. A merge needs a commit that
 * the engine prepared, the project's own checks on the base and on the merged tree, a comparison of old and new tests,
 * and a person's answer for everything that is a person's to decide. Judges are honest: the base, what was accepted with
 * an earlier merge, or a commit whose changes to what judges were accepted. Pure, over the run's own facts.
 */
import { isDeepStrictEqual } from 'node:util';
import { settingsSchema } from '../policy/settings.ts';
import type { CheckReport } from '../policy/check-report.ts';
import { isGreen } from '../policy/check-verdict.ts';
import { isAcceptable, isComplete, onlyDrops } from '../policy/check-standing.ts';
import { expectationWords } from '../policy/square.ts';
import { judgeFirstChanges, judgeGuarded } from '../policy/scope.ts';
import { type ScopeFlag, type ScopeSettings, scopeSettingsSchema } from '../policy/receipt.ts';
import { type EffectKind, type EffectOutput, type EffectRequest, refMovingKinds } from './effect-map.ts';
import type { EffectRecord, RunState } from './run-state.ts';

/** Why a ref must not move as it is asked for; undefined where nothing is missing. */
export function findMissingProof(state: Readonly<RunState>, kind: EffectKind, request: unknown): string | undefined {
  const proven = provenKinds.find((each) => each === kind);
  return (
    proven && (rules[proven] as (state: Readonly<RunState>, request: unknown) => string | undefined)(state, request)
  );
}

/** Every kind that makes something visible or becomes part of the result. */
export const provenKinds = [...refMovingKinds, 'repositories.publish', 'tag.create'] as const;
export type ProvenKind = (typeof provenKinds)[number];

const rules: {
  readonly [K in ProvenKind]: (state: Readonly<RunState>, request: EffectRequest<K>) => string | undefined;
} = {
  'merge.land': (state, request) => missingForMerge(readRecord(state), request),
  'documents.land': (state, request) => missingForDocuments(readRecord(state), request),
  'branch.land': ({ landing }) =>
    landing === undefined ? 'a branch of yours moves only when you land the run' : undefined,
  'branch.publish': missingForResult,
  'repositories.publish': missingForResult,
  'tag.create': missingForResult,
};

function missingForResult(
  { integration, created }: Readonly<RunState>,
  { commit }: { readonly commit: string },
): string | undefined {
  return commit === (integration ?? created?.base) ? undefined : `${short(commit)} is not what the run merged`;
}

/** Why the result cannot be called done, as far as the checks on it say; undefined where they confirm it. */
export function findUnconfirmed(state: Readonly<RunState>, commit: string): string | undefined {
  const run = readRecord(state);
  const [report] = reportsOn(run, commit, (judge) => judge === run.judge).slice(-1);
  if (report === undefined) return 'no check ran on it';
  if (report.status === 'failed') return 'the checks fail on it';
  return isAcceptable(report) ? undefined : 'the checks on it prove nothing';
}

/** What the run wrote down. */
interface RunRecord {
  readonly base: string;
  /** Whose scripts and configuration judge at the head. */
  readonly judge: string;
  readonly scope: ScopeSettings;
  readonly state: Readonly<RunState>;
}

/** The fields of inputs that are looked at. */
type Input = Readonly<Partial<Record<'commit' | 'judge' | 'base' | 'baseline' | 'part' | 'access', string>>>;
type Merge = EffectRequest<'merge.land'>;
type Prepared = Extract<EffectOutput<'merge.prepare'>, { status: 'ready' }>;

function readRecord(state: Readonly<RunState>): RunRecord {
  const { created, judge } = state;
  const read = settingsSchema.safeParse(created?.settings);
  const scope = read.success ? read.data.scope : scopeSettingsSchema.parse({});
  const base = created?.base ?? '';
  return { base, judge: judge ?? base, scope, state };
}

function missingForDocuments(run: RunRecord, { commit, before }: EffectRequest<'documents.land'>): string | undefined {
  const isPrepared = recordsOf(run, 'documents.prepare').some((record) => {
    const output = outputOf<'documents.prepare'>(record);
    return output.status === 'ready' && output.commit === commit && output.before === before;
  });
  return isPrepared ? undefined : `the engine did not make the documents of ${short(commit)}`;
}

function missingForMerge(run: RunRecord, request: Merge): string | undefined {
  const { commit, base, source } = request;
  const prepared = preparedMerge(run, request);
  if (prepared === undefined) return `the engine did not make the merge ${short(commit)} from ${short(source)}`;
  if (!wasHead(run, base)) return `${short(base)}, which it was compared with, was never a head of this run`;
  if (baseReport(run) === undefined) return "the project's own checks did not run on the base";
  if (!isDeepStrictEqual(request.changed, prepared.changes)) return 'its receipt would not say what it changes';
  return (
    missingCheck(run, request, prepared) ?? missingComparison(run, request) ?? missingConsent(run, request, prepared)
  );
}

function preparedMerge(run: RunRecord, { commit, before, base, source }: Merge): Prepared | undefined {
  for (const record of recordsAbout(run, 'merge.prepare', source)) {
    if ((record.input as Input).base !== base) continue;
    const output = outputOf<'merge.prepare'>(record);
    if (output.status === 'ready' && output.commit === commit && output.before === before) return output;
  }
  return undefined;
}

function missingCheck(run: RunRecord, { commit, source, flags }: Merge, prepared: Prepared): string | undefined {
  const isFirst = isFirstSetUp(run);
  if (flags.some((flag) => flag.case === 'judge') && !isFirst && !isHonestJudge(run, source))
    return 'nobody accepted the scripts and configuration that it brings';
  const reports = reportsOn(run, commit, (judge) => {
    // Runs begun before the head's judge was recorded go on as they began.
    if (prepared.judge === undefined ? isHonestJudge(run, judge) : judge === run.judge) return true;
    return judge === commit && (isFirst || isHonestJudge(run, source));
  });
  const [report] = reports.slice(-1);
  if (report === undefined) return "the project's own checks, by an honest judge, did not run on the merged tree";
  if (report.status === 'failed') return 'the checks fail on the merged tree';
  const drops = onlyDrops(report);
  const isEnough =
    isComplete(report) ||
    (isFirst && report.commands.length > 0 && report.commands.every((command) => isGreen(command))) ||
    (drops.length > 0 && drops.every(({ label }) => isAccepted(run, 'weakened', label)));
  return isEnough ? undefined : 'the checks on the merged tree prove nothing';
}

function missingComparison(run: RunRecord, request: Merge): string | undefined {
  const measured = recordsAbout(run, 'evidence.measure', request.source).filter((record) => {
    const input = record.input as Input;
    if (input.base !== request.base) return false;
    const judge = input.judge ?? '';
    return (
      hasHonestBaseline(run, input) && (isHonestJudge(run, judge) || (judge === request.source && isFirstSetUp(run)))
    );
  });
  if (measured.length === 0) return 'old and new tests were not compared';
  const open = measured.map((record) => openEvidence(run, request, record));
  return open.includes(undefined) ? undefined : open.at(-1);
}

/** What of the evidence nobody has decided about. */
function openEvidence(run: RunRecord, { flags }: Merge, record: EffectRecord): string | undefined {
  const { square, findings } = outputOf<'evidence.measure'>(record);
  if (square?.canary.status === 'missed') return 'the runner does not notice a test that must fail';
  const { weakened, vacuous } = run.scope;
  const isAllowed = (kind: string): boolean => (kind === 'vacuous-test' ? vacuous : weakened) === 'allow';
  const places = [
    // A file that is rewritten while checks run is judged by the merged tree, where it is as it was committed.
    ...findings.filter(({ kind }) => kind !== 'file-rewritten' && !isAllowed(kind)),
    ...(weakened === 'allow' ? [] : (square?.expectations ?? [])),
  ].map(({ path }) => path);
  const open = places.find(
    (path) => !isAccepted(run, 'weakened', path) && !wasReviewed(run, flags, { path, since: record.startedSeq }),
  );
  return open === undefined ? undefined : `nobody decided about ${open}, which proves less or expects something else`;
}

/** The plan declared it, and somebody who only reads looked at it after it was measured. */
function wasReviewed(
  run: RunRecord,
  flags: readonly ScopeFlag[],
  { path, since }: { readonly path: string; readonly since: number },
): boolean {
  const isFlagged = flags.some((flag) => flag.case === 'weakened' && flag.action === 'allow' && flag.path === path);
  if (!isFlagged) return false;
  return recordsOf(run, 'agent.run').some(
    (record) =>
      record.startedSeq > since &&
      (record.input as Input).access === 'read' &&
      outputOf<'agent.run'>(record).outcome.status === 'replied',
  );
}

/** Protected paths and secrets: what the settings leave to a person, a person has answered. */
function missingConsent(run: RunRecord, { task, declared }: Merge, prepared: Prepared): string | undefined {
  const about = { changes: prepared.changes, secrets: prepared.secrets ?? [], settings: run.scope };
  const flags = isFirstSetUp(run) ? judgeFirstChanges(about) : judgeGuarded({ ...about, task, declared });
  const open = flags.find(({ action, path }) => action === 'refuse' || !isAccepted(run, 'scope', path));
  return open === undefined ? undefined : `nobody agreed to ${open.path}: ${open.reason}`;
}

/**
 * Whether its scripts and configuration may judge: the base, what was accepted with a merge, and a commit whose own
 * changes of what judges were seen by an honest judge and accepted by a person or the settings.
 */
function isHonestJudge(run: RunRecord, commit: string, seen: ReadonlySet<string> = new Set()): boolean {
  const { state, scope, base } = run;
  if (commit === base || wasAcceptedAsJudge(state, commit)) return true;
  if (seen.has(commit)) return false;
  const isAgreed = ({ path, kind }: CheckReport['checkChanged'][number]): boolean =>
    (kind === 'dependencies' ? scope.dependencies : scope.judge) === 'allow' || isAccepted(run, 'check-changed', path);
  const others = new Set([...seen, commit]);
  const isHonest = (judge: string): boolean => isHonestJudge(run, judge, others);
  return reportsOn(run, commit, isHonest).some(({ checkChanged }) => checkChanged.every((change) => isAgreed(change)));
}

function wasAcceptedAsJudge({ receipts }: Readonly<RunState>, commit: string): boolean {
  return receipts.some(({ flags, after }) => after === commit && flags.some((flag) => flag.case === 'judge'));
}

/** Nothing could judge on the base, nothing was merged, and a person approved a plan: the first checks have no judge. */
function isFirstSetUp(run: RunRecord): boolean {
  const { receipts, questions } = run.state;
  if (receipts.length > 0) return false;
  const isPlanned = [...questions.values()].some(
    ({ question, answer }) => question.topic === 'approval' && answer !== undefined && answer.option !== 'no',
  );
  return (
    isPlanned &&
    baseReport(run)?.commands.every(({ counts, ...each }) => counts === undefined && !isGreen(each)) === true
  );
}

function baseReport(run: RunRecord): CheckReport | undefined {
  const record = recordsAbout(run, 'check.run', run.base).find(({ input }) => isOnBase(run, input as Input));
  return record && outputOf<'check.run'>(record);
}

/** What all of the project's own checks said about a commit, excusing only what fails on the base. */
function reportsOn(run: RunRecord, commit: string, mayJudge: (judge: string) => boolean): readonly CheckReport[] {
  const records = recordsAbout(run, 'check.run', commit).filter((record) => {
    const input = record.input as Input;
    return input.part === undefined && hasHonestBaseline(run, input) && mayJudge(input.judge ?? '');
  });
  return records.map((record) => outputOf<'check.run'>(record));
}

function hasHonestBaseline(run: RunRecord, { baseline }: Input): boolean {
  if (baseline === undefined) return true;
  const record = run.state.effects.get(baseline);
  return record?.kind === 'check.run' && isOnBase(run, record.input as Input);
}

function isOnBase({ base }: RunRecord, { commit, judge, part, baseline }: Input): boolean {
  return commit === base && judge === base && part === undefined && baseline === undefined;
}

/** Whether the integration head has been there. */
function wasHead(run: RunRecord, commit: string): boolean {
  if (commit === run.base || run.state.receipts.some(({ after }) => after === commit)) return true;
  return recordsOf(run, 'documents.land').some((record) => {
    const output = outputOf<'documents.land'>(record);
    return output.status === 'landed' && output.commit === commit;
  });
}

/** A person said yes to a question of this topic in which a line is about this place. */
function isAccepted({ state }: RunRecord, topic: string, place: string): boolean {
  return [...state.questions.values()].some(
    ({ question, answer }) =>
      question.topic === topic && answer?.option === 'accept' && isNamedIn(question.detail ?? '', place),
  );
}

/** A line begins with it and goes on as questions do, so that one name never stands for a longer one. */
function isNamedIn(detail: string, place: string): boolean {
  const lines = `\n${detail}\n`;
  const ends = [': ', '\n', ...expectationWords.map((words) => ` ${words}`)];
  return ends.some((end) => lines.includes(`\n${place}${end}`));
}

function recordsOf({ state }: RunRecord, kind: EffectKind): readonly EffectRecord[] {
  return finished(state.effects.ofKind(kind));
}

function recordsAbout({ state }: RunRecord, kind: EffectKind, commit: string): readonly EffectRecord[] {
  return finished(state.effects.ofCommit(kind, commit));
}

/** The first first. */
function finished(records: ReadonlyMap<string, EffectRecord>): readonly EffectRecord[] {
  return [...records.values()].filter(({ result }) => result !== undefined);
}

function outputOf<K extends EffectKind>({ result }: EffectRecord): EffectOutput<K> {
  return result?.output as EffectOutput<K>;
}

function short(commit: string): string {
  return commit.slice(0, 12);
}
