/**
 * The scripted agent's driver: finds the entry of the script that answers a job and has it performed by a
 * process of its own, in the jail, under the same limits as any agent. For rehearsals, demos and tests.
 * It decides nothing but which entry; what the child says is checked like any untrusted input.
 */
import { dirname } from 'node:path';
import type { AgentOutcome } from '../policy/agent-outcome.ts';
import { addUsage, noUsage } from '../policy/usage.ts';
import type { Redactor } from '../process/redact.ts';
import type { AgentDriver, AgentJob, AgentSink } from './agent.ts';
import { builtFile } from './built-file.ts';
import { editPatch } from './edit-patch.ts';
import { runJob } from './job.ts';
import { outcomeOf, type ProcessReport } from './job-outcome.ts';
import { redactValue } from './redact-value.ts';
import type { Script } from './script.ts';
import { claimEntry } from './script-claims.ts';
import { type ScriptedInput, type ScriptedMessage, scriptedMessageSchema } from './scripted-protocol.ts';
import { shownText, type TextLine } from './text-lines.ts';
import type { WatchClock } from './watchdog.ts';

export interface ScriptedOptions {
  readonly script: Script;
  /** Remembers which job took which entry; next to the run, outside what an agent can write. */
  readonly claimsFile: string;
  readonly redactor: Redactor;
  readonly clock?: WatchClock;
}

/** A reply is one line; anything longer is not a message. */
const maxMessageLength = 4 * 1024 * 1024;

export function scriptedDriver(options: ScriptedOptions): AgentDriver {
  return {
    name: 'scripted',
    // A session exists only where a script names one; the job that continues it gets the same entry again.
    canResume: true,
    run: (job, sink, signal) => perform(options, job, sink, signal),
  };
}

async function perform(
  options: ScriptedOptions,
  job: AgentJob,
  sink: AgentSink,
  signal: AbortSignal,
): Promise<AgentOutcome> {
  signal.throwIfAborted();
  const claim = claimEntry(options.script, options.claimsFile, job);
  if ('exhausted' in claim) {
    const trouble = { code: 'script-exhausted', message: claim.exhausted };
    return { status: 'trouble', trouble, usage: noUsage, durationMs: 0 };
  }
  const { redactor, clock } = options;
  const listener = listenTo(sink, redactor);
  const input: ScriptedInput = { steps: claim.entry.steps };
  const child = builtFile('agents/scripted-child.js');
  const program = {
    argv: [process.execPath, child],
    readable: [dirname(child)],
    input: JSON.stringify(input),
    onLines: listener.onLines,
    maxLineLength: maxMessageLength,
  };
  const end = await runJob(job, program, { sink, signal: AbortSignal.any([signal, listener.broken]), redactor, clock });
  return outcomeOf(end, listener.heard());
}

function listenTo(sink: AgentSink, redactor: Redactor) {
  let heard: ProcessReport = { usage: noUsage };
  /** A session that could not be recorded ends the job. */
  const broken = new AbortController();
  const hear: { readonly [T in ScriptedMessage['type']]: (message: Extract<ScriptedMessage, { type: T }>) => void } = {
    text: ({ text }) => sink.entry({ type: 'text', text: redactor.redact(text) }),
    tool({ name, paths, status, text, edit }) {
      const tool = { name: redactor.redact(name), paths: paths.map((path) => redactor.redact(path)), status };
      // Redacted before: the signs of a patch would come between the lines of a secret.
      const patch = edit === undefined ? '' : editPatch(redactor.redact(edit.before), redactor.redact(edit.after));
      sink.entry({ type: 'tool', text: patch === '' ? redactor.redact(text) : patch, tool });
    },
    usage({ usage }) {
      heard = { ...heard, usage: addUsage(heard.usage, usage) };
      sink.usage(heard.usage);
    },
    limits({ windows }) {
      const now = Date.now();
      sink.limits?.(
        windows.map(({ window, used, resetsInMs }) => ({
          window,
          used,
          ...(resetsInMs === undefined ? {} : { resetsAt: now + resetsInMs }),
        })),
      );
    },
    session({ id }) {
      heard = { ...heard, session: id };
      sink.session(id).catch((error: unknown) => broken.abort(error));
    },
    reply({ reply }) {
      heard = { ...heard, reply: { value: redactValue(reply, redactor) } };
    },
    error({ trouble }) {
      heard = { ...heard, trouble: { ...trouble, message: redactor.redact(trouble.message) } };
      sink.entry({ type: 'error', text: redactor.redact(`${trouble.code}: ${trouble.message}`) });
    },
  };
  const onLine = (line: TextLine) => {
    const message = readMessage(line);
    if (message === undefined) return sink.entry({ type: 'output', text: shownText([line], redactor) });
    // The table is exact per type; the compiler cannot follow a type through a union.
    (hear[message.type] as (message: ScriptedMessage) => void)(message);
  };
  return { heard: () => heard, broken: broken.signal, onLines: (lines: readonly TextLine[]) => lines.forEach(onLine) };
}

function readMessage(line: TextLine): ScriptedMessage | undefined {
  if (line.cut || !line.text.startsWith('{')) return undefined;
  try {
    const read = scriptedMessageSchema.safeParse(JSON.parse(line.text));
    return read.success ? read.data : undefined;
  } catch {
    return undefined;
  }
}
