/**
 * What is known of how much of each account's usage windows is used, shared by all runs of this user: what providers
 * said in answers, what agents reported, and what the status line of an agent's own program shows. One small file per
 * account. A figure counts until its window resets; one without a reset counts for ten minutes. It is never a truth: a
 * book that cannot be read is empty.
 */
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readConfinedText, writeConfined } from '../files/confined.ts';
import type { UsageWindow } from '../policy/usage-threshold.ts';

const noteSchema = z.strictObject({
  window: z.string().max(100),
  used: z.number(),
  resetsAt: z.number().optional(),
  seenAt: z.number(),
});

const pageSchema = z.strictObject({ account: z.string(), windows: z.array(noteSchema).max(50) });

export interface UsageBook {
  windows(account: string, now: number): readonly UsageWindow[];
  note(account: string, windows: readonly UsageWindow[], now: number): void;
}

const believedMs = 10 * 60_000;

export function openUsageBook(stateDir: string): UsageBook {
  const directory = join(stateDir, 'usage');
  const read = (account: string, now: number) => {
    try {
      const text = readConfinedText(directory, fileOf(account), 64 * 1024);
      const page = text === undefined ? undefined : pageSchema.parse(JSON.parse(text));
      return (page?.windows ?? []).filter(({ resetsAt, seenAt }) => (resetsAt ?? seenAt + believedMs) > now);
    } catch {
      return [];
    }
  };
  return {
    windows: (account, now) =>
      read(account, now).map(({ window, used, resetsAt }) => ({
        window,
        used,
        ...(resetsAt === undefined ? {} : { resetsAt }),
      })),
    note(account, windows, now) {
      if (windows.length === 0) return;
      const seen = windows.map(({ window, used, resetsAt }) => ({
        window: window.slice(0, 100),
        used,
        ...(resetsAt === undefined ? {} : { resetsAt }),
        seenAt: now,
      }));
      const kept = read(account, now).filter(({ window }) => seen.every((one) => one.window !== window));
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      const page = { account, windows: [...kept, ...seen].slice(-50) };
      writeConfined(directory, fileOf(account), JSON.stringify(page), { mode: 0o600, isDurable: false });
    },
  };
}

function fileOf(account: string): string {
  return `${createHash('sha256').update(account).digest('hex').slice(0, 32)}.json`;
}
