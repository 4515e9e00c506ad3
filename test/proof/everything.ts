/**
 * A workflow that uses everything the bench offers: checks on the base, a question, parallel tasks, a fix
 * loop, a truncated reply, a conflict that sends a task back, a task that gives up and one that is skipped
 * for it, a published branch. The crash matrix, the golden journals and the hostile agents run on it.
 */
import { z } from 'zod';
import type { Bench, Workflow } from '../../src/engine/bench.ts';
import { planSchema } from '../../src/plan/plan.ts';
import { settingsSchema } from '../../src/policy/settings.ts';
import type { Situation } from '../../src/workflows/moves/develop.ts';
import { deliver } from '../../src/workflows/moves/deliver.ts';

export const resultSchema = z.object({ status: z.enum(['success', 'partial', 'failed']), summary: z.string() });

const inputSchema = z.object({
  plan: planSchema,
  ask: z.boolean().default(true),
  limit: z.number().default(3),
  limits: z.object({ idleMs: z.number(), wallMs: z.number() }).optional(),
  /** Tasks are checked by the commands of the plan, as far as a workflow has a say in it. */
  planned: z.boolean().default(false),
});

export const everything: Workflow = {
  name: 'everything',
  version: 1,
  async run(bench) {
    const { plan, ask, limit, limits, planned } = inputSchema.parse(bench.run.input);
    const settings = settingsSchema.parse(bench.run.settings);
    const { base } = bench.run;
    const entries = settings.checks.run;
    const source = entries.length === 0 ? 'discovery' : 'settings';
    await bench.perform('check.run', 'baseline', { commit: base, judge: base, source, entries });
    if (ask && !(await approved(bench))) return { status: 'failed', reason: 'the plan was not approved' };
    await bench.record('plan', 'plan.accepted', { plan });
    const outcomes = await bench.schedule(plan.tasks, { limit }, (task) =>
      deliver(bench, {
        task,
        tasks: plan.tasks,
        agent: 'worker',
        role: 'developer',
        result: resultSchema,
        prompt: (situation) => promptFor(task.objective, situation),
        checks: planned
          ? { source: 'plan', entries: task.verify, baseline: 'baseline' }
          : { source, entries, baseline: 'baseline' },
        scope: settings.scope,
        fixRounds: 2,
        conflictRounds: 1,
        ...(limits === undefined ? {} : { limits }),
      }),
    );
    const { commit } = await bench.perform('integration.read', 'final', {});
    if (commit !== base) await bench.perform('branch.publish', 'publish', { commit });
    const failed = outcomes.filter((outcome) => outcome.status !== 'done');
    return {
      status: failed.length === outcomes.length ? 'failed' : 'done',
      reason: failed.map((outcome) => `${outcome.task}: ${outcome.reason}`).join('; '),
      output: outcomes.map(({ task, status, reason }) => ({ task, status, reason })),
    };
  },
};

async function approved(bench: Bench): Promise<boolean> {
  const answer = await bench.ask('approve', {
    title: 'Go ahead with this plan?',
    options: [
      { id: 'yes', label: 'Yes', recommended: true },
      { id: 'no', label: 'No' },
    ],
  });
  return answer.option === 'yes';
}

function promptFor(objective: string, situation: Situation): string {
  switch (situation.mode) {
    case 'first':
      return objective;
    case 'recovery':
      return `${objective}\n\nAn earlier attempt did not finish: ${situation.why} Its files are in place.`;
    case 'fix':
      return `${objective}\n\nThe checks fail:\n${situation.report.commands.map((command) => command.output).join('\n')}`;
    case 'conflict':
      return `${objective}\n\nIt conflicted in ${situation.files.join(', ')}; do it again on the newer base.`;
  }
}
