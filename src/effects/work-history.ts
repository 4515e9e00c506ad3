/**
 * What agents used in this repository so far: a bounded file of figures, no texts, for forecasts and allotments. It is a
 * help and not a record: what is missing or broken in it makes a forecast rougher, nothing else.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { openJsonLines, readJsonLines } from '../files/json-lines.ts';
import { usageSchema } from '../policy/agent-outcome.ts';
import type { PastWork } from '../policy/forecast.ts';

const workSchema = z.object({
  role: z.string(),
  tier: z.string().optional(),
  model: z.string().optional(),
  usage: usageSchema,
  durationMs: z.number().nonnegative(),
});

export interface WorkHistory {
  past(): readonly PastWork[];
  add(work: PastWork): void;
}

const most = 1000;

export function openHistory(file: string): WorkHistory {
  let known: PastWork[] | undefined;
  const past = (): PastWork[] => {
    known ??= readJsonLines(file)
      .lines.flatMap(({ value }) => {
        const read = workSchema.safeParse(value);
        return read.success ? [read.data] : [];
      })
      .slice(-most);
    return known;
  };
  return {
    past,
    add(work) {
      const all = past();
      all.push(work);
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      if (all.length > 2 * most) {
        all.splice(0, all.length - most);
        writeFileSync(file, all.map((each) => `${JSON.stringify(each)}\n`).join(''), { mode: 0o600 });
        return;
      }
      const lines = openJsonLines(file);
      lines.append(work);
      lines.close();
    },
  };
}
