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
  /** What sort of tool it is, where its name is a sentence about this one use. */
  readonly kind?: string | undefined;
  readonly paths: readonly string[];
  readonly status?: string | undefined;
  /** What it was given or gave. */
  readonly text?: string | undefined;
}

const mostFiles = 40;
const mostText = 80;
const writes =
  /^(write|edit|multi_?edit|create|append|link|apply_?patch|patch|replace|str_replace|delete|move|notebook_?edit)/i;
const reads = /^(read|view|open|cat|search|grep|list|glob|find)/i;

export function summariseTools(uses: readonly ToolUse[]): ToolSummary {
  const counts = new Map<string, number>();
  const edited = new Map<string, number>();
  const read = new Set<string>();
  for (const use of uses) {
    const name = toolOf(use);
    counts.set(name, (counts.get(name) ?? 0) + 1);
    // A tool that failed has neither changed nor shown a file.
    if (use.status === 'failed') continue;
    if (writes.test(name)) for (const path of use.paths) edited.set(path, (edited.get(path) ?? 0) + 1);
    else if (reads.test(name)) for (const path of use.paths) read.add(path);
  }
  return {
    tool_counts: Object.fromEntries(counts),
    edited_files: [...edited]
      .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
      .slice(0, mostFiles)
      .map(([path, count]) => `${path} × ${count}`),
    read_files: [...read].slice(0, mostFiles),
    last_5_actions: uses.slice(-5).map(actionOf),
  };
}

function toolOf({ name, kind }: ToolUse): string {
  return kind === undefined || kind === '' || kind === 'other' ? name : kind;
}

/** `edit(src/a.js)`, `execute(npm test) failed`. */
function actionOf(use: ToolUse): string {
  const tool = toolOf(use);
  const named = tool === use.name ? '' : use.name;
  const about = use.paths.length > 0 ? use.paths.slice(0, 3).join(', ') : (firstLine(use.text) ?? named);
  return `${tool}(${about.slice(0, mostText)})${use.status === 'failed' ? ' failed' : ''}`;
}

function firstLine(text: string | undefined): string | undefined {
  const line = text?.split('\n').find((one) => one.trim() !== '');
  return line?.trim().replace(/^\$ /, '');
}
