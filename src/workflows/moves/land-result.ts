/**
 * Puts the result of a run that is over on a branch that has moved since: on top of where it is now, checked again there
 * like any work, and moved by compare-and-swap. A branch that moves meanwhile is met again. Conflicts go to the run's
 * agent, twice at most, and then to a person, with the files. Every step is keyed, so a kill costs nothing.
 */
import { z } from 'zod';
import type { Bench, Workflow } from '../../engine/bench.ts';
import type { EffectInput, EffectOutput } from '../../engine/effect-map.ts';
import type { StepEndInput } from '../../engine/facts.ts';
import type { RunState } from '../../engine/run-state.ts';
import { type Task, taskSchema } from '../../plan/plan.ts';
import { type ScopeFlag, scopeSettingsSchema } from '../../policy/receipt.ts';
import { settingsSchema } from '../../policy/settings.ts';
import { shortCommit } from '../../views/figures.ts';
import { landingKey } from '../../engine/run-summary.ts';
import { askAgent, explainAnswer } from './ask-agent.ts';
import { runCheck } from './check-steps.ts';
import { type Checks, verify } from './verify.ts';

export type LandOutcome =
  | { readonly status: 'landed'; readonly commit: string }
  | { readonly status: 'not-landed'; readonly reason: string };

const mostRounds = 8;
const agentRounds = 2;

/** A workflow for one landing: it ends as the run had ended, and tells the caller what came of it. */
export function landingWorkflow(state: Readonly<RunState>, tell: (outcome: LandOutcome) => void): Workflow {
  const { landing } = state;
  if (landing === undefined) throw new Error('no landing is under way');
  const about = {
    ...landing,
    key: landingKey(landing.number),
    checks: checksOf(state),
    agent: agentOf(state),
    accepted: acceptedIn(state),
  };
  return {
    name: 'landing',
    version: 1,
    async run(bench) {
      const start = { kind: 'landing', title: `Land on ${about.branch}`, end: describeLanding };
      tell(await bench.step(about.key, start, () => landResult(bench, about)));
      // The engine ends the run as it had ended, whatever is returned here.
      return { status: 'done' };
    },
  };
}

function describeLanding(outcome: LandOutcome): StepEndInput {
  if (outcome.status === 'landed') return { status: 'done', detail: `landed as ${shortCommit(outcome.commit)}` };
  return { status: 'failed', detail: outcome.reason };
}

interface About {
  readonly key: string;
  readonly branch: string;
  readonly commit: string;
  readonly checks: Pick<Checks, 'source' | 'entries'>;
  readonly agent: string | undefined;
  /** What was accepted in the run. */
  readonly accepted: readonly ScopeFlag[];
}

type Resolved = NonNullable<EffectInput<'landing.prepare'>['resolved']>;
type Ready = Extract<EffectOutput<'landing.prepare'>, { status: 'ready' }>;
type Conflict = Extract<EffectOutput<'landing.prepare'>, { status: 'conflict' }>;

async function landResult(bench: Bench, about: About): Promise<LandOutcome> {
  const { branch, commit, accepted } = about;
  let resolved: Resolved | undefined;
  let why = '';
  let conflicts = 0;
  for (let round = 1; round <= mostRounds; round += 1) {
    const key = `${about.key}/${round}`;
    const prepared = await bench.perform('landing.prepare', `${key}/prepare`, {
      branch,
      commit,
      base: bench.run.base,
      title: bench.run.title,
      ...(resolved === undefined ? {} : { resolved }),
      ...(accepted.length === 0 ? {} : { accepted: [...new Set(accepted.map(({ path }) => path))] }),
    });
    if (prepared.status === 'gone') return notLanded(`there is no branch ${branch} any more`);
    if (prepared.status === 'there') return { status: 'landed', commit: prepared.before };
    if (prepared.status === 'conflict') {
      conflicts += 1;
      const settled = await settleConflict(bench, key, { about, conflict: prepared, conflicts, why });
      if (settled === undefined) return notLanded(`${branch} changed the same places: ${prepared.files.join(', ')}`);
      resolved = settled;
      why = '';
      continue;
    }
    if (prepared.status === 'unresolved') {
      resolved = undefined;
      why = prepared.reason;
      continue;
    }
    const wrong = await checkAgain(bench, key, about, prepared);
    if (wrong !== undefined) return notLanded(`on top of ${branch}, ${wrong}`);
    const landed = await bench.perform('branch.land', `${key}/land`, {
      branch,
      commit: prepared.commit,
      before: prepared.before,
    });
    if (landed.status === 'landed') return { status: 'landed', commit: prepared.commit };
    if (landed.status === 'refused') return notLanded(landed.reason);
  }
  return notLanded(`${branch} keeps moving`);
}

