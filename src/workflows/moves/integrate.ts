/**
 * A commit that passed becomes part of the result: carried onto the integration head, its scope compared
 * with what was declared, checked again on the merged tree, and moved there by compare-and-swap. One task
 * at a time; a question about scope is asked outside the queue, so that nobody waits behind a person.
 */
import type { Bench } from '../../engine/bench.ts';
import type { EffectOutput } from '../../engine/effect-map.ts';
import type { StepEndInput } from '../../engine/facts.ts';
import type { Task } from '../../plan/plan.ts';
import { describeHook, type HookRun } from '../../policy/hook-run.ts';
import type { Receipt, ScopeFlag, ScopeSettings } from '../../policy/receipt.ts';
import { judgeScope, judgeSecrets, scopeVerdict } from '../../policy/scope.ts';
import { countText, shortCommit } from '../../views/figures.ts';
import type { Passed } from './build-until-passed.ts';
import { runCheck } from './check-steps.ts';
import { runCommitHooks } from './commit-hooks.ts';
import { workspaceName } from './develop.ts';
import { type Checks, checkInput, describeChecks, isAsAccepted } from './verify.ts';

export interface IntegrateRequest {
  readonly task: Task;
  readonly tasks: readonly Task[];
  readonly developed: Passed;
  readonly checks: Checks;
  readonly scope: ScopeSettings;
  readonly mergeRound: number;
  /** Before the task in keys, where it was scheduled in a scope of its own. */
  readonly below?: string;
  /** The commits it was made of stay part of history. */
  readonly keep?: boolean;
  /** What of the change becomes a commit of its own, on top of the rest. */
  readonly apart?: { readonly title: string; readonly body?: string; readonly paths: readonly string[] };
  /** Looked at besides the checks on the merged tree; says what is wrong. `key` names the round. */
  readonly checkMerged?: (key: string, commit: string) => Promise<string | undefined>;
}

export type Integrated =
  | {
      readonly status: 'merged';
      readonly receipt: Receipt;
      /** Every commit that it became, the first first. */
      readonly commits: readonly string[];
    }
  | { readonly status: 'empty' }
  | { readonly status: 'conflict'; readonly files: readonly string[] }
  | { readonly status: 'refused'; readonly flags: readonly ScopeFlag[]; readonly reason: string }
  | { readonly status: 'red'; readonly reason: string; readonly hook?: HookRun };

export type Unmerged = Exclude<Integrated, { status: 'merged' }>;

type Candidate = Extract<EffectOutput<'merge.prepare'>, { status: 'ready' }>;
type Turn =
  | Integrated
  | { readonly status: 'again' }
  | { readonly status: 'ask'; readonly flags: readonly ScopeFlag[] };

export async function integrate(bench: Bench, request: IntegrateRequest): Promise<Integrated> {
  let approved: readonly ScopeFlag[] = [];
  for (let round = 1; ; round += 1) {
    const start = { kind: 'merge', title: round === 1 ? 'merge' : `merge, turn ${round}`, end: describeTurn };
    const key = keyOf(request, round);
    const turn: Turn = await bench.exclusive('integrate', () =>
      bench.step(key, start, () => takeTurn(bench, request, key, approved)),
    );
    if (turn.status === 'again') continue;
    if (turn.status !== 'ask') return turn;
    const answer = await bench.ask(`${keyOf(request, round)}/scope`, scopeQuestion(request.task, turn.flags));
    if (answer.option !== 'accept') return refusedMerge(turn.flags);
    approved = turn.flags;
  }
}

/** Why it did not become part of the result, in words. */
export function describeUnmerged(integrated: Unmerged): string {
  switch (integrated.status) {
    case 'empty':
      return 'it changed nothing';
    case 'conflict':
      return `merge conflict in ${integrated.files.join(', ')}`;
    case 'refused':
      return `refused: ${integrated.reason}`;
    case 'red':
      return `after the merge, ${integrated.reason}`;
  }
}

function describeTurn(turn: Turn): StepEndInput {
  switch (turn.status) {
    case 'merged': {
      const { after, changed, flags } = turn.receipt;
      const flagged = flags.length === 0 ? '' : `, ${countText(flags.length, 'flag')}`;
      return {
        status: 'done',
        detail: `${shortCommit(after)}, ${countText(changed.length, 'file')}${flagged}`,
        lines: flags.map((flag) => `flag: ${flag.case} ${flag.path}: ${flag.reason}`),
      };
    }
    case 'again':
      return { status: 'skipped', detail: 'the head moved meanwhile' };
    case 'ask':
      return { status: 'blocked', detail: 'a person decides about its scope' };
    case 'empty':
      return { status: 'skipped', detail: 'there is nothing to merge' };
    case 'conflict':
    case 'refused':
    case 'red':
      return { status: 'failed', detail: describeUnmerged(turn) };
  }
}

