/**
 * Makes the packs of a project again: the architecture in short, the roles, and an overlay for every open task and bug.
 * With `enrich` it also says what the friction of past phases suggests to change; it changes none of that itself.
 */
import { z } from 'zod';
import { roleBody } from '../pipelines/change-role.ts';
import { isOpenFriction, proposeFromFriction } from '../pipelines/enrich.ts';
import { buildPacks, packDirectory } from '../pipelines/packs.ts';
import { isTerminal } from '../pipelines/record-states.ts';
import type { FiledEntity, StoredRecord } from '../records/entity.ts';
import { architectureDocuments, roleTexts, writePacks } from '../store/pack-files.ts';
import { listEntries } from '../store/record-files.ts';
import type { Operation } from './operation.ts';
import { ownPhasesOf, requireStoreRoot } from './store-place.ts';

const input = z.strictObject({ dryRun: z.boolean().default(false), enrich: z.boolean().default(false) });

const output = z.strictObject({
  written: z.array(z.string()),
  removed: z.array(z.string()),
  unchanged: z.number().int(),
  /** Of `enrich`: what friction suggests, the most frequent first. */
  proposals: z.array(
    z.strictObject({
      role: z.string(),
      kind: z.string(),
      about: z.string(),
      count: z.number().int(),
      issues: z.array(z.string()),
      proposal: z.string(),
      events: z.array(z.string()),
    }),
  ),
});

export const rebuildPacks: Operation<typeof input, typeof output> = {
  name: 'rebuild-packs',
  kind: 'command',
  description: 'Make the packs and overlays again, and say what friction suggests to change.',
  input,
  output,
  async run(context, { dryRun, enrich }) {
    const root = requireStoreRoot(context);
    const changes = writePacks(root, { packs: packsOf(root), directory: packDirectory, dryRun });
    const events = enrich ? listEntries(root, 'event').entries.map(({ record }) => record) : [];
    const proposals = proposeFromFriction(events.filter(isOpenFriction));
    return {
      written: [...changes.written],
      removed: [...changes.removed],
      unchanged: changes.unchanged,
      proposals: proposals.map((one) => ({ ...one, issues: [...one.issues], events: [...one.events] })),
    };
  },
};

/** As they should be, from what is in the checkout now. */
export function packsOf(root: string): ReadonlyMap<string, string> {
  const ownPhases = ownPhasesOf(root);
  const records = (entity: FiledEntity): readonly StoredRecord[] =>
    listEntries(root, entity, ownPhases).entries.flatMap(({ record, faults }) => (faults.length === 0 ? [record] : []));
  const [sprints, tasks, bugs, features] = [records('sprint'), records('task'), records('bug'), records('feature')];
  const subjects = [
    ...tasks.map((record) => ({ kind: 'task' as const, id: String(record['taskId']), record })),
    ...bugs.map((record) => ({ kind: 'bug' as const, id: String(record['bugId']), record })),
  ];
  const open = subjects
    .filter(({ kind, record }) => !isTerminal(kind, record['status']))
    .map(({ id, record }) => {
      const needs = Array.isArray(record['dependencies']) ? record['dependencies'] : [];
      return {
        id,
        record,
        sprint: sprints.find((one) => one['sprintId'] === record['sprintId']),
        feature: features.find((one) => one['id'] === record['feature_id']),
        needs: tasks.filter((one) => needs.includes(one['taskId'])),
      };
    });
  const ownRoles = Object.fromEntries(roleTexts(root).map(({ name, text }) => [name, roleBody(text)]));
  return buildPacks({ documents: architectureDocuments(root), ownRoles, open });
}
