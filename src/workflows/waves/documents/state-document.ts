/** `{slug}-state.json` and `{slug}-metrics.json`, in the fields people's scripts know. The journal stays the truth. */
import { isRunOver } from '../../../engine/run-state.ts';
import type { Chronicle } from '../../../views/chronicle.ts';
import { millisecondsBetween } from '../../../views/timeline.ts';
import { collectReports } from '../../../views/work-reports.ts';
import { complexitySum } from '../wave-rules.ts';
import { type AgentStep, integrationPlace, proposalOf, replyOf, roundsAt, slugOf, wavePlace } from './wave-record.ts';

export function stateDocument(run: Chronicle): unknown {
  const { state, timeline } = run;
  const slug = slugOf(run);
  const total = proposalOf(run)?.waves.length ?? 0;
  const waves = Array.from({ length: total }, (_, index) => index + 1);
  const position = positionOf(run, waves);
  const path = (name: string): string => `.forge/${slug}-${name}`;
  return {
    slug,
    status: statusOf(run),
    current_step: position.step,
    current_wave: position.wave,
    fix_round: position.fixRound,
    integration_fix_round: position.integrationFixRound,
    current_bugs: position.bugs,
    started_at: timeline.run.startedAt,
    updated_at: state.updatedAt,
    paths: { plan: path('plan.md'), waves: path('waves.json'), metrics: path('metrics.json') },
    wave_paths: Object.fromEntries(
      waves.map((wave) => [
        `W${wave}`,
        {
          dev_record: path(`dev-W${wave}.md`),
          test_report: path(`test-W${wave}.md`),
          handoff: path(`handoff-W${wave}.md`),
        },
      ]),
    ),
    wave_plan: { total_waves: total, current_wave: position.wave },
    agent_ids: agentIds(run, waves),
  };
}

/** Of a run that is over. */
export function metricsDocument(run: Chronicle): unknown {
  const { state, timeline } = run;
  const { findings, lessons } = collectReports(run);
  const bugs = findings.filter(({ source }) => source === 'test');
  const { tasks = [], waves = [] } = proposalOf(run) ?? {};
  const completed = timeline.run.endedAt ?? state.updatedAt;
  return {
    slug: slugOf(run),
    status: statusOf(run),
    started_at: timeline.run.startedAt,
    completed_at: completed,
    total_duration_sec: Math.round(millisecondsBetween(timeline.run.startedAt, completed) / 1000),
    total_waves: waves.length,
    bugs_found: bugs.length,
    bugs_fixed: bugs.filter((bug) => bug.state === 'fixed').length,
    knowledge_lessons_added: lessons.added,
    wave_efficiency: {
      total_tasks: tasks.length,
      total_waves: waves.length,
      tasks_per_wave: waves.length === 0 ? 0 : Math.round((tasks.length / waves.length) * 10) / 10,
      single_task_waves: waves.filter((wave) => wave.length === 1).length,
      complexity_sum: complexitySum(tasks),
    },
  };
}

function statusOf({ state }: Chronicle): 'in_progress' | 'completed' | 'failed' {
  if (!isRunOver(state)) return 'in_progress';
  return state.status === 'done' ? 'completed' : 'failed';
}

interface Position {
  readonly step: string;
  /** 0 before the first. */
  readonly wave: number;
  readonly fixRound: number;
  readonly integrationFixRound: number;
  /** Of the newest test there. */
  readonly bugs: readonly unknown[];
}

/** The newest thing that was begun: the integration test, a wave, or the plan. */
function positionOf(run: Chronicle, waves: readonly number[]): Position {
  const { state } = run;
  const wave = waves.findLast((one) => state.tasks.has(`W${one}`)) ?? 0;
  const rounds = wave === 0 ? [] : roundsAt(run, wavePlace(wave));
  const whole = roundsAt(run, integrationPlace);
  const newest = whole.length > 0 ? whole : rounds;
  const tests = newest.flatMap((round) => round.agents).flatMap((agent) => replyOf(agent, 'tester') ?? []);
  const fixRound = Math.max(0, rounds.length - 1);
  return {
    step: stepName(run, { last: newest.at(-1)?.agents.at(-1), isWhole: whole.length > 0, fixRound }),
    wave,
    fixRound,
    integrationFixRound: Math.max(0, whole.length - 1),
    bugs: tests.at(-1)?.bugs ?? [],
  };
}

function stepName(
  { state, notes }: Chronicle,
  at: { readonly last: AgentStep | undefined; readonly isWhole: boolean; readonly fixRound: number },
): string {
  if (isRunOver(state)) return 'done';
  if (state.steps.has('learning')) return 'learn';
  const isTest = at.last?.title === 'tester';
  if (at.isWhole) return at.last === undefined || isTest ? 'integration_test' : 'integration_fix';
  if (state.tasks.size === 0) return [...notes.keys()].some((key) => key.startsWith('proposal')) ? 'wave_plan' : 'plan';
  if (isTest) return at.fixRound === 0 ? 'test' : 'retest';
  return at.fixRound === 0 ? 'dev' : 'fix';
}

/** Sessions, as far as agents named theirs. */
function agentIds(run: Chronicle, waves: readonly number[]): Record<string, string> {
  const ids: Record<string, string> = {};
  const note = (name: string, agent: AgentStep): void => {
    const session = run.state.effects.get(agent.key)?.session ?? agent.sessions.at(-1)?.session;
    if (session !== undefined) ids[name] = session;
  };
  for (const wave of waves) {
    for (const agent of roundsAt(run, wavePlace(wave)).flatMap(({ agents }) => agents)) {
      note(`${agent.title === 'tester' ? 'test' : 'dev'}_W${wave}`, agent);
    }
  }
  for (const agent of roundsAt(run, integrationPlace).flatMap(({ agents }) => agents)) {
    if (agent.title === 'tester') note('test_integration', agent);
  }
  return ids;
}
