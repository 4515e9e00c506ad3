/**
 * Whether a commit may count as done: the engine's checks, judged by scripts and configuration that do not
 * come from the commit itself, and what the commit did to the tests. What an agent can fix goes back to it while
 * there is one; where a person has to decide (it changes what judges it, it weakens tests, fewer tests run than on the
 * base) they are asked, and nothing of that passes unasked by default. Any other lack of evidence is rejected.
 */
import type { Bench } from '../../engine/bench.ts';
import type { EffectInput } from '../../engine/effect-map.ts';
import type { Task, VerifyEntry } from '../../plan/plan.ts';
import type { CheckReport, CommandResult } from '../../policy/check-report.ts';
import { countRun, isComplete, onlyDrops } from '../../policy/check-standing.ts';
import type { Finding, RedGreen } from '../../policy/finding.ts';
import type { ScopeFlag, ScopeSettings } from '../../policy/receipt.ts';
import { scopeVerdict } from '../../policy/scope.ts';
import type { Agreement, Square } from '../../policy/square.ts';
import { measureEvidence, runCheck } from './check-steps.ts';
import { isOfSquare, type ReviewExpectations, weighSquare } from './weigh-square.ts';

export interface Checks {
  readonly source: CheckReport['source'];
  readonly entries: readonly VerifyEntry[];
  /** Key of the checks on the base. */
  readonly baseline?: string;
}

/** Which commit's scripts and configuration judge, and the changes of them that were accepted. */
export interface JudgingBasis {
  readonly judge: string;
  readonly accepted: readonly ScopeFlag[];
}

export interface VerifyRequest {
  readonly task: Task;
  readonly checks: Checks;
  readonly scope: ScopeSettings;
  readonly base: string;
  readonly commit: string;
  readonly basis: JudgingBasis;
  /** No agent is left to send findings back to: a person decides, or nobody does. */
  readonly last: boolean;
  /** Whether a person has accepted exactly this before: then nobody is asked again. */
  readonly known?: ((flag: Pick<ScopeFlag, 'path' | 'case' | 'reason'>) => boolean) | undefined;
  /** An independent reader of changed expectations; without one a person decides on every one. */
  readonly review?: ReviewExpectations | undefined;
}

export type Verified = { readonly report: CheckReport; readonly basis: JudgingBasis } & (
  | { readonly status: 'passed'; readonly redGreen: readonly RedGreen[]; readonly findings: readonly Finding[] }
  /** Something the agent can fix; `redGreen` once the tests themselves were looked at. */
  | {
      readonly status: 'red';
      readonly findings: readonly Finding[];
      readonly redGreen?: readonly RedGreen[];
      readonly square?: Square | undefined;
      readonly agreement?: Agreement | null | undefined;
      readonly reason: string;
    }
  | { readonly status: 'rejected'; readonly reason: string }
);

/** `key` names the round, e.g. `T3/verify#2`. */
export async function verify(bench: Bench, key: string, request: VerifyRequest): Promise<Verified> {
  const { task, checks, commit } = request;
  const asked = checkInput(task, checks, { commit, judge: request.basis.judge });
  const first = await runCheck(bench, `${key}/check`, asked);
  const held = await acceptJudgeChanges(bench, key, { request, report: first });
  if (held === undefined)
    return {
      status: 'rejected',
      report: first,
      basis: request.basis,
      reason: `it changes what judges it: ${changesOf(first, '; ')}`,
    };
  const { report, basis } = held;
  if (isComplete(report)) return weighEvidence(bench, key, { request, report, basis });
  const fixable = report.status === 'failed' || (report.commands.length > 0 && !request.last);
  if (fixable) return { status: 'red', report, basis, findings: [], reason: describeChecks(report) };
  return weighFewer(bench, key, { request, report, basis });
}

/** For what `verify` sent back and no agent could fix: a person decides, where it is theirs to decide. */
export async function askPersonToDecide(
  bench: Bench,
  key: string,
  request: VerifyRequest,
  red: Extract<Verified, { status: 'red' }>,
): Promise<Verified> {
  const { report, basis, redGreen, square, agreement } = red;
  if (report.status === 'failed' || square?.canary.status === 'missed') return red;
  const findings = red.findings.filter((finding) => !isOfSquare(finding));
  const asked = { request: { ...request, last: true }, report, basis };
  return redGreen === undefined
    ? weighFewer(bench, key, asked)
    : decide(bench, key, { ...asked, evidence: { findings, redGreen, square, agreement } });
}

