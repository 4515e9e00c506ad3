/**
 * Usage windows as agents report them: Claude Code gives them to its status line, and agents that speak ACP may put
 * them into the `_meta` of an update. Both look alike: an object with one entry per window, or a list. Pure. Untrusted,
 * so what does not fit is left out.
 */
import { z } from 'zod';
import type { UsageWindow } from './usage-threshold.ts';

const time = z.union([z.number(), z.string()]).nullish().catch(undefined);
const windowSchema = z.object({
  window: z.string().max(40).optional().catch(undefined),
  used_percentage: z.number().min(0).optional().catch(undefined),
  usedPercentage: z.number().min(0).optional().catch(undefined),
  /** Between 0 and 1. */
  utilization: z.number().min(0).optional().catch(undefined),
  resets_at: time,
  resetsAt: time,
});

const shortNames: ReadonlyMap<string, string> = new Map([
  ['five_hour', '5h'],
  ['seven_day', '7d'],
]);

/** `value` is what is below `rate_limits`. */
export function readRateLimits(value: unknown): readonly UsageWindow[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, entry]) => {
    const read = windowSchema.safeParse(entry);
    if (!read.success) return [];
    const { window = key, used_percentage, usedPercentage, utilization, resets_at, resetsAt } = read.data;
    const used = used_percentage ?? usedPercentage ?? (utilization === undefined ? undefined : utilization * 100);
    if (used === undefined) return [];
    const at = momentOf(resets_at ?? resetsAt);
    return [
      { window: shortNames.get(window) ?? window.slice(0, 40), used, ...(at === undefined ? {} : { resetsAt: at }) },
    ];
  });
}

/** Seconds or milliseconds since the epoch, or a date. */
function momentOf(value: string | number | null | undefined): number | undefined {
  if (value === null || value === undefined || value === '') return undefined;
  const number = Number(value);
  if (Number.isFinite(number)) return number > 1e11 ? number : number * 1000;
  const parsed = Date.parse(String(value));
  return Number.isFinite(parsed) ? parsed : undefined;
}
