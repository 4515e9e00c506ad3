/**
 * Where one run stands: as data, and as a chronicle for whoever draws it. Loads no schemas, unless the run asks something:
 * what is read was checked before it was recorded.
 */
import type { Chronicle } from '../views/chronicle.ts';
import { runBudget } from '../views/run-budget.ts';
import { openWorkStatus } from '../views/work-rows.ts';
import { agentActivity } from './agent-activity.ts';
import { isHeld } from './choose-run.ts';
import type { ApiContext } from './context.ts';
import { findSummary, readChronicle } from './find-run.ts';
import { runLine } from './run-lines.ts';
import type { RunReport } from './run-status.ts';

export interface RunStanding {
  readonly report: RunReport;
  /** For skins of this process, to draw views of the same facts. */
  readonly chronicle: Chronicle;
  /** What agents at work said last, by the key of their work. */
  readonly activity: ReadonlyMap<string, string>;
}

export async function standingOf(context: ApiContext, run: string | undefined): Promise<RunStanding> {
  const { engine } = await context.runs();
  const listing = await findSummary(context, { run, what: 'here', fits: () => true });
  const chronicle = await readChronicle(engine, listing.run);
  const { state } = chronicle;
  const { questions: asked, ...line } = runLine(listing);
  const atWork = openWorkStatus(state, true);
  const openTasks = atWork === 'running' && !isHeld(listing) ? 'interrupted' : atWork;
  const { limit, used, text } = runBudget(state, isHeld(listing));
  const report: RunReport = {
    ...line,
    base: state.created?.base ?? '',
    branch: state.created?.branch,
    pid: isHeld(listing) ? state.opened?.holder.pid : undefined,
    isHeld: isHeld(listing),
    seq: state.seq,
    integration: state.integration,
    tasks: [...state.tasks.values()].map(({ task, outcome }) => outcome ?? { task, status: openTasks }),
    questions: [],
    usage: state.usage,
    budget: { limit, used, text },
    output: state.output ?? null,
  };
  if (asked.length > 0) {
    const { openQuestionsOf } = await import('./open-questions.ts');
    report.questions = [...openQuestionsOf(chronicle, listing, await engine.messages(listing.run))];
  }
  return { report, chronicle, activity: await agentActivity(engine.artifacts(listing.run), state) };
}