interface Weighing {
  readonly request: VerifyRequest;
  readonly report: CheckReport;
  readonly basis: JudgingBasis;
}

async function weighFewer(bench: Bench, key: string, { request, report, basis }: Weighing): Promise<Verified> {
  const accepted = await acceptFewer(bench, key, { request, report });
  if (accepted === undefined) return { status: 'rejected', report, basis, reason: describeChecks(report) };
  const lenient = { ...basis, accepted: [...basis.accepted, ...accepted] };
  return weighEvidence(bench, key, { request, report, basis: lenient });
}

/**
 * All that is missing are tests that ran on the base, and a person takes that. No setting lets it pass unasked: tests
 * that just do not run are what a commit that hides a failure looks like.
 */
async function acceptFewer(
  bench: Bench,
  key: string,
  { request, report }: { request: VerifyRequest; report: CheckReport },
): Promise<readonly ScopeFlag[] | undefined> {
  const drops = onlyDrops(report);
  if (drops.length === 0 || request.scope.weakened === 'refuse') return undefined;
  const question = {
    title: `${request.task.id} leaves fewer tests than there were. Accept it?`,
    detail: drops.map(({ label, reason }) => `${label}: ${reason}`).join('\n'),
    topic: 'weakened',
  };
  const flags = drops.map(
    ({ label, reason }): ScopeFlag => ({ path: label, case: 'weakened', action: 'allow', reason }),
  );
  if (flags.every((flag) => request.known?.(flag) === true)) return flags;
  return (await accepts(bench, `${key}/fewer`, question)) ? flags : undefined;
}

/** On the merged tree: it passes, or loses no more tests than what was accepted. */
export function isAsAccepted(report: CheckReport, accepted: CheckReport): boolean {
  if (isComplete(report)) return true;
  const known = onlyDrops(accepted);
  const drops = onlyDrops(report);
  const isKnown = (drop: CommandResult): boolean =>
    known.some(
      ({ label, cwd, counts }) => label === drop.label && cwd === drop.cwd && countRun(drop) >= countRun({ counts }),
    );
  return drops.length > 0 && drops.every(isKnown);
}

export function describeChecks(report: CheckReport): string {
  if (report.commands.length === 0) return `checks ${report.status} (there is no command to check with)`;
  const worst = report.commands.filter((command) => command.status === report.status);
  const reasons = worst.map((command) => `${command.label}: ${command.reason}`);
  return `checks ${report.status}${reasons.length === 0 ? '' : ` (${reasons.join('; ')})`}`;
}

export function checkInput(
  task: Task,
  checks: Checks,
  at: { commit: string; judge: string },
): EffectInput<'check.run'> {
  const { source, entries, baseline } = checks;
  return { ...at, task: task.id, source, entries: [...entries], ...(baseline === undefined ? {} : { baseline }) };
}

/** The report to go by, and who judged: the commit's own scripts only once they were accepted. */
async function acceptJudgeChanges(
  bench: Bench,
  key: string,
  { request, report }: { request: VerifyRequest; report: CheckReport },
): Promise<{ report: CheckReport; basis: JudgingBasis } | undefined> {
  const { task, checks, scope, commit, basis } = request;
  if (report.checkChanged.length === 0) return { report, basis };
  const isNew = ({ path, what }: CheckReport['checkChanged'][number]): boolean =>
    request.known?.({ path, case: 'judge', reason: what }) !== true;
  const news = { ...report, checkChanged: report.checkChanged.filter(isNew) };
  const action = judgeChangeAction(news, scope);
  if (action === 'refuse') return undefined;
  const onlyPackages = news.checkChanged.every(({ kind }) => kind === 'dependencies');
  const question = {
    title: onlyPackages
      ? `${task.id} changes the packages that are installed. Accept it?`
      : `${task.id} changes what its work is checked with. Accept it?`,
    detail: `${changesOf(news, '\n')}\nWith what was there before: ${describeChecks(report)}.`,
    topic: 'check-changed',
  };
  if (action === 'ask' && !(await accepts(bench, `${key}/judge`, question))) return undefined;
  const own = checkInput(task, checks, { commit, judge: commit });
  const again = await runCheck(bench, `${key}/check/accepted`, own, 'checks, by the scripts that were accepted');
  const flags = report.checkChanged.map(
    ({ path, what }): ScopeFlag => ({ path, case: 'judge', action: 'allow', reason: what }),
  );
  return { report: again, basis: { judge: commit, accepted: [...basis.accepted, ...flags] } };
}

