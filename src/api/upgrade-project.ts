/**
 * Brings settings and store of a project to this version of Forge, step by step: a copy of every file first, the same plan
 * for the dry run, and a way back that puts the copies in their places again.
 */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { listConfined, readConfinedText, writeConfined } from '../files/confined.ts';
import { upgradeSettings } from '../policy/upgrade-settings.ts';
import { listBackups, migrateStore, restoreBackup } from '../store/migrate-store.ts';
import { storeDirectory } from '../store/store-files.ts';
import type { Operation } from './operation.ts';
import { findStoreRoot, recordError } from './store-place.ts';

const settingsFile = '.forge/config.yaml';
const backupDirectory = '.forge/settings-backups';

const input = z.strictObject({ dryRun: z.boolean().default(false), back: z.boolean().default(false) });

const part = z.strictObject({
  file: z.string(),
  changes: z.array(z.string()),
});

const output = z.strictObject({
  changed: z.array(part),
  /** What nobody can repair without guessing. */
  left: z.array(z.strictObject({ file: z.string(), problem: z.string() })),
  /** Where the files were copied to. */
  backups: z.array(z.string()),
});
type Upgraded = z.output<typeof output>;

export const upgradeProject: Operation<typeof input, typeof output> = {
  name: 'upgrade-project',
  kind: 'command',
  description: 'Bring settings and records to this version of Forge, or put them back as they were.',
  input,
  output,
  async run(context, { dryRun, back }) {
    const root = await findStoreRoot(context);
    const at = new Date().toISOString();
    return back ? putBack(root, { at, dryRun }) : upgrade(root, { at, dryRun });
  },
};

interface Moment {
  readonly at: string;
  readonly dryRun: boolean;
}

async function upgrade(root: string, { at, dryRun }: Moment): Promise<Upgraded> {
  const settings = upgradeFile(root, { at, dryRun });
  const store = hasStore(root) ? await migrateStore(root, { at, dryRun }) : undefined;
  return {
    changed: [
      ...settings.changed,
      ...(store?.steps ?? []).map(({ file, changes }) => ({
        file: `${storeDirectory}/${file}`,
        changes: [...changes],
      })),
    ],
    left: [...(store?.left ?? [])],
    backups: [...settings.backups, ...(store?.backup === undefined ? [] : [store.backup])],
  };
}

function upgradeFile(root: string, { at, dryRun }: Moment): Pick<Upgraded, 'changed' | 'backups'> {
  const text = readConfinedText(root, settingsFile);
  if (text === undefined) return { changed: [], backups: [] };
  const { changes, text: after } = upgradeSettings(text);
  if (changes.length === 0) return { changed: [], backups: [] };
  const changed = [{ file: settingsFile, changes: [...changes] }];
  if (dryRun) return { changed, backups: [] };
  const backup = copyAway(root, text, at);
  writeConfined(root, settingsFile, after);
  return { changed, backups: [backup] };
}

function copyAway(root: string, text: string, at: string): string {
  const path = `${backupDirectory}/${at.replace(/[^0-9TZ]/g, '')}.yaml`;
  writeConfined(root, path, text);
  return path;
}

/** The newest copy of each, after a copy of what is there now. */
async function putBack(root: string, { at, dryRun }: Moment): Promise<Upgraded> {
  const listed = listConfined(root, backupDirectory);
  const copies =
    listed.status === 'read' ? listed.entries.flatMap(({ name, kind }) => (kind === 'file' ? [name] : [])) : [];
  const settings = copies.sort().at(-1);
  const [store] = listBackups(root);
  if (settings === undefined && store === undefined)
    throw recordError('There is no copy to put back', [], 'Nothing was upgraded here yet.');
  const changed = [
    ...(settings === undefined ? [] : [{ file: settingsFile, changes: [`as in ${backupDirectory}/${settings}`] }]),
    ...(store === undefined ? [] : [{ file: storeDirectory, changes: [`as in .forge/store-backups/${store}`] }]),
  ];
  if (dryRun) return { changed, left: [], backups: [] };
  const backups: string[] = [];
  if (settings !== undefined) {
    const text = readConfinedText(root, `${backupDirectory}/${settings}`) ?? '';
    backups.push(copyAway(root, readConfinedText(root, settingsFile) ?? '', at));
    writeConfined(root, settingsFile, text);
  }
  if (store !== undefined) backups.push((await restoreBackup(root, store, at)).backup);
  return { changed, left: [], backups };
}

function hasStore(root: string): boolean {
  return lstatSync(join(root, storeDirectory), { throwIfNoEntry: false })?.isDirectory() === true;
}
