/**
 * Which milestone a command means, beside the runs that are under way: the one that is named, the only one that is
 * active, or the next that is open. Where several come into question nothing is guessed. Pure.
 */
import { isMilestoneId, normalizeMilestoneId } from './milestone-id.ts';

export interface ActiveMilestone {
  readonly milestone: string;
  readonly run: string;
}

export type ResolvedMilestone =
  | { readonly status: 'resume'; readonly milestone: string; readonly run: string }
  | { readonly status: 'start'; readonly milestone: string }
  /** Nothing is named and nothing is active: whatever comes next in `.gsd`. */
  | { readonly status: 'next' }
  | { readonly status: 'refuse'; readonly active: readonly ActiveMilestone[]; readonly examples: readonly string[] }
  | { readonly status: 'error'; readonly message: string };

/** `action` is what was asked for, so that examples can be typed as they are. */
export function resolveMilestone(
  wanted: string,
  active: readonly ActiveMilestone[],
  action = 'run',
): ResolvedMilestone {
  const text = wanted.trim();
  if (text === '') {
    const [only, ...more] = active;
    if (only === undefined) return { status: 'next' };
    if (more.length === 0) return { status: 'resume', ...only };
    const examples = active.map(({ milestone }) => `forge milestone ${action} ${milestone}`);
    return { status: 'refuse', active, examples };
  }
  if (!isMilestoneId(text)) return { status: 'error', message: `${JSON.stringify(text)} is not the id of a milestone` };
  const milestone = normalizeMilestoneId(text);
  const running = active.find((one) => one.milestone.toLowerCase() === milestone.toLowerCase());
  return running === undefined ? { status: 'start', milestone } : { status: 'resume', ...running };
}
