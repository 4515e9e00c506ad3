/**
 * The driver for every agent that speaks the Agent Client Protocol: one contained process per job, talked to over its
 * standard streams. It knows no agent by name; what differs is in the record. Results come through the bridge; whatever
 * else the agent says is transcript. Nothing it started is left when the job ends.
 */
import type { AgentOutcome } from '../../policy/agent-outcome.ts';
import { createRedactor, type Redactor, redactStream } from '../../process/redact.ts';
import type { AgentDriver, AgentJob, AgentSink } from '../agent.ts';
import { type Bridge, openBridge } from '../bridge/bridge.ts';
import { runJob } from '../job.ts';
import type { WatchClock } from '../watchdog.ts';
import { type AcpConversation, startAcpConversation, type WaitLimits } from './conversation.ts';
import { standingOrders } from './orders.ts';
import { acpOutcome } from './outcome.ts';
import { type AcpProgram, acpPlace, readyProgram } from './program.ts';

export interface AcpOptions extends AcpProgram {
  readonly name: string;
  readonly redactor: Redactor;
  readonly clock?: WatchClock | undefined;
  readonly patience?: WaitLimits;
}

/** A message may hold a whole file, twice. */
const maxLineLength = 16 * 1024 * 1024;
const usualPatience: WaitLimits = { afterResultMs: 30_000, afterCancelMs: 2000 };

export function acpDriver(options: AcpOptions): AgentDriver {
  return {
    name: options.name,
    canResume: options.record.resume.length > 0,
    async run(job, sink, signal) {
      signal.throwIfAborted();
      let talk: AcpConversation | undefined;
      const bridge = await openBridge({
        resultSchema: job.resultSchema,
        judge: job.judge,
        tools: job.tools,
        redactor: options.redactor,
        onSubmission(verdict) {
          if (verdict.ok) talk?.accepted();
        },
      });
      try {
        return await perform({ options, job, sink, signal, bridge, onTalk: (begun) => void (talk = begun) });
      } finally {
        await bridge.close();
      }
    },
  };
}

interface Performance {
  readonly options: AcpOptions;
  readonly job: AgentJob;
  readonly sink: AgentSink;
  readonly signal: AbortSignal;
  readonly bridge: Bridge;
  readonly onTalk: (talk: AcpConversation) => void;
}

async function perform({ options, job, sink, signal, bridge, onTalk }: Performance): Promise<AgentOutcome> {
  const redactor = withSecretsOf(options, [bridge.token, ...meterSecrets(job)]);
  const place = acpPlace(options, job, standingOrders);
  const program = await readyProgram(options, job, place);
  const { record, patience = usualPatience } = options;
  const talk = await startAcpConversation({
    job,
    sink,
    redactor,
    patience,
    wish: {
      record,
      cwd: job.workspace.tree,
      server: bridge.server,
      systemPrompt: standingOrders,
      meta: record.sessionMeta?.(place),
      earlier: job.session,
    },
  });
  onTalk(talk);
  const end = await runJob(
    job,
    {
      ...program,
      readable: [...program.readable, ...bridge.readable],
      given: bridge.given,
      input: talk,
      onLines: talk.onLines,
      maxLineLength,
    },
    { sink, signal, redactor, clock: options.clock },
  ).finally(() => {
    for (const problem of program.mirror?.stop() ?? []) sink.entry({ type: 'error', text: redactor.redact(problem) });
  });
  return acpOutcome({
    end,
    conversation: talk.state(),
    result: bridge.result(),
    judge: job.judge,
    seen: job.meter?.trouble(),
    redactor,
    now: Date.now(),
  });
}

/** Whoever knows the meter's address or key spends this job's money. */
function meterSecrets({ meter }: AgentJob): readonly string[] {
  if (meter === undefined) return [];
  const token = meter.url.split('/').at(-1) ?? '';
  return [token, meter.key ?? ''].filter((secret) => secret.length >= 8);
}

/** What was given to this agent alone may be secret too, and the run's redactor does not know it. */
function withSecretsOf({ redactor, env = {}, key }: AcpOptions, given: readonly string[]): Redactor {
  const own = createRedactor(env, [...given, ...(key === undefined ? [] : [key])]);
  return {
    redact: (text) => own.redact(redactor.redact(text)),
    stream() {
      const [first, second] = [redactStream(redactor), redactStream(own)];
      return {
        push: (piece) => second.push(first.push(piece)),
        flush: () => second.push(first.flush()) + second.flush(),
      };
    },
  };
}
