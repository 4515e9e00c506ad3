/**
 * The driver for any program: the prompt on standard input (and in a file), the workspace as working
 * directory, the result in the file FORGE_RESULT names, and the exit code. It reports no usage, so
 * limits on money are soft for it. What it changed is seen by whoever looks at the workspace.
 */
import { delimiter, join } from 'node:path';
import { isExecutable } from '../process/executable.ts';
import { ForgeError } from '../errors.ts';
import type { AgentOutcome } from '../policy/agent-outcome.ts';
import { noUsage } from '../policy/usage.ts';
import { createRedactor, type Redactor } from '../process/redact.ts';
import type { AgentDriver, AgentJob, AgentSink } from './agent.ts';
import { runJob } from './job.ts';
import { outcomeOf } from './job-outcome.ts';
import { redactValue } from './redact-value.ts';
import { makeResultPlace, type ResultPlace, readResult, removeResultPlace } from './result-file.ts';
import { shownText, type TextLine } from './text-lines.ts';
import type { WatchClock } from './watchdog.ts';

export interface CommandOptions {
  readonly name: string;
  /** Program and arguments; never a shell string. */
  readonly argv: readonly [string, ...string[]];
  /** Added to the workspace's environment, for example a provider's key. */
  readonly env?: Readonly<Record<string, string>>;
  readonly redactor: Redactor;
  readonly clock?: WatchClock;
}

const maxLineLength = 64 * 1024;

export function commandDriver(options: CommandOptions): AgentDriver {
  return {
    name: options.name,
    canResume: false,
    async run(job, sink, signal) {
      signal.throwIfAborted();
      requireProgram(options, job);
      const place = await makeResultPlace(job.workspace.policy.tmp, job.prompt);
      try {
        return await perform({ options, job, sink, signal, place });
      } finally {
        await removeResultPlace(place);
      }
    },
  };
}

interface Performance {
  readonly options: CommandOptions;
  readonly job: AgentJob;
  readonly sink: AgentSink;
  readonly signal: AbortSignal;
  readonly place: ResultPlace;
}

async function perform({ options, job, sink, signal, place }: Performance): Promise<AgentOutcome> {
  const redactor = withSecretsOf(options);
  const program = {
    argv: options.argv,
    env: { ...options.env, FORGE_RESULT: place.resultFile, FORGE_PROMPT_FILE: place.promptFile },
    input: job.prompt,
    onLines: (lines: readonly TextLine[]) => sink.entry({ type: 'text', text: shownText(lines, redactor) }),
    maxLineLength,
  };
  const end = await runJob(job, program, { sink, signal, redactor, clock: options.clock });
  const result = await readResult(place);
  if (result.status === 'refused')
    sink.entry({ type: 'note', text: `The result file was not read: ${result.reason}.` });
  const reply = result.status === 'read' ? { value: redactValue(result.value, redactor) } : undefined;
  return outcomeOf(end, { usage: noUsage, reply });
}

/** What was given to this agent alone may be secret too, and the run's redactor does not know it. */
function withSecretsOf({ redactor, env = {} }: CommandOptions): Redactor {
  const own = createRedactor(env);
  return { redact: (text) => own.redact(redactor.redact(text)) };
}

/** A program that is not there would look like an agent that crashes every time. */
function requireProgram(options: CommandOptions, job: AgentJob): void {
  const [program] = options.argv;
  const path = options.env?.['PATH'] ?? job.workspace.env['PATH'] ?? '';
  const places = program.includes('/') ? [program] : path.split(delimiter).map((directory) => join(directory, program));
  // A path with a slash is looked up from the workspace, which is where the agent starts.
  if (places.some((place) => isExecutable(place.startsWith('/') ? place : join(job.workspace.tree, place)))) return;
  throw new ForgeError('program-missing', `agent ${options.name}: no program ${program} to run`, {
    hint: `Install ${program}, or correct the agent's command in the settings.`,
  });
}
