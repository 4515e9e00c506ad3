/**
 * Finds out whether an ACP agent can be started here and what it says it is, without a session and without a model:
 * start, introduce, end. It runs contained, like any job. That it cannot start is an answer, not a failure.
 */
import { ForgeError, messageOf } from '../../errors.ts';
import { noUsage } from '../../policy/usage.ts';
import type { Jail, JailPolicy } from '../../process/jail.ts';
import type { Redactor } from '../../process/redact.ts';
import type { AgentJob, AgentSink } from '../agent.ts';
import { type Conversation, runJob } from '../job.ts';
import { shownText, type TextLine } from '../text-lines.ts';
import { acpConnection, ConnectionClosed, RequestRefused } from './connection.ts';
import { type AcpProgram, acpPlace, readyProgram } from './program.ts';
import { type InitializedAgent, initializeAgent } from './session.ts';

export interface ProbePlace {
  /** Empty directories for this probe alone: its workspace, HOME and TMPDIR. */
  readonly tree: string;
  readonly home: string;
  readonly tmp: string;
  readonly jail: Jail;
  readonly network: JailPolicy['network'];
  readonly env: Readonly<Record<string, string>>;
  readonly redactor: Redactor;
  readonly timeMs?: number;
}

export type AgentProbe =
  | ({ readonly status: 'ready'; readonly program: string } & InitializedAgent)
  | { readonly status: 'missing'; readonly reason: string; readonly hint: string | undefined }
  | { readonly status: 'failed'; readonly reason: string };

const usualTimeMs = 30_000;
const maxLineLength = 64 * 1024;
const shownNoise = 2000;

export async function probeAgent(agent: AcpProgram, place: ProbePlace, signal: AbortSignal): Promise<AgentProbe> {
  const job = probeJob(place);
  let noise = '';
  const { redactor } = place;
  const hear = (text: string) => (noise = `${noise}${text}\n`.slice(-shownNoise));
  const sink: AgentSink = {
    started: async () => {},
    session: async () => {},
    usage: () => {},
    entry: ({ text }) => hear(text),
  };
  try {
    const program = await readyProgram(agent, job, acpPlace(agent, job, ''));
    const talk = await introductionOnly((line) => hear(shownText([line], redactor)));
    const context = { sink, signal, redactor };
    const given = { ...program, input: talk, onLines: talk.onLines, maxLineLength };
    const { end } = await runJob(job, given, context).finally(() => program.mirror?.stop());
    const state = talk.state();
    if (state.agent !== undefined) return { status: 'ready', program: program.argv[0] ?? '', ...state.agent };
    const reason =
      (state.problem && redactor.redact(state.problem)) ?? `it ended before it answered (${JSON.stringify(end)})`;
    return { status: 'failed', reason: [reason, noise.trim()].filter((part) => part !== '').join('\n') };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ForgeError)) throw error;
    if (error.code !== 'program-missing') return { status: 'failed', reason: messageOf(error) };
    return { status: 'missing', reason: error.message, hint: error.hint };
  }
}

function probeJob(place: ProbePlace): AgentJob {
  const { tree, home, tmp, jail, network, env, timeMs = usualTimeMs } = place;
  return {
    run: 'probe',
    key: 'probe',
    role: 'probe',
    task: undefined,
    attempt: 1,
    prompt: '',
    resultSchema: {},
    workspace: { tree, jail, policy: { writable: [tree], readable: [], home, tmp, network }, env },
    session: undefined,
    limits: { wallMs: timeMs, idleMs: timeMs, outputBytes: 1024 * 1024 },
    meter: { url: 'http://127.0.0.1:9', key: 'probe-no-key', usage: () => noUsage, trouble: () => undefined },
  };
}

async function introductionOnly(onNoise: (line: TextLine) => void) {
  let agent: InitializedAgent | undefined;
  let problem: string | undefined;
  const connection = await acpConnection({ update: () => {}, noise: onNoise });
  const talk: Conversation = {
    async converse(stdin) {
      connection.open(stdin);
      try {
        agent = await initializeAgent(connection);
      } catch (error) {
        if (error instanceof RequestRefused) problem = error.message;
        else if (!(error instanceof ConnectionClosed)) throw error;
      }
    },
    windDown: async () => {},
    hangUp: () => connection.close(),
  };
  return { ...talk, onLines: connection.onLines, state: () => ({ agent, problem }) };
}
