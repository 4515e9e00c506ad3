/**
 * One job as a conversation with an ACP agent: open a session, give the prompt, listen until the turn ends. Once a
 * result was accepted the agent gets a moment to end by itself; then its turn is cancelled, and then it is left. What
 * came of it is reported afterwards as facts; what they mean is decided elsewhere.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { readRateLimits } from '../../policy/rate-limits.ts';
import type { Usage } from '../../policy/usage.ts';
import type { Redactor } from '../../process/redact.ts';
import type { AgentJob, AgentSink } from '../agent.ts';
import type { Conversation } from '../job.ts';
import { shownText, type TextLine } from '../text-lines.ts';
import { acpConnection, ConnectionClosed, RequestRefused } from './connection.ts';
import { openNarrator } from './narrate.ts';
import { lostSession } from './orders.ts';
import { chooseSettings, openSession, type SessionRequest } from './session.ts';
import { usageReader } from './usage.ts';

export interface AcpConversation extends Conversation {
  readonly onLines: (lines: readonly TextLine[]) => void;
  /** A result was accepted: the turn has to end soon. */
  accepted(): void;
  state(): ConversationState;
}

/** What a conversation came to. */
export interface ConversationState {
  readonly session: string | undefined;
  readonly usage: Usage;
  /** Why the turn ended, in the protocol's words; undefined when it did not. */
  readonly stopReason: string | undefined;
  /** An error the agent answered with. */
  readonly failure: RequestRefused | undefined;
  /** It had handed in its result and would not end its turn. */
  readonly left: boolean;
  readonly lastWords: string;
}

export interface WaitLimits {
  /** From an accepted result to the cancelling of the turn. */
  readonly afterResultMs: number;
  /** From the cancelling of a turn to the end of its tree. */
  readonly afterCancelMs: number;
}

export interface AcpConversationOptions {
  readonly job: AgentJob;
  readonly sink: AgentSink;
  readonly redactor: Redactor;
  readonly wish: SessionRequest;
  readonly patience: WaitLimits;
}

const maxNoise = 64 * 1024;
const answerMeta = z.object({ _meta: z.unknown() }).catch({ _meta: undefined });
const answerSchema = z.object({ stopReason: z.string() }).catch({ stopReason: 'end_turn' });

export async function startAcpConversation({
  job,
  sink,
  redactor,
  wish,
  patience,
}: AcpConversationOptions): Promise<AcpConversation> {
  const { record } = wish;
  const narration = openNarrator(sink, redactor);
  let usage = usageReader(record.usage, wish.earlier !== undefined);
  let state: Pick<ConversationState, 'session' | 'stopReason' | 'failure' | 'left'> = {
    session: undefined,
    stopReason: undefined,
    failure: undefined,
    left: false,
  };
  let turn: Promise<unknown> | undefined;
  const patienceOver = new AbortController();
  let timer: NodeJS.Timeout | undefined;

  const currentUsage = () => job.meter?.usage() ?? usage.total();
  const connection = await acpConnection({
    update(session, update) {
      // A continued session may repeat its history first, which was recorded before.
      if (turn === undefined && update.sessionUpdate !== 'usage_update') return;
      if (turn !== undefined && session !== state.session) return;
      usage.update(update);
      const { _meta: meta } = update;
      noteLimits(meta);
      narration.take(update);
      // A meter counts each request when it is answered; what follows in the conversation is the next turn.
      if (job.meter !== undefined || update.sessionUpdate === 'usage_update') sink.usage(currentUsage());
    },
    noise: (line) => sink.entry({ type: 'output', text: shownText([shortened(line)], redactor) }),
  });
  /** Where an agent says how much of its account's windows is used, that is heard. */
  function noteLimits(meta: unknown): void {
    const windows = readRateLimits((meta as { readonly rate_limits?: unknown } | null | undefined)?.rate_limits);
    if (windows.length > 0) sink.limits?.(windows);
  }
  const cancel = () => {
    if (turn !== undefined && state.session !== undefined)
      connection.notify('session/cancel', { sessionId: state.session });
  };

  const work = async () => {
    const opened = await openSession(connection, wish);
    state = { ...state, session: opened.id };
    await sink.session(opened.id);
    if (!opened.continued) usage = usageReader(record.usage, false);
    const note = (text: string) => sink.entry({ type: 'note', text: redactor.redact(text) });
    if (opened.lost !== undefined) note(`The session ${wish.earlier} was not continued: ${opened.lost}`);
    for (const problem of await chooseSettings(connection, opened, { record, model: job.model, effort: job.effort }))
      note(problem);
    const text = [
      ...(record.systemPrompt === 'prompt' ? [wish.systemPrompt] : []),
      ...(opened.lost === undefined ? [] : [lostSession]),
      job.prompt,
    ].join('\n\n');
    turn = connection.request('session/prompt', { sessionId: opened.id, prompt: [{ type: 'text', text }] });
    const answer = await Promise.race([turn, whenAborted(patienceOver.signal)]);
    if (answer === leftAlone) return void (state = { ...state, left: true });
    usage.turn(answer);
    const { _meta: meta } = answerMeta.parse(answer);
    noteLimits(meta);
    state = { ...state, stopReason: answerSchema.parse(answer).stopReason };
  };

  return {
    onLines: connection.onLines,
    async converse(stdin) {
      connection.open(stdin);
      try {
        await work();
      } catch (error) {
        if (error instanceof RequestRefused) state = { ...state, failure: error };
        else if (!(error instanceof ConnectionClosed)) throw error;
      } finally {
        clearTimeout(timer);
        narration.finish();
        sink.usage(currentUsage());
      }
    },
    async windDown() {
      if (turn === undefined) return;
      cancel();
      const settled = new AbortController();
      const end = () => settled.abort();
      turn.then(end, end);
      await sleep(patience.afterCancelMs, undefined, { signal: settled.signal }).catch(() => {});
    },
    hangUp: () => connection.close(),
    accepted() {
      clearTimeout(timer);
      timer = setTimeout(() => {
        cancel();
        timer = setTimeout(() => patienceOver.abort(), patience.afterCancelMs);
      }, patience.afterResultMs);
    },
    state: () => ({ ...state, usage: currentUsage(), lastWords: narration.lastWords() }),
  };
}

/** Looking for secrets takes time, and this may be as long as a message. */
function shortened({ text, cut }: TextLine): TextLine {
  return text.length > maxNoise ? { text: text.slice(0, maxNoise), cut: true } : { text, cut };
}

const leftAlone = Symbol('left alone');

function whenAborted(signal: AbortSignal): Promise<typeof leftAlone> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(leftAlone), { once: true }));
}
