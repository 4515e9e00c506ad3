/**
 * Which job took which entry of a script, kept in a small append-only file next to the run, so that an
 * entry is used once even across crashes. The same key and attempt asking again gets the same entry. A
 * claim is on disk before its job starts. Deciding and recording are one synchronous step: two jobs of
 * one process can never take the same entry.
 */
import { z } from 'zod';
import { ForgeError } from '../errors.ts';
import { openJsonLines, readJsonLines } from '../files/json-lines.ts';
import type { Script, ScriptEntry } from './script.ts';
import { explainExhausted, firstUnused, type MatchedJob } from './script-match.ts';

export type ScriptClaim = { readonly entry: ScriptEntry } | { readonly exhausted: string };

const recordSchema = z.strictObject({
  key: z.string(),
  attempt: z.number(),
  entry: z.number(),
  digest: z.string(),
});
type ClaimRecord = z.infer<typeof recordSchema>;

export function claimEntry(script: Script, claimsFile: string, face: MatchedJob): ScriptClaim {
  const { used, mine } = settle(script, readRecords(claimsFile), face);
  if (mine !== undefined) return { entry: mine };
  const entry = firstUnused(script, face, used);
  if (entry === undefined) return { exhausted: explainExhausted(script, face, used) };
  const lines = openJsonLines(claimsFile);
  const record: ClaimRecord = { key: face.key, attempt: face.attempt, entry: entry.number, digest: entry.digest };
  lines.append(record, 'sync');
  lines.close();
  return { entry };
}

function readRecords(file: string): readonly ClaimRecord[] {
  return readJsonLines(file).lines.map(({ line, value }) => {
    const read = recordSchema.safeParse(value);
    if (read.success) return read.data;
    throw new ForgeError('journal-corrupt', `${file}: line ${line} does not name an entry of a script`, {
      hint: 'Restore the file, or delete it to start the script from the beginning.',
    });
  });
}

/** Entries are found again by place and content, then by content alone: a script may be edited between two resumes. */
function settle(script: Script, records: readonly ClaimRecord[], face: MatchedJob) {
  const used = new Map<number, string>();
  let mine: ScriptEntry | undefined;
  const stillThere = (record: ClaimRecord) => script.entries[record.entry - 1]?.digest === record.digest;
  for (const record of [...records].sort((a, b) => Number(stillThere(b)) - Number(stillThere(a)))) {
    const entry = stillThere(record)
      ? script.entries[record.entry - 1]
      : script.entries.find((other) => other.digest === record.digest && !used.has(other.number));
    if (entry === undefined) continue;
    used.set(entry.number, record.key);
    if (record.key === face.key && record.attempt === face.attempt) mine = entry;
  }
  return { used, mine };
}