async function takeTurn(
  bench: Bench,
  request: IntegrateRequest,
  key: string,
  approved: readonly ScopeFlag[],
): Promise<Turn> {
  const { task, developed } = request;
  const prepared = await bench.perform('merge.prepare', `${key}/prepare`, {
    task: task.id,
    base: developed.base,
    commit: developed.commit,
    title: task.title,
    body: task.objective,
    ...(request.keep === true ? { keep: true } : {}),
    ...(request.apart === undefined ? {} : { apart: { ...request.apart, paths: [...request.apart.paths] } }),
  });
  if (prepared.status !== 'ready') return prepared.status === 'empty' ? { status: 'empty' } : prepared;
  const flags = judgeCandidate(request, prepared, approved);
  const verdict = scopeVerdict(flags);
  if (verdict === 'refused') return refusedMerge(flags);
  if (verdict === 'ask') return { status: 'ask', flags };
  const at = { commit: prepared.commit, judge: judgeOf(developed, prepared) };
  const report = await runCheck(
    bench,
    `${key}/check`,
    checkInput(task, request.checks, at),
    'checks on the merged tree',
  );
  if (!isAsAccepted(report, developed.report)) return { status: 'red', reason: describeChecks(report) };
  const wrong = await request.checkMerged?.(key, prepared.commit);
  if (wrong !== undefined) return { status: 'red', reason: wrong };
  const { before, hooks = [] } = prepared;
  const hook = await runCommitHooks(bench, `${key}/hooks`, { ...at, before, hooks });
  if (hook !== undefined) return { status: 'red', reason: describeHook(hook), hook };
  const landed = await bench.perform('merge.land', `${key}/land`, {
    task: task.id,
    commit: prepared.commit,
    before: prepared.before,
    base: developed.base,
    source: developed.commit,
    declared: task.writes,
    changed: prepared.changes,
    flags: [...flags, ...developed.accepted],
    leftBehind: [...developed.leftBehind],
    checks: report.commands.map(({ label, status }) => ({ label, status })),
  });
  if (landed.status !== 'merged') return { status: 'again' };
  const commits = [...(prepared.below === undefined ? [] : [prepared.below]), landed.receipt.after];
  return { status: 'merged', receipt: landed.receipt, commits };
}

/**
 * Scripts that were accepted since the task began judge it too: those of the head it is merged into, and its own only
 * once they were accepted. Runs begun before the head's judge was recorded go on as they began.
 */
function judgeOf({ report, accepted }: Passed, { judge, commit }: Candidate): string {
  if (judge === undefined) return report.judge;
  return accepted.some((flag) => flag.case === 'judge') ? commit : judge;
}

/** What a person approved a moment ago is allowed now; anything that was not shown to them is asked again. */
function judgeCandidate(
  { task, tasks, scope }: IntegrateRequest,
  candidate: Candidate,
  approved: readonly ScopeFlag[],
): ScopeFlag[] {
  const shown = new Set(approved.map((flag) => `${flag.case} ${flag.path}`));
  const { id, writes, forbids } = task;
  const changed = judgeScope({ task: id, writes, forbids, others: tasks, changes: candidate.changes, settings: scope });
  const flags = [...changed, ...judgeSecrets(candidate.secrets ?? [], scope)];
  return flags.map((flag) =>
    flag.action === 'ask' && shown.has(`${flag.case} ${flag.path}`)
      ? { ...flag, action: 'allow', reason: `${flag.reason}; accepted` }
      : flag,
  );
}

export function scopeQuestion(task: Pick<Task, 'id'>, flags: readonly ScopeFlag[]) {
  const asked = flags.filter((flag) => flag.action === 'ask');
  return {
    title: `${task.id} made ${asked.length === 1 ? 'a change' : `${asked.length} changes`} that you have to decide about. Take ${asked.length === 1 ? 'it' : 'them'}?`,
    detail: asked.map((flag) => `${flag.path}: ${flag.reason}`).join('\n'),
    options: [
      { id: 'accept', label: 'Take them' },
      { id: 'refuse', label: 'Refuse the task', recommended: true },
    ],
    topic: 'scope',
  };
}

function refusedMerge(flags: readonly ScopeFlag[]): Integrated {
  const stopping = flags.filter((flag) => flag.action !== 'allow');
  return { status: 'refused', flags, reason: stopping.map((flag) => `${flag.path}: ${flag.reason}`).join('; ') };
}

function keyOf({ task, mergeRound, below = '' }: IntegrateRequest, round: number): string {
  return `${below}${workspaceName(task.id, mergeRound)}/integrate#${round}`;
}
