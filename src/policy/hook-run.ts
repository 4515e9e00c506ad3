/**
 * What a repository's git hook said about a commit, and what that means. A hook that cannot run says nothing: that is
 * unverified and never a pass. A hook that rewrites files would commit something else than was checked: that fails.
 */
import { z } from 'zod';

/** Those that decide about a commit; others only inform, or belong to a push. */
export const commitHooks = ['pre-commit', 'commit-msg'] as const;

export const hookRunSchema = z.strictObject({
  hook: z.enum(commitHooks),
  /** `absent`: the repository has no such hook. */
  status: z.enum(['passed', 'failed', 'unverified', 'absent']),
  reason: z.string(),
  /** The end of what it printed. */
  output: z.string().default(''),
});
export type HookRun = z.infer<typeof hookRunSchema>;

/** The first hook that does not let the commit through. */
export function refusingHook(runs: readonly HookRun[]): HookRun | undefined {
  return runs.find(({ status }) => status === 'failed' || status === 'unverified');
}

export function describeHook({ hook, status, reason }: HookRun): string {
  return status === 'unverified'
    ? `the git hook ${hook} cannot run: ${reason}`
    : `the git hook ${hook} refuses it: ${reason}`;
}

/** How a hook ended, as far as it matters here. */
interface HookEnd {
  readonly exit: number | null;
  /** Set when it did not come to an end by itself, or could not start. */
  readonly obstacle: string | undefined;
  /** Files of the commit that are different afterwards. */
  readonly changed: readonly string[];
}

const mostNamed = 5;

export function judgeHook({ exit, obstacle, changed }: HookEnd): Pick<HookRun, 'status' | 'reason'> {
  if (obstacle !== undefined) return { status: 'unverified', reason: obstacle };
  if (exit !== 0) return { status: 'failed', reason: exit === null ? 'it was ended' : `it ended with ${exit}` };
  if (changed.length === 0) return { status: 'passed', reason: '' };
  const named = changed.slice(0, mostNamed).join(', ');
  const more = changed.length > mostNamed ? ` and ${changed.length - mostNamed} more` : '';
  return { status: 'failed', reason: `it changes ${named}${more}, and what it makes of them was not checked` };
}
