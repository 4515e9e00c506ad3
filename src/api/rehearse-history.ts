/**
 * Replays a stretch of any repository's history with scripted agents: a plan with one task per commit, worked on in
 * parallel as the paths allow, and the tree of the last commit in the end. A test of Forge that anyone can make with a
 * history of their own.
 */
import { z } from 'zod';
import { readCommitRange } from '../git/history.ts';
import { planHistory } from '../plan/history-plan.ts';
import { findHistoryPlayer, historyRequest, historyScript, readWorks } from '../rehearsal/history-work.ts';
import { aimAtTree, beginRehearsal, historyRun } from '../rehearsal/rehearsal.ts';
import { requireTrust } from '../trust/consent.ts';
import type { Operation } from './operation.ts';
import { newRunName } from './start-run.ts';
import { runWorkSchema, workOnRun } from './work-on-run.ts';

const input = z.strictObject({
  range: z.string().min(1).describe('commits, such as A..B'),
  parallel: z.number().int().min(1).max(64).optional(),
  barriers: z.boolean().default(false),
  /** The run's name, for a caller that has to know it beforehand. */
  run: z.string().optional(),
});

/** More is a matter of hours, and one plan for a person to look at. */
const mostCommits = 500;

export const rehearseHistory: Operation<typeof input, typeof runWorkSchema> = {
  name: 'rehearse-history',
  kind: 'command',
  description: 'Replays commits of this repository with scripted agents, to compare the resulting files.',
  input,
  output: runWorkSchema,
  async run(context, request) {
    const { range, barriers, run = newRunName(historyRun) } = request;
    const forge = await context.forge();
    requireTrust(forge, context.env);
    const stretch = await readCommitRange(forge.repo, range, mostCommits);
    const { works, notices } = await readWorks(forge, stretch);
    const tasks = planHistory(
      works.map(({ commit, changes }) => ({ ...commit, paths: changes.map(({ path }) => path) })),
    );
    const parallel = request.parallel ?? forge.settings.parallel;
    const player = await findHistoryPlayer();
    const plan = {
      request: await historyRequest(forge, player, {
        stretch,
        range,
        parallel,
        run,
        options: barriers ? { barriers } : {},
      }),
      script: JSON.stringify(historyScript(player.rehearsal, works, tasks)),
      answers: [{ key: 'approve', option: 'yes' }],
      expected: {
        ...(await aimAtTree(forge, { base: stretch.base, commit: stretch.head })),
        commits: works.map(({ commit: { id, parent } }, at) => ({
          task: tasks[at]?.id ?? id,
          title: tasks[at]?.title ?? id,
          id,
          parent,
        })),
      },
    };
    const work = await workOnRun(context, {
      run,
      open: (options) => beginRehearsal(forge, plan, options),
      request: { operation: 'rehearse-history', input: { ...request, run }, yes: true },
    });
    return { ...work, notices: [...notices] };
  },
};
