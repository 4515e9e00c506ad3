/**
 * What an agent really did, counted from its transcript and not from what it says of itself: how often it used which
 * tool, which files it changed most, which it read, and its last steps.
 */
import { z } from 'zod';

export const toolSummarySchema = z.strictObject({
  tool_counts: z.record(z.string(), z.number().int().nonnegative()),
  /** `path × count`, most edited first. */
  edited_files: z.array(z.string()),
  read_files: z.array(z.string()),
  last_5_actions: z.array(z.string()),
});
export type ToolSummary = z.infer<typeof toolSummarySchema>;

export interface ToolUse {
  readonly name: string;
  readonly paths: readonly string[];
}

const mostFiles = 40;
const writes = /^(write|edit|multi_?edit|create|apply_?patch|patch|replace|str_replace|delete|move|notebook_?edit)/i;
const reads = /^(read|view|open|cat|search|grep|list|glob|find)/i;

export function summariseTools(uses: readonly ToolUse[]): ToolSummary {
  const counts = new Map<string, number>();
  const edited = new Map<string, number>();
  const read = new Set<string>();
  for (const { name, paths } of uses) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    if (writes.test(name)) for (const path of paths) edited.set(path, (edited.get(path) ?? 0) + 1);
    else if (reads.test(name)) for (const path of paths) read.add(path);
  }
  return {
    tool_counts: Object.fromEntries(counts),
    edited_files: [...edited]
      .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
      .slice(0, mostFiles)
      .map(([path, count]) => `${path} × ${count}`),
    read_files: [...read].slice(0, mostFiles),
    last_5_actions: uses.slice(-5).map(({ name, paths }) => `${name}(${paths.slice(0, 3).join(', ')})`),
  };
}
