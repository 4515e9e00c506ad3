/**
 * Carries a migration out, and takes it back. Everything is copied away before the first change, the new version is
 * written last, and a migration that was cut off is begun again from what is there. The way back puts every file of a
 * copy in its place again, after a copy of what is there now.
 */
import { join } from 'node:path';
import { listConfined, removeConfined, writeConfined } from '../files/confined.ts';
import { type MigrationPlan, planMigration, readTextFiles } from './plan-migration.ts';
import { changeStore, storeDirectory, versionFile } from './store-files.ts';

const backupDirectory = '.forge/store-backups';

export interface MigrationResult extends MigrationPlan {
  /** Where the files were copied to; undefined when nothing was changed. */
  readonly backup: string | undefined;
}

export async function migrateStore(
  root: string,
  { at, dryRun }: { readonly at: string; readonly dryRun: boolean },
): Promise<MigrationResult> {
  if (dryRun) return { ...planMigration(readTextFiles(root, storeDirectory)), backup: undefined };
  return changeStore(root, (writer) => {
    const files = readTextFiles(root, storeDirectory);
    const plan = planMigration(files);
    if (plan.steps.length === 0) return { ...plan, backup: undefined };
    const backup = copyAway(root, files, at);
    const isVersion = ({ to }: { readonly to: string | undefined }): boolean => to === versionFile;
    for (const step of [...plan.steps.filter((one) => !isVersion(one)), ...plan.steps.filter(isVersion)]) {
      if (step.to !== undefined) writer.writeText(step.to, step.text);
      if (step.to !== step.file) writer.remove(step.file);
    }
    return { ...plan, backup };
  });
}

/** Copies, newest first. */
export function listBackups(root: string): readonly string[] {
  const found = listConfined(root, backupDirectory);
  const names =
    found.status === 'read' ? found.entries.flatMap(({ name, kind }) => (kind === 'directory' ? [name] : [])) : [];
  return names.sort().toReversed();
}

export async function restoreBackup(
  root: string,
  name: string,
  at: string,
): Promise<{ readonly files: number; readonly backup: string }> {
  return changeStore(root, () => {
    const now = readTextFiles(root, storeDirectory);
    const before = readTextFiles(root, `${backupDirectory}/${name}`);
    const backup = copyAway(root, now, at);
    for (const [file, text] of before) writeConfined(root, `${storeDirectory}/${file}`, text);
    for (const file of now.keys()) if (!before.has(file)) removeConfined(root, `${storeDirectory}/${file}`);
    return { files: before.size, backup };
  });
}

function copyAway(root: string, files: ReadonlyMap<string, string>, at: string): string {
  const name = at.replace(/[^0-9TZ]/g, '');
  for (const [file, text] of files) writeConfined(root, join(backupDirectory, name, file), text);
  return `${backupDirectory}/${name}`;
}
