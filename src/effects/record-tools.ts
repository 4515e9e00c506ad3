/**
 * Records for agents at work, through the bridge: read one, list some, say how far the work is, report a bug. They go
 * through the store's own rules; there is no other way for an agent to a record, for the files it sees are a copy that
 * nobody reads back. States and summaries are not among these tools: only the engine changes those, by what it measured.
 */
import { z } from 'zod';
import type { EffectContext } from '../engine/performer.ts';
import { nextId } from '../pipelines/next-id.ts';
import { filedEntities, isRecordId, type StoredRecord } from '../records/entity.ts';
import { fitsConditions, parseConditions } from '../records/record-filter.ts';
import { didYouMeanId } from '../records/suggest-words.ts';
import { addRecords } from '../store/add-records.ts';
import { engineeringRoot } from '../store/engineering-root.ts';
import { logProgress } from '../store/event-files.ts';
import { isDamaged, knownIds, listEntries, readEntry, recordPath } from '../store/record-files.ts';
import { roleTool, type ToolMaker } from './role-tool.ts';

const recordRead: ToolMaker = (_context, deps) =>
  roleTool(deps, {
    name: 'record_read',
    description: 'One record of the project: a task, bug, sprint or feature by its id.',
    input: z.strictObject({ entity: z.enum(filedEntities), id: z.string().max(128) }),
    call: async ({ entity, id }) => {
      const root = deps.storeRoot;
      const found = isRecordId(id) ? readEntry(root, { entity, file: recordPath(entity, id) }) : undefined;
      if (found === undefined)
        return { found: false, hint: didYouMeanId(id, knownIds(root)[entity]) || 'Use record_list.' };
      return isDamaged(found) ? { found: false, problem: found.problem } : { found: true, record: found.record };
    },
  });

const recordList: ToolMaker = (_context, deps) =>
  roleTool(deps, {
    name: 'record_list',
    description: 'Records of a kind in short, by conditions such as "status=planned" or "title~login".',
    input: z.strictObject({
      entity: z.enum(filedEntities),
      conditions: z.array(z.string().max(200)).max(10).default([]),
      limit: z.number().int().min(1).max(100).default(30),
    }),
    call: async ({ entity, conditions, limit }) => {
      const parsed = parseConditions(conditions);
      if (!parsed.ok) return { problem: parsed.problem, fix: parsed.fix };
      const fitting = listEntries(deps.storeRoot, entity).entries.filter(({ record }) =>
        fitsConditions(record, parsed.conditions),
      );
      return { total: fitting.length, records: fitting.slice(0, limit).map(({ id, record }) => short(id, record)) };
    },
  });

function short(id: string, { title, status }: StoredRecord): object {
  return { id, title, status };
}

const recordProgress: ToolMaker = (context, deps) =>
  roleTool(deps, {
    name: 'record_progress',
    description: 'Says in a few words how far your work is, for people who watch.',
    input: z.strictObject({ text: z.string().min(1).max(300) }),
    call: async ({ text }) => {
      const entry = { agentName: agentName(context), bannerKey: 'agent', status: 'progress', detail: text };
      const faults = await logProgress(deps.storeRoot, {
        sprint: directoryOf(context, deps.storeRoot),
        entry,
        at: context.clock.now().toISOString(),
      });
      return { ok: faults.length === 0 };
    },
  });

const mostBugs = 20;

const recordBug: ToolMaker = (context, deps) => {
  let reported = 0;
  return roleTool(deps, {
    name: 'record_bug',
    description:
      'Reports a bug that you saw and that is not part of your task. It becomes a record with the state reported.',
    input: z.strictObject({
      title: z.string().min(1).max(200),
      severity: z.enum(['critical', 'major', 'minor']),
      description: z.string().max(4000).default(''),
    }),
    call: async ({ title, severity, description }) => {
      reported += 1;
      if (reported > mostBugs) return { ok: false, problem: 'That is enough for one piece of work.' };
      const root = deps.storeRoot;
      const same = listEntries(root, 'bug').entries.find(({ record }) => record['title'] === title);
      if (same !== undefined) return { ok: true, id: same.id, note: 'It was reported before.' };
      const reportedAt = context.clock.now().toISOString();
      const about = { title, severity, status: 'reported', reportedAt, description };
      // Agents at work side by side may report at the same moment: each gets an id of its own.
      const added = await addRecords(root, ({ known }) => {
        const bugId = nextId(known.bug, 'BUG-', 3);
        return [{ entity: 'bug', value: { bugId, path: `${engineeringRoot(root)}/bugs/${bugId}`, ...about } }];
      });
      return added.status === 'written'
        ? { ok: true, id: added.records[0]?.['bugId'] }
        : { ok: false, faults: added.faults };
    },
  });
};

/** The piece of work, in the alphabet of the log. */
function agentName({ key }: EffectContext): string {
  const name = key.replace(/[^A-Za-z0-9:_.-]+/g, ':').slice(0, 190);
  return /^[A-Za-z0-9]/.test(name) ? name : `agent:${name}`;
}

function directoryOf({ key }: EffectContext, root: string): string {
  const [id = ''] = key.split('/');
  const task = isRecordId(id) ? readEntry(root, { entity: 'task', file: recordPath('task', id) }) : undefined;
  const sprint = task === undefined || isDamaged(task) ? undefined : task.record['sprintId'];
  if (isRecordId(sprint)) return sprint;
  return knownIds(root).bug.includes(id) ? 'bugs' : 'SYS-runs';
}

export const recordTools: readonly ToolMaker[] = [recordRead, recordList, recordProgress, recordBug];