/** The strictest of what the settings say about its kinds of change. */
function judgeChangeAction({ checkChanged }: CheckReport, scope: ScopeSettings): ScopeSettings['judge'] {
  const actions = checkChanged.map(({ kind }) => (kind === 'dependencies' ? scope.dependencies : scope.judge));
  return actions.includes('refuse') ? 'refuse' : actions.includes('ask') ? 'ask' : 'allow';
}

async function weighEvidence(bench: Bench, key: string, weighing: Weighing): Promise<Verified> {
  const { task, checks, base, commit } = weighing.request;
  const evidence = await measureEvidence(bench, `${key}/evidence`, {
    task: task.id,
    kind: task.kind,
    base,
    commit,
    judge: weighing.basis.judge,
    source: checks.source,
    entries: [...checks.entries],
    ...(checks.baseline === undefined ? {} : { baseline: checks.baseline }),
  });
  return decide(bench, key, { ...weighing, evidence });
}

async function decide(
  bench: Bench,
  key: string,
  {
    request,
    report,
    basis,
    evidence,
  }: Weighing & {
    readonly evidence: {
      readonly findings: readonly Finding[];
      readonly redGreen: readonly RedGreen[];
      readonly square?: Square | undefined;
      readonly agreement?: Agreement | null | undefined;
    };
  },
): Promise<Verified> {
  const { task, scope, last, review } = request;
  const { redGreen, square } = evidence;
  const findings = [
    ...evidence.findings.filter(({ kind }) => kind !== rewrittenKind),
    ...rewritten(report, request.checks),
  ];
  const weighed = await weighSquare(key, { task, scope, findings, square, review, agreement: evidence.agreement });
  const { agreement } = weighed;
  const flags = weighed.flags.map((flag) => (request.known?.(flag) === true ? allowed(flag) : flag));
  const all = [...findings, ...weighed.expectations];
  if (weighed.compromised !== undefined) {
    const reason = `the checks cannot be trusted: ${weighed.compromised}`;
    if (last) return { status: 'rejected', report, basis, reason };
    return { status: 'red', report, basis, findings: [...all, untrusted(reason)], redGreen, square, reason };
  }
  const verdict = scopeVerdict(flags);
  const reasons = flags.filter((flag) => flag.action !== 'allow').map((flag) => `${flag.path}: ${flag.reason}`);
  const reason = reasons.join('; ');
  if (verdict !== 'allowed' && !last)
    return { status: 'red', report, basis, findings: all, redGreen, square, agreement, reason };
  const question = {
    title: `${task.id} ${weighed.detail.length > 0 ? 'changes what tests expect' : 'weakens its evidence'}. Accept it?`,
    detail: [...reasons, ...weighed.detail].join('\n'),
    topic: 'weakened',
  };
  if (verdict === 'refused' || (verdict === 'ask' && !(await accepts(bench, `${key}/weakened`, question)))) {
    return { status: 'rejected', report, basis, reason };
  }
  const accepted = flags.map(allowed);
  return {
    status: 'passed',
    report,
    basis: { ...basis, accepted: [...basis.accepted, ...accepted] },
    redGreen,
    findings,
  };
}

function allowed(flag: ScopeFlag): ScopeFlag {
  return { ...flag, action: 'allow' };
}

const rewrittenKind = 'file-rewritten';

/** What was tested is not what would be merged, or was not for a while. Without a baseline nothing is out of the ordinary. */
function rewritten({ commands }: CheckReport, { baseline }: Checks): readonly Finding[] {
  if (baseline === undefined) return [];
  return commands.flatMap(({ label, rewrote = [] }): Finding[] => {
    const [path, ...more] = rewrote;
    if (path === undefined) return [];
    const others = more.length === 0 ? '' : ` and ${more.length} more (${more.slice(0, 5).join(', ')})`;
    const claim = `${label} writes this file${others} while it runs; on the base it does not.`;
    return [{ path, line: 0, kind: rewrittenKind, claim }];
  });
}

function untrusted(claim: string): Finding {
  return { path: '.', line: 0, kind: 'runner-compromised', claim };
}

async function accepts(
  bench: Bench,
  key: string,
  about: { title: string; detail: string; topic: string },
): Promise<boolean> {
  const answer = await bench.ask(key, {
    ...about,
    options: [
      { id: 'accept', label: 'Accept' },
      { id: 'refuse', label: 'Refuse the task', recommended: true },
    ],
  });
  return answer.option === 'accept';
}

function changesOf(report: CheckReport, separator: string): string {
  return report.checkChanged.map((change) => `${change.path}: ${change.what}`).join(separator);
}
