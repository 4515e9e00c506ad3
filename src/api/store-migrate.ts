/** Brings a store of another tool or an earlier version to the rules of today, or puts it back. */
import { z } from 'zod';
import { listBackups, migrateStore, restoreBackup } from '../store/migrate-store.ts';
import type { Operation } from './operation.ts';
import { recordError, requireStoreRoot } from './store-place.ts';

const migrationSchema = z.strictObject({
  steps: z.array(
    z.strictObject({
      file: z.string(),
      to: z.string().optional(),
      text: z.string(),
      changes: z.array(z.string()),
    }),
  ),
  left: z.array(z.strictObject({ file: z.string(), problem: z.string() })),
  records: z.number().int(),
  backup: z.string().optional(),
});

const migrateInput = z.strictObject({ dryRun: z.boolean().default(false) });

export const storeMigrate: Operation<typeof migrateInput, typeof migrationSchema> = {
  name: 'store-migrate',
  kind: 'command',
  description: 'Change records so that they fit, after a copy of all of them.',
  input: migrateInput,
  output: migrationSchema,
  run: async (context, { dryRun }) => migrateStore(requireStoreRoot(context), { at: new Date().toISOString(), dryRun }),
};

const backInput = z.strictObject({
  /** Without it, the newest. */
  backup: z.string().optional(),
});

const restoredSchema = z.strictObject({
  from: z.string(),
  files: z.number().int(),
  /** A copy of what was there before. */
  backup: z.string(),
});

export const storeMigrateBack: Operation<typeof backInput, typeof restoredSchema> = {
  name: 'store-migrate-back',
  kind: 'command',
  description: 'Put the files of a copy back.',
  input: backInput,
  output: restoredSchema,
  async run(context, { backup }) {
    const root = requireStoreRoot(context);
    const known = listBackups(root);
    const name = backup ?? known[0];
    if (name === undefined || !known.includes(name)) {
      const hint = known.length === 0 ? 'Nothing was migrated here yet.' : `There are ${known.join(', ')}.`;
      throw recordError('There is no such copy of the store', [], hint);
    }
    return { from: name, ...(await restoreBackup(root, name, new Date().toISOString())) };
  },
};
