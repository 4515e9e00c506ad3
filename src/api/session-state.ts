/**
 * What somebody who coordinates work on their own wants to find again: saved by name, found again, listed. Forge's own
 * runs are in the list too, because they can be continued in the same way.
 */
import { z } from 'zod';
import type { RunSummary } from '../engine/engine.ts';
import { ForgeError } from '../errors.ts';
import { changeState, listStates, readState, stateId, toolPlace } from '../toolbox/stored-state.ts';
import { noteEvent } from '../toolbox/tool-events.ts';
import type { Chronicle } from '../views/chronicle.ts';
import { workUnits } from '../views/work-rows.ts';
import type { ApiContext } from './context.ts';
import { readChronicle } from './find-run.ts';
import type { JsonOf, Operation } from './operation.ts';
import { runLine } from './run-lines.ts';

const input = z.strictObject({
  action: z.enum(['save', 'load', 'list']),
  runId: stateId.optional(),
  state: z.record(z.string(), z.unknown()).optional(),
});

const sessionSchema = z.strictObject({
  runId: z.string(),
  lastUpdatedAt: z.string().nullable(),
  currentPhase: z.string().nullable(),
  completedCount: z.number().int(),
  totalCount: z.number().int(),
});
type Session = JsonOf<typeof sessionSchema>;

const output = z.union([
  z.strictObject({ saved: z.literal(true), runId: z.string(), lastUpdatedAt: z.string() }),
  z.strictObject({ found: z.literal(false), runId: z.string() }),
  z.strictObject({ sessions: z.array(sessionSchema) }),
  /** What was saved, or where a run of Forge stands. */
  z.looseObject({ found: z.literal(true) }),
]);
type SessionAnswer = JsonOf<typeof output>;

export const sessionState: Operation<typeof input, typeof output> = {
  name: 'session-state',
  kind: 'command',
  description:
    'Saves the state of your own coordination under a runId, loads it again, or lists what there is, with the runs of Forge. Those with completedCount < totalCount can be continued.',
  input,
  output,
  tool: { name: 'session_state', title: 'Save and find a session', hints: { idempotent: true } },
  async run(context, { action, runId, state }) {
    const { stateFolder: root } = (await context.forge()).repo;
    if (action === 'list') return { sessions: await listSessions(context, root) };
    if (runId === undefined) throw missing('runId', action);
    if (action === 'load') return load(context, root, runId);
    if (state === undefined) throw missing('state', action);
    const lastUpdatedAt = new Date().toISOString();
    await changeState(root, fileOf(root, runId), () => ({ after: { ...state, lastUpdatedAt }, answer: undefined }));
    const data = { currentPhase: summarySchema.parse(state).currentPhase };
    await noteEvent(root, runId, { phase: 'session', moduleId: null, event: 'session_save', severity: 'info', data });
    return { saved: true, runId, lastUpdatedAt };
  },
};

function missing(field: string, action: string): ForgeError {
  return new ForgeError('bad-input', `${field} is required for ${action}`, { hint: `Give ${field}.` });
}

async function load(context: ApiContext, root: string, runId: string): Promise<SessionAnswer> {
  const stored = await readState(root, fileOf(root, runId));
  if (typeof stored === 'object' && stored !== null) return { ...stored, found: true };
  const run = (await runsOf(context)).find((listing) => listing.run === runId);
  return run === undefined ? { found: false, runId } : { found: true, ...(await asState(context, run)) };
}

async function listSessions(context: ApiContext, root: string): Promise<readonly Session[]> {
  const names = await listStates(root, toolPlace(root, 'sessions'), '.json');
  const saved = await Promise.all(
    names.map(async (runId): Promise<Session> => {
      const summary = summarySchema.parse((await readState(root, fileOf(root, runId))) ?? {});
      return {
        runId,
        lastUpdatedAt: summary.lastUpdatedAt,
        currentPhase: summary.currentPhase,
        completedCount: summary.completedModules?.length ?? summary.completedCount,
        totalCount:
          summary.moduleStatuses === undefined ? summary.totalCount : Object.keys(summary.moduleStatuses).length,
      };
    }),
  );
  const runs = (await runsOf(context)).filter(({ run }) => !names.includes(run));
  const own = await Promise.all(runs.map((one) => asSession(context, one)));
  return [...saved, ...own].sort((a, b) => ((a.lastUpdatedAt ?? '') < (b.lastUpdatedAt ?? '') ? 1 : -1));
}

/** By its modules, or by their numbers where it has only those. */
const summarySchema = z
  .object({
    lastUpdatedAt: z.string().nullable().catch(null),
    currentPhase: z.string().nullable().catch(null),
    completedModules: z.array(z.unknown()).optional().catch(undefined),
    moduleStatuses: z.record(z.string(), z.unknown()).optional().catch(undefined),
    completedCount: z.number().int().nonnegative().catch(0),
    totalCount: z.number().int().nonnegative().catch(0),
  })
  .catch({ lastUpdatedAt: null, currentPhase: null, completedCount: 0, totalCount: 0 });

async function runsOf(context: ApiContext): Promise<readonly RunSummary[]> {
  return (await context.forge()).engine.list();
}

async function asState(context: ApiContext, listing: RunSummary) {
  const { updatedAt, createdAt, status, where, questions } = runLine(listing);
  const { engine } = await context.runs();
  const isReadable = listing.status !== 'unreadable';
  const statuses = isReadable ? moduleStatuses(await readChronicle(engine, listing.run)) : {};
  return {
    runId: listing.run,
    status,
    currentPhase: where || status,
    moduleStatuses: statuses,
    completedModules: Object.keys(statuses).filter((task) => statuses[task] === 'done'),
    questions,
    startedAt: createdAt,
    lastUpdatedAt: updatedAt,
  };
}

async function asSession(context: ApiContext, listing: RunSummary): Promise<Session> {
  const state = await asState(context, listing);
  const { runId, lastUpdatedAt, currentPhase, completedModules, moduleStatuses: statuses } = state;
  const totalCount = Object.keys(statuses).length;
  return { runId, lastUpdatedAt, currentPhase, completedCount: completedModules.length, totalCount };
}

/** Of what was planned, and what fixes it; who reviews the whole is not a module. Not begun yet: pending. */
export function moduleStatuses(chronicle: Chronicle): Readonly<Record<string, string>> {
  return Object.fromEntries(
    workUnits(chronicle).map(({ task, status }) => [task, status === 'waiting' ? 'pending' : status]),
  );
}

function fileOf(root: string, runId: string): string {
  return toolPlace(root, 'sessions', `${runId}.json`);
}
