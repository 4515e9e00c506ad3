/**
 * Whether a supervisor continues a run that nobody works on. A run whose process died goes on at once. One that stopped
 * because a provider or the machine failed is tried again, less and less often. What a person decided (paused,
 * cancelled), what waits for a person, and what reached a limit on money or time stays as it is. Pure.
 */

export interface SupervisedRun {
  /** As runs are listed. */
  readonly status: string;
  /** Of the failure or the limit it stopped on. */
  readonly code: string | null;
  readonly reason: string;
  /** How many facts it has. */
  readonly seq: number;
  readonly updatedAt: number;
}

/** A time the supervisor continued it. */
export interface PastResume {
  readonly at: number;
  /** How many facts it had then. */
  readonly seq: number;
}

export type Supervision =
  | { readonly action: 'resume'; readonly why: string }
  | { readonly action: 'later'; readonly until: number; readonly why: string }
  | { readonly action: 'leave' }
  /** It was continued often enough without getting any further. */
  | { readonly action: 'give-up'; readonly why: string };

const minuteMs = 60_000;
/** After the first continuation that led nowhere, and so on. */
const pausesMs = [minuteMs, 5 * minuteMs, 15 * minuteMs, 60 * minuteMs];
/** Facts that every process writes when it opens a run and stops at once. */
const factsOfOpening = 6;

const passing: ReadonlySet<string> = new Set([
  'agent-unavailable',
  'disk-full',
  'journal-write-failed',
  'lease-lost',
  'git-failed',
  'workspace-failed',
]);

export function superviseRun(run: SupervisedRun, past: readonly PastResume[], now: number): Supervision {
  const why = whyContinue(run);
  if (why === undefined) return { action: 'leave' };
  const vain = resumesInVain(run, past);
  // What failed for a reason is given some time before the first try, too.
  const isDead = run.status === 'interrupted';
  const pause = vain === 0 ? (isDead ? 0 : pausesMs[0]) : pausesMs[vain - 1];
  if (pause === undefined) return { action: 'give-up', why: `it was continued ${vain} times and got no further` };
  const since = vain === 0 ? run.updatedAt : (past.at(-1)?.at ?? run.updatedAt);
  const until = since + pause;
  return until > now ? { action: 'later', until, why } : { action: 'resume', why };
}

function whyContinue({ status, code, reason }: SupervisedRun): string | undefined {
  if (status === 'interrupted') return 'its process is gone';
  if (status === 'stopped' && code !== null && passing.has(code)) return `it stopped: ${reason}`;
  // A limit of the provider ends by itself; one that a person set does not.
  if (status === 'limited' && reason.startsWith('rate_limit')) return `its account was at its limit: ${reason}`;
  return undefined;
}

/** How many of the last continuations got it no further. */
function resumesInVain({ seq }: SupervisedRun, past: readonly PastResume[]): number {
  const marks = [...past.map((one) => one.seq), seq];
  let vain = 0;
  for (let at = past.length - 1; at >= 0; at -= 1) {
    if ((marks[at + 1] ?? seq) - (marks[at] ?? 0) > factsOfOpening) break;
    vain += 1;
  }
  return vain;
}