/** The checks where the branch is now, then on what would land: only what is new since counts. */
async function checkAgain(
  bench: Bench,
  key: string,
  { branch, checks, accepted }: About,
  { commit, before, same = [] }: Pick<Ready, 'commit' | 'before' | 'same'>,
): Promise<string | undefined> {
  const entries = [...checks.entries];
  const asked = { commit: before, judge: before, source: checks.source, entries };
  const report = await runCheck(bench, `${key}/baseline`, asked, `Checks on ${branch} as it is now`);
  const usable = report.commands.every((command) => command.status !== 'failed' || command.counts !== undefined);
  const verified = await verify(bench, `${key}/verify`, {
    task: landingTask(branch),
    checks: { ...checks, ...(usable ? { baseline: `${key}/baseline` } : {}) },
    scope: scopeOf(bench),
    base: before,
    commit,
    basis: { judge: before, accepted: [] },
    last: true,
    // What is as it was accepted is not asked about again; anything that came in since is.
    known: (flag) => same.includes(flag.path) && accepted.some((one) => isSame(one, flag)),
  });
  return verified.status === 'passed' ? undefined : verified.reason;
}

/** What settles it: an agent's commit, or a branch that a person named. Undefined: it is not to land. */
async function settleConflict(
  bench: Bench,
  key: string,
  { about, conflict, conflicts, why }: { about: About; conflict: Conflict; conflicts: number; why: string },
): Promise<Resolved | undefined> {
  const { before: onto, files, commit } = conflict;
  const { branch, agent } = about;
  if (agent !== undefined && conflicts <= agentRounds) {
    const brief = (problem = why) =>
      [
        `Your result and the branch ${branch} changed the same places. These files hold both, between conflict markers:`,
        ...files.map((file) => `- ${file}`),
        'Settle every conflict so that both changes keep their meaning. Leave no markers. Change nothing else.',
        ...(problem === '' ? [] : [`The attempt before this one does not count: ${problem}`]),
      ].join('\n');
    const answer = await askAgent(bench, `${key}/resolve`, {
      agent,
      role: 'developer',
      task: 'landing',
      workspace: `${about.key.replace('#', '-')}-${conflicts}`,
      commit,
      result: z.object({ status: z.string(), summary: z.string() }),
      prompt: brief(),
      recoveryPrompt: brief,
    });
    if (answer.status === 'accepted') return { onto, by: answer.commit, files: [...files], from: commit };
    await bench.record(`${key}/unresolved`, 'note.recorded', {
      text: `The conflict with ${branch} was not resolved: ${explainAnswer(answer)}`,
    });
  }
  const answer = await bench.ask(`${key}/conflict`, {
    title: `${branch} and the result changed the same places. What should happen next?`,
    detail: [
      ...(why === '' ? [] : [`The attempt before this one does not count: ${why}.`, '']),
      ...files,
      '',
      `To settle it: git switch -c settled ${commit}`,
      'Fix the marked places, commit, and answer with the name of that branch.',
    ].join('\n'),
    options: [{ id: 'leave', label: `Leave ${branch} as it is`, recommended: true }],
    freeText: true,
    topic: 'landing',
  });
  const by = answer.text?.trim() ?? '';
  return answer.option === 'leave' || by === '' ? undefined : { onto, by, files: [...files] };
}

function landingTask(branch: string): Task {
  return taskSchema.parse({
    id: 'landing',
    title: `Land on ${branch}`,
    objective: 'Put the result on the branch.',
    writes: ['**'],
  });
}

function scopeOf({ run }: Bench) {
  const read = settingsSchema.safeParse(run.settings);
  return read.success ? read.data.scope : scopeSettingsSchema.parse({});
}

/** Those the run was checked with. */
function checksOf({ effects, created }: Readonly<RunState>): Pick<Checks, 'source' | 'entries'> {
  const asked = z
    .object({ source: z.custom<Checks['source']>(), entries: z.custom<Checks['entries']>() })
    .safeParse(effects.get('baseline')?.input);
  if (asked.success) return { source: asked.data.source, entries: asked.data.entries };
  const read = settingsSchema.safeParse(created?.settings);
  const entries = read.success ? read.data.checks.run : [];
  return { source: entries.length > 0 ? 'settings' : 'discovery', entries };
}

function acceptedIn({ receipts }: Readonly<RunState>): readonly ScopeFlag[] {
  return receipts.flatMap(({ flags }) => flags.filter(({ action }) => action === 'allow'));
}

/** The words are the same too, but for who agreed. */
function isSame(accepted: ScopeFlag, flag: Pick<ScopeFlag, 'path' | 'case' | 'reason'>): boolean {
  if (accepted.path !== flag.path || accepted.case !== flag.case) return false;
  return (
    accepted.reason.replace(/[.]? Declared by the plan: .*$/s, '') === flag.reason.replace(/[.]$/, '') ||
    accepted.reason === flag.reason
  );
}

/** Whoever wrote the code. */
function agentOf({ created, agent }: Readonly<RunState>): string | undefined {
  const read = z.object({ agents: z.record(z.string(), z.string()) }).safeParse(created?.input);
  if (agent !== undefined) return agent;
  return read.success ? (read.data.agents['developer'] ?? read.data.agents['worker']) : undefined;
}

function notLanded(reason: string): LandOutcome {
  return { status: 'not-landed', reason };
}
