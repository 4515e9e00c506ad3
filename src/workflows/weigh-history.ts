/**
 * What the default rules make of commits that people wrote: each commit is verified as a task's work would be, with its
 * parent as the base and the judge. Nothing is built and nobody is asked. A question that a run would have asked is
 * noted, answered with yes, and verification goes on, so that one question does not hide another.
 */
import { z } from 'zod';
import type { Bench, Workflow } from '../engine/bench.ts';
import { taskSchema } from '../plan/plan.ts';
import { scopeSettingsSchema } from '../policy/receipt.ts';
import { runCheck } from './moves/check-steps.ts';
import { verify } from './moves/verify.ts';
import { replaceAsking } from './replace-asking.ts';

const inputSchema = z.strictObject({
  commits: z.array(z.strictObject({ task: z.string(), id: z.string(), parent: z.string(), title: z.string() })),
  source: z.enum(['settings', 'discovery']),
});
export type HistoryInput = z.input<typeof inputSchema>;

export const weighedCommitSchema = z.strictObject({
  task: z.string(),
  title: z.string(),
  /** `stopped`: the checks do not pass, which a run would send back to its agent. */
  outcome: z.enum(['passes', 'asked', 'stopped']),
  reasons: z.array(z.string()),
});
export type WeighedCommit = z.output<typeof weighedCommitSchema>;

export const weighHistory: Workflow = {
  name: 'weigh-history',
  version: 1,
  async run(bench) {
    const { commits, source } = inputSchema.parse(bench.run.input);
    const weighed: WeighedCommit[] = [];
    for (const commit of commits) {
      const { task, title } = commit;
      const end = ({ outcome }: WeighedCommit) => ({ status: 'done' as const, detail: outcome });
      weighed.push(await bench.step(task, { kind: 'task', title, end }, () => weigh(bench, commit, source)));
    }
    return { status: 'done', output: { weighed } };
  },
};

async function weigh(
  bench: Bench,
  { task: id, id: commit, parent, title }: z.output<typeof inputSchema>['commits'][number],
  source: 'settings' | 'discovery',
): Promise<WeighedCommit> {
  const baseline = `${id}/baseline`;
  await runCheck(bench, baseline, { commit: parent, judge: parent, source, entries: [] }, 'Checks on the parent');
  const reasons: string[] = [];
  const verified = await verify(noting(bench, reasons), `${id}/verify`, {
    task: taskSchema.parse({ id, title }),
    checks: { source, entries: [], baseline },
    scope: scopeSettingsSchema.parse({}),
    base: parent,
    commit,
    basis: { judge: parent, accepted: [] },
    last: true,
  });
  if (reasons.length > 0) return { task: id, title, outcome: 'asked', reasons };
  if (verified.status === 'passed') return { task: id, title, outcome: 'passes', reasons };
  return { task: id, title, outcome: 'stopped', reasons: [verified.reason] };
}

/** The same bench, but for questions: they are noted and answered with yes. */
function noting(bench: Bench, reasons: string[]): Bench {
  return replaceAsking(bench, async (_key, { title, detail }) => {
    const [first = title] = (detail ?? '').split('\n');
    reasons.push(first.slice(0, 300));
    return { option: 'accept', by: 'history' };
  });
}
