/** `{slug}-state.json` and `{slug}-metrics.json`, in the fields people's scripts know. The journal stays the truth. */
import { isOver } from '../../engine/run-state.ts';
import { complexitySum } from '../../policy/waves.ts';
import type { Chronicle } from '../chronicle.ts';
import { positionOf } from '../position.ts';
import { proposalOf, slugOf } from '../proposal.ts';
import { runFigures } from '../run-output.ts';
import { between } from '../timeline.ts';
import { integrationRounds, isFirst, openBugs, roundsOf } from '../waves-keys.ts';

export function stateDocument(chronicle: Chronicle): unknown {
  const { state, timeline } = chronicle;
  const slug = slugOf(chronicle);
  const position = positionOf(chronicle);
  const total = proposalOf(chronicle)?.waves.length ?? 0;
  const waves = Array.from({ length: total }, (_, index) => index + 1);
  const path = (name: string): string => `.forge/${slug}-${name}`;
  return {
    slug,
    status: statusOf(chronicle),
    current_step: position.step,
    current_wave: position.wave,
    fix_round: position.fixRound,
    integration_fix_round: position.integrationFixRound,
    current_bugs: currentBugs(chronicle, position.wave),
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
    agent_ids: agentIds(chronicle, waves),
  };
}

/** Of a run that is over. */
export function metricsDocument(chronicle: Chronicle): unknown {
  const { state, timeline } = chronicle;
  const { bugsFound, bugsFixed, lessonsAdded } = runFigures(chronicle);
  const proposal = proposalOf(chronicle);
  const tasks = proposal?.tasks ?? [];
  const waves = proposal?.waves ?? [];
  const completed = timeline.run.endedAt ?? state.updatedAt;
  return {
    slug: slugOf(chronicle),
    status: statusOf(chronicle),
    started_at: timeline.run.startedAt,
    completed_at: completed,
    total_duration_sec: Math.round(between(timeline.run.startedAt, completed) / 1000),
    total_waves: waves.length,
    bugs_found: bugsFound,
    bugs_fixed: bugsFixed,
    knowledge_lessons_added: lessonsAdded,
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
  if (!isOver(state)) return 'in_progress';
  return state.status === 'done' ? 'completed' : 'failed';
}

/** Of where the run stands: the integration test once it has begun. */
function currentBugs(chronicle: Chronicle, wave: number): unknown {
  if (integrationRounds(chronicle).length > 0) return openBugs(chronicle, 'integration');
  return wave === 0 ? [] : openBugs(chronicle, wave);
}

/** Sessions, as far as agents named theirs. */
function agentIds(chronicle: Chronicle, waves: readonly number[]): Record<string, string> {
  const { state, readings } = chronicle;
  const ids: Record<string, string> = {};
  const note = (name: string, key: string): void => {
    const session = state.effects.get(key)?.session ?? readings.get(key)?.session;
    if (session !== undefined) ids[name] = session;
  };
  for (const wave of waves) {
    for (const round of roundsOf(chronicle, `W${wave}`)) {
      note(`dev_W${wave}`, round.develop);
      note(`test_W${wave}`, round.test);
    }
  }
  for (const key of integrationRounds(chronicle).flatMap((round) => round.keys)) {
    if (isFirst(key, 'integration-test')) note('test_integration', key);
  }
  return ids;
}
