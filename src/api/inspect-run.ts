/** Everything displays show of a run besides its tree: plan and graph, times, checks, merges, findings, sessions, spend. */
import { z } from 'zod';
import { criticalPath, expectedMinutes } from '../plan/graph.ts';
import { planSchema } from '../plan/plan.ts';
import { type Report, reportOf } from '../views/report/report.ts';
import { sessionRows } from '../views/session-rows.ts';
import { reportSchema, sessionRowSchema } from './display-schemas.ts';
import { type LiveRun, liveRun } from './live-run.ts';
import type { JsonOf, Operation } from './operation.ts';
import { runName } from './run-name.ts';

const input = z.strictObject({ run: runName });

const output = z.strictObject({
  run: z.string(),
  /** Its newest fact. */
  seq: z.number().int(),
  report: reportSchema,
  plan: planSchema.optional(),
  /** Ids of the units on the longest way through the plan. */
  critical: z.array(z.string()),
  sessions: z.array(sessionRowSchema),
  /** Keys of tasks that a task waited for while it was at work, by its own key. */
  waits: z.record(z.string(), z.array(z.string())),
});
export type RunDetails = JsonOf<typeof output>;

export const inspectRun: Operation<typeof input, typeof output> = {
  name: 'inspect-run',
  kind: 'query',
  description: 'Gives all details of a run: plan, graph, times, checks, merges, findings, agent sessions and spend.',
  input,
  output,
  run: async (context, { run }) => detailsOf(await liveRun(context, run)),
};

/** Made once for everybody who looks, until there is something new. */
const made = new WeakMap<LiveRun, { readonly seq: number; readonly isLive: boolean; readonly details: RunDetails }>();

export function detailsOf(live: LiveRun): RunDetails {
  const { seq } = live.chronicle.state;
  const isLive = live.page?.isLive === true;
  const known = made.get(live);
  if (known?.seq === seq && known.isLive === isLive) return known.details;
  const details = makeDetails(live);
  made.set(live, { seq, isLive, details });
  return details;
}

const reports = new WeakMap<LiveRun, { readonly seq: number; readonly report: Report }>();

/** The report of a run, made once until there is a new fact. */
export function liveReport(live: LiveRun): Report {
  const { chronicle } = live;
  const { seq } = chronicle.state;
  const known = reports.get(live);
  if (known?.seq === seq) return known.report;
  const report = reportOf(chronicle);
  reports.set(live, { seq, report });
  return report;
}

function makeDetails(live: LiveRun): RunDetails {
  const { run, chronicle, page } = live;
  const { state } = chronicle;
  const report = liveReport(live);
  const waits = [...state.waitedFor].map(([key, all]) => [key, all.flatMap((one) => [...one.for])] as const);
  return {
    run,
    seq: state.seq,
    report,
    plan: state.plan,
    critical: criticalUnits(report),
    sessions: sessionRows(chronicle, page?.isLive === true),
    waits: Object.fromEntries(waits),
  };
}

/** A plan whose dependencies make a circle has no longest way. */
function criticalUnits({ units }: Report): string[] {
  const known = new Set(units.map(({ task }) => task));
  const nodes = units.map(({ task: id, depends, planned }) => ({
    id,
    depends: depends.filter((other) => known.has(other)),
    minutes: planned === undefined ? 1 : expectedMinutes(planned),
  }));
  if (!nodes.some(({ depends }) => depends.length > 0)) return [];
  try {
    return criticalPath(nodes, ({ minutes }) => minutes).ids;
  } catch {
    return [];
  }
}
