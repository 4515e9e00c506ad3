/**
 * What the last snapshot of a workspace took, written beside the engine's index after its ref exists. Whether a
 * workspace may go is decided from this and from a fresh look at its tree.
 */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { leftBehindSchema } from '../policy/receipt.ts';
import type { Workspace } from './git.ts';

const recordSchema = z.strictObject({
  version: z.literal(1),
  commit: z.string(),
  rulesFrom: z.string(),
  limits: z.strictObject({ fileBytes: z.number(), totalBytes: z.number() }),
  leftBehind: z.array(leftBehindSchema),
  /** The agent's own commits could not be exported and exist in its `.git` alone. */
  unsavedCommits: z.boolean(),
});
export type CaptureRecord = z.infer<typeof recordSchema>;

export async function readRecord(workspace: Workspace): Promise<CaptureRecord | undefined> {
  const text = await readFile(recordFile(workspace), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : recordSchema.parse(JSON.parse(text));
}

export async function writeRecord(workspace: Workspace, record: CaptureRecord): Promise<void> {
  const file = recordFile(workspace);
  await writeFile(`${file}.part`, JSON.stringify(record));
  await rename(`${file}.part`, file);
}

function recordFile(workspace: Workspace): string {
  return join(workspace.engineDir, 'captured.json');
}
