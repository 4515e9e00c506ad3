// A workflow: ordinary async code over the bench. Forge records every step under its key, so this function may be
// killed anywhere and simply runs again from its start; what was finished answers from the journal.
import { deliver } from 'forge';
import { z } from 'zod';

const result = z.object({ status: z.enum(['success', 'partial', 'failed']), summary: z.string() });

export const workflow = {
  name: 'first-run',
  version: 1,
  async run(bench) {
    const { plan, settings } = bench.run.input;
    const { base } = bench.run;
    await bench.perform('check.run', 'baseline', { commit: base, judge: base, source: 'discovery', entries: [] });
    await bench.record('plan', 'plan.accepted', { plan });
    const outcomes = await bench.schedule(plan.tasks, { limit: 3 }, (task) =>
      deliver(bench, {
        task,
        tasks: plan.tasks,
        agent: 'worker',
        role: 'developer',
        result,
        prompt: (situation) => `${task.title}. Done when ${task.doneWhen}. (${situation.mode})`,
        checks: { source: 'discovery', entries: [], baseline: 'baseline' },
        scope: settings.scope,
        fixRounds: 2,
        conflictRounds: 1,
      }),
    );
    const { commit } = await bench.perform('integration.read', 'final', {});
    await bench.perform('branch.publish', 'publish', { commit });
    const done = outcomes.every((outcome) => outcome.status === 'done');
    return { status: done ? 'done' : 'failed', output: outcomes };
  },
};
