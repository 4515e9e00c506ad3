/**
 * Whether a project's records, documents and pipelines fit together: structure, store, links and pipelines, each with
 * what to do. Changes nothing.
 */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { isRecordId, type StoredRecord } from '../records/entity.ts';
import { countText } from '../views/figures.ts';
import { packDirectory } from '../pipelines/packs.ts';
import { writePacks } from '../store/pack-files.ts';
import { inspectStore } from '../store/inspect-store.ts';
import { listEntries } from '../store/record-files.ts';
import { readStoreJson, storeDirectory } from '../store/store-files.ts';
import { collateStore } from './collate-store.ts';
import type { Operation } from './operation.ts';
import { showPipelines } from './pipelines.ts';
import { packsOf } from './rebuild-packs.ts';
import { findStoreRoot, ownPhasesOf } from './store-place.ts';

const input = z.strictObject({});

const output = z.array(
  z.strictObject({
    area: z.enum(['structure', 'store', 'packs', 'links', 'pipelines', 'pages']),
    ok: z.boolean(),
    detail: z.string(),
    fix: z.string(),
  }),
);
type HealthFinding = z.output<typeof output>[number];

export const projectHealth: Operation<typeof input, typeof output> = {
  name: 'project-health',
  kind: 'query',
  description: 'Whether records, documents and pipelines fit together, and what to do.',
  input,
  output,
  async run(context) {
    const root = await findStoreRoot(context);
    if (lstatSync(join(root, storeDirectory), { throwIfNoEntry: false }) === undefined) {
      const fix = 'Write the first record: forge store template sprint';
      return [{ area: 'structure', ok: false, detail: `There is no ${storeDirectory} yet.`, fix }];
    }
    const found = inspectStore(root, ownPhasesOf(root));
    const errors = found.filter(({ level }) => level === 'error').length;
    const { written: pages } = await collateStore.run(context, { dryRun: true });
    const pipelines = await showPipelines.run(context, {});
    const broken = pipelines.filter((one) => one.errors.length > 0).map(({ name }) => name);
    const missing = missingPlaces(root);
    return [
      finding('structure', readStoreJson(root, 'STORE.json').status === 'read', {
        good: 'The store has a version.',
        bad: 'The store has no version: another tool made it.',
        fix: 'See what would change: forge store migrate --dry-run',
      }),
      finding('store', errors === 0, {
        good: `Every record fits (${countText(found.length, 'note')}).`,
        bad: `${countText(errors, 'fault')} in records.`,
        fix: 'See them with their fixes: forge store validate',
      }),
      packsFinding(root),
      finding('links', missing.length === 0, {
        good: 'Every open task and bug has its directory.',
        bad: `No such directory or file: ${missing.slice(0, 10).join(', ')}${missing.length > 10 ? ` and ${missing.length - 10} more` : ''}.`,
        fix: 'Make the directory, or change path in the record.',
      }),
      finding('pipelines', broken.length === 0, {
        good: `${pipelines.length} pipelines have no mistakes.`,
        bad: `Mistakes in ${broken.join(', ')}.`,
        fix: 'See them: forge pipeline check',
      }),
      finding('pages', pages.length === 0, {
        good: 'The index and the feature pages are up to date.',
        bad: `${countText(pages.length, 'page')} not as the records are: ${pages.slice(0, 3).join(', ')}.`,
        fix: 'Build them: forge collate',
      }),
    ];
  },
};

function finding(
  area: HealthFinding['area'],
  ok: boolean,
  { good, bad, fix }: { readonly good: string; readonly bad: string; readonly fix: string },
): HealthFinding {
  return { area, ok, detail: ok ? good : bad, fix: ok ? '' : fix };
}

/** Overlays follow every change of a record and are made when they are needed: only what lasts is looked at. */
function packsFinding(root: string): HealthFinding {
  if (lstatSync(join(root, packDirectory), { throwIfNoEntry: false }) === undefined)
    return { area: 'packs', ok: true, detail: 'There are none: agents get the documents themselves.', fix: '' };
  const { written } = writePacks(root, { packs: packsOf(root), directory: packDirectory, dryRun: true });
  const old = written.filter((path) => !path.startsWith(`${packDirectory}/overlays/`));
  return finding('packs', old.length === 0, {
    good: 'The packs are as the documents and roles are.',
    bad: `Older than what they are made from: ${old.join(', ')}.`,
    fix: 'Make them again: forge rebuild',
  });
}

/** Of what is over, nobody needs the directory any more. */
const over = new Set(['committed', 'abandoned', 'fixed', 'draft', 'reported']);

function missingPlaces(root: string): readonly string[] {
  const records = (['task', 'bug'] as const).flatMap((entity) =>
    listEntries(root, entity).entries.map(({ record }) => record),
  );
  return records.flatMap((record: StoredRecord) => {
    const { path, status, taskId, bugId } = record;
    if (typeof path !== 'string' || over.has(String(status)) || path.startsWith('/') || path.split('/').includes('..'))
      return [];
    const id = isRecordId(taskId) ? taskId : bugId;
    return lstatSync(join(root, path), { throwIfNoEntry: false }) === undefined ? [`${path} (${String(id)})`] : [];
  });
}
