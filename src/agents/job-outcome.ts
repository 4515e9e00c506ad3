/**
 * From how a job's process ended and what it said to the outcome a policy decides on. Pure. A reply counts
 * only from a process that ended by itself and well: an agent that crashed or had to be ended after its
 * reply was not finished.
 */
import { constants } from 'node:os';
import type { AgentOutcome, Trouble } from '../policy/agent-outcome.ts';
import type { Usage } from '../policy/usage.ts';
import { describeExcess } from '../process/process.ts';
import type { JobEnd } from './job.ts';

/** What the process said before it ended. */
export interface ProcessReport {
  readonly reply?: { readonly value: unknown } | undefined;
  readonly trouble?: Trouble | undefined;
  readonly session?: string | undefined;
  readonly usage: Usage;
}

export function outcomeOf({ end, durationMs }: JobEnd, heard: ProcessReport): AgentOutcome {
  const ended = { usage: heard.usage, durationMs, ...(heard.session === undefined ? {} : { session: heard.session }) };
  switch (end.status) {
    case 'idle':
      return { status: 'idle', idleMs: end.idleMs, ...ended };
    case 'timed-out':
      return { status: 'timed-out', limitMs: 'limitMs' in end ? end.limitMs : end.timeMs, ...ended };
    case 'output-limit':
      return { status: 'flooded', outputBytes: end.outputBytes, ...ended };
    case 'resource-limit':
      return { status: 'trouble', trouble: { code: 'resource-limit', message: describeExcess(end) }, ...ended };
    case 'signalled':
    case 'exited': {
      const { exit, signal } = wayOut(end);
      if (heard.trouble !== undefined) return { status: 'trouble', trouble: heard.trouble, ...ended };
      if (exit !== 0) return { status: 'crashed', exit, signal, ...ended };
      if (heard.reply !== undefined) return { status: 'replied', reply: heard.reply.value, ...ended };
      return { status: 'silent', exit, ...ended };
    }
    case 'aborted':
    case 'not-started':
      break;
  }
  throw new Error(`a job that was ${end.status} has no outcome`);
}

/**
 * One answer for a signal in and out of a jail: the jail's own process reports it as 128 + its number, as
 * shells do, so both that number and the name are given in either case.
 */
function wayOut(
  end: { readonly status: 'exited'; readonly code: number } | { readonly status: 'signalled'; readonly signal: string },
) {
  const known = Object.entries(constants.signals);
  if (end.status === 'signalled') {
    const number = known.find(([name]) => name === end.signal)?.[1];
    return { exit: number === undefined ? null : 128 + number, signal: end.signal };
  }
  return { exit: end.code, signal: known.find(([, number]) => number === end.code - 128)?.[0] ?? null };
}
