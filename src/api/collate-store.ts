/** Builds the index, the feature pages and the collation state from the records. What is as it should be is not written. */
import { z } from 'zod';
import { readConfinedText, writeConfined } from '../files/confined.ts';
import { collateRecords } from '../records/collate-records.ts';
import type { FiledEntity, StoredRecord } from '../records/entity.ts';
import { listEntries } from '../store/record-files.ts';
import { changeStore, readStoreJson } from '../store/store-files.ts';
import type { Operation } from './operation.ts';
import { engineeringRoot } from '../store/engineering-root.ts';
import { ownPhasesOf, recordError, requireStoreRoot } from './store-place.ts';

const input = z.strictObject({ dryRun: z.boolean().default(false) });

const output = z.strictObject({
  /** Pages that were written, or would be. */
  written: z.array(z.string()),
  unchanged: z.number().int(),
  /** Records that were left out because they do not fit. */
  skipped: z.array(z.string()),
});

export const collateStore: Operation<typeof input, typeof output> = {
  name: 'collate-store',
  kind: 'command',
  description: 'Build the index and the feature pages from the records.',
  input,
  output,
  async run(context, { dryRun }) {
    const root = requireStoreRoot(context);
    const engineering = engineeringRoot(root);
    if (engineering.startsWith('/') || engineering.split('/').includes('..'))
      throw recordError(`${JSON.stringify(engineering)} leads out of the project`, [], 'Change paths.engineering.');
    const skipped: string[] = [];
    const read = (entity: FiledEntity): readonly StoredRecord[] => {
      const { entries, damaged } = listEntries(root, entity, ownPhasesOf(root));
      skipped.push(
        ...damaged.map(({ file }) => file),
        ...entries.flatMap(({ file, faults }) => (faults.length === 0 ? [] : [file])),
      );
      return entries.flatMap(({ record, faults }) => (faults.length === 0 ? [record] : []));
    };
    const records = { sprints: read('sprint'), tasks: read('task'), bugs: read('bug'), features: read('feature') };
    const pages = collateRecords(records).map(({ path, text }) => ({ path: `${engineering}/${path}`, text }));
    const changed = pages.filter(({ path, text }) => readConfinedText(root, path) !== text);
    const counts = {
      featureCount: records.features.length,
      sprintCount: records.sprints.length,
      taskCount: records.tasks.length,
      bugCount: records.bugs.length,
    };
    if (!dryRun && (changed.length > 0 || !sameCounts(root, counts))) {
      await changeStore(root, (writer) => {
        for (const { path, text } of changed) writeConfined(root, path, text);
        writer.write('COLLATION_STATE.json', { collatedAt: new Date().toISOString(), ...counts });
      });
    }
    return { written: changed.map(({ path }) => path), unchanged: pages.length - changed.length, skipped };
  },
};

/** The time of the last collation is kept while nothing has changed since. */
function sameCounts(root: string, counts: Readonly<Record<string, number>>): boolean {
  const { value } = readStoreJson(root, 'COLLATION_STATE.json');
  if (typeof value !== 'object' || value === null) return false;
  const known = value as Readonly<Record<string, unknown>>;
  return Object.entries(counts).every(([name, count]) => known[name] === count);
}
