/**
 * Modules that an earlier run left waiting: a plan that was being revised is written again from its report, and a decision that
 * waits is asked before anything is built.
 */
import type { ModuleRow } from '../../../delivery/plan-status.ts';
import type { SourceTree } from '../../../design/source-tree.ts';
import type { Bench } from '../../../engine/bench.ts';
import { moduleOf } from '../context.ts';
import { textAt } from '../material.ts';
import { commitPlans, type PlannedContext } from './plan-context.ts';
import { planModule } from './plan-modules.ts';

export type SettledRows =
  | { readonly status: 'ready'; readonly context: PlannedContext }
  | { readonly status: 'stopped'; readonly reason: string };

interface OpenRows {
  readonly context: PlannedContext;
  readonly rows: readonly ModuleRow[];
  readonly tree: SourceTree;
}

export async function settleOpenRows(bench: Bench, { context: start, rows, tree }: OpenRows): Promise<SettledRows> {
  const { dir } = start.input.plan;
  let context = start;
  for (const row of rows) {
    const { module: id } = row;
    const waits = (word: RegExp): boolean => [row.plan, row.dev, row.test, row.review].some((cell) => word.test(cell));
    if (context.settled.has(id) || !context.modules.some((module) => module.id === id)) continue;
    const report = (kind: string): string => textAt(tree, `${dir}/reports/${kind}-${id}.md`).slice(0, 20_000);
    let wish = waits(/^revision/i) ? report('plan-revision') : '';
    if (waits(/^decision/i)) {
      const decided = await askDecision(bench, { context, id, report: report('decision-request') });
      if (decided.next === 'stop') return { status: 'stopped', reason: `${id} waits for a decision` };
      if (decided.next === 'skip') context = { ...context, settled: new Map([...context.settled, [id, 'Skipped']]) };
      else wish = decided.text;
    }
    if (wish === '' || context.settled.has(id)) continue;
    const planned = await planModule(
      bench,
      `open/${id}`,
      { context, why: () => ({ kind: 'changes', text: wish }) },
      moduleOf(context, id),
    );
    if (planned.status === 'stopped')
      return { status: 'stopped', reason: `there is no plan for ${id}: ${planned.reason}` };
    context = { ...context, plans: new Map([...context.plans, [id, planned.plan]]) };
    await commitPlans(bench, `open/${id}/plan`, context, `docs(plan): re-plan from phase ${row.phase} — ${id}`);
  }
  return { status: 'ready', context };
}

async function askDecision(
  bench: Bench,
  { context, id, report }: { readonly context: PlannedContext; readonly id: string; readonly report: string },
): Promise<{ readonly next: 'again' | 'skip' | 'stop'; readonly text: string }> {
  const answer = await bench.ask(`open/${id}`, {
    title: `${id} ${moduleOf(context, id).name} was waiting for a decision. What should happen next?`,
    detail: report,
    options: [
      { id: 'again', label: 'Build it (say how if you like)', recommended: true },
      { id: 'skip', label: `Leave ${id} out` },
      { id: 'stop', label: 'Stop here' },
    ],
    freeText: true,
    topic: 'decision',
  });
  const next = answer.option === 'skip' || answer.option === 'stop' ? answer.option : 'again';
  return { next, text: answer.text ?? '' };
}
