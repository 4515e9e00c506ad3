/**
 * One turn: the model is called with the conversation and its tools until it is done, stuck, or at a limit. Decides
 * nothing about sessions or protocols: what happens is reported to `events`, and every whole step is handed over to be kept.
 * When it settles, no tool is running any more. Failures of the model call are thrown as they are.
 */
import type { ModelMessage, StepResult, ToolSet } from 'ai';
import type { BuiltinConfiguration } from './configuration.ts';
import { estimateMessages, estimateText } from './estimate-tokens.ts';
import { promptTooLong, streamCut, turnFailure } from './provider-error.ts';
import type { OpenedModel, Toolkit } from './providers.ts';
import { type CallEnd, repeatedFailure } from './repeats.ts';
import { shortenHistory } from './shorten-history.ts';
import type { LoopTool } from './tool-set.ts';
import type { ToolAnswer } from './tools/tool.ts';
import { addTurnUsage, noTurnUsage, type TurnUsage, usageOfStep } from './turn-usage.ts';

export interface TurnEvents {
  text(delta: string): void;
  thought(delta: string): void;
  callStarted(call: {
    readonly id: string;
    readonly tool: LoopTool | undefined;
    readonly name: string;
    readonly input: unknown;
  }): void;
  callEnded(end: { readonly id: string; readonly ok: boolean; readonly answer: ToolAnswer }): void;
  /** After a whole step: everything said since the turn began, and what the context holds now. */
  step(messages: readonly ModelMessage[], contextTokens: number): void;
}

export interface ModelTurn {
  readonly toolkit: Toolkit;
  readonly opened: OpenedModel;
  readonly configuration: BuiltinConfiguration;
  readonly systemPrompt: string;
  /** Ends with the user's message. */
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly LoopTool[];
  readonly events: TurnEvents;
  readonly signal: AbortSignal;
}

export type TurnStop = 'end_turn' | 'max_tokens' | 'max_turn_requests' | 'refusal' | 'cancelled';

export interface TurnEnd {
  readonly stop: TurnStop;
  /** Also of steps whose answer was lost. */
  readonly usage: TurnUsage;
}

export async function runTurn(turn: ModelTurn): Promise<TurnEnd> {
  const { toolkit, opened, configuration, events, signal } = turn;
  const ends: CallEnd[] = [];
  const calls = new CallDesk(turn, ends);
  const room = contextKeeper(turn);
  let usage = noTurnUsage;
  let failure: { readonly error: unknown } | undefined;
  let last: StepResult<ToolSet> | undefined;
  const fail = (error: unknown) => {
    failure ??= { error };
  };

  const settings = {
    model: opened.model,
    instructions: opened.instructions(turn.systemPrompt),
    tools: calls.tools(),
    providerOptions: opened.providerOptions,
    // Whoever runs this agent decides about trying again, and counts it.
    maxRetries: 0,
    ...(configuration.maxOutputTokens === undefined ? {} : { maxOutputTokens: configuration.maxOutputTokens }),
    ...(configuration.temperature === undefined ? {} : { temperature: configuration.temperature }),
    stopWhen: [
      toolkit.stepCountIs(configuration.maxSteps),
      () => calls.submitted || repeatedFailure(ends) !== undefined,
    ],
    prepareStep: ({ messages }: { messages: ModelMessage[] }) => ({ messages: opened.messages(room.fit(messages)) }),
    onStepFinish(step: StepResult<ToolSet>) {
      usage = addTurnUsage(usage, usageOfStep(step.usage));
      last = step;
      if (failure !== undefined || wasCut(step)) return;
      room.learn(step.usage.inputTokens);
      try {
        const used = (step.usage.inputTokens ?? 0) + (step.usage.outputTokens ?? 0);
        events.step(step.response.messages, used);
      } catch (error) {
        // Thrown here it would be swallowed; an answer that cannot be kept must end the turn.
        fail(error);
      }
    },
    // Not in the agent's settings, but passed on: the default prints the whole request.
    onError: ({ error }: { error: unknown }) => fail(error),
  };

  try {
    const agent = new toolkit.ToolLoopAgent(settings);
    const result = await agent.stream({ messages: [...turn.messages], abortSignal: signal });
    for await (const part of result.fullStream) {
      if (part.type === 'text-delta') events.text(part.text);
      else if (part.type === 'reasoning-delta') events.thought(part.text);
      else if (part.type === 'tool-call') calls.announce(part.toolCallId, part.toolName, part.input);
      else if (part.type === 'tool-error') calls.refused(part.toolCallId, part.toolName, part.input, part.error);
      else if (part.type === 'error') fail(part.error);
      if (failure !== undefined) break;
    }
  } catch (error) {
    fail(error);
  } finally {
    await calls.settled();
  }
  if (signal.aborted) return { stop: 'cancelled', usage };
  if (failure !== undefined) throw failure.error;
  if (last === undefined || wasCut(last)) throw turnFailure(streamCut, 'the answer of the model ended before its end');
  return { stop: stopOf(last, calls, ends), usage };

  function stopOf(step: StepResult<ToolSet>, desk: CallDesk, done: readonly CallEnd[]): TurnStop {
    if (desk.submitted) return 'end_turn';
    const stuck = repeatedFailure(done);
    if (stuck !== undefined) {
      events.text(`\n[Stopped: the same call of ${stuck.name} failed again and again: ${stuck.text.slice(0, 500)}]`);
      return 'max_turn_requests';
    }
    if (step.finishReason === 'tool-calls') return 'max_turn_requests';
    if (step.finishReason === 'length') return 'max_tokens';
    return step.finishReason === 'content-filter' ? 'refusal' : 'end_turn';
  }
}

/** A stream that just stops leaves a step with a reason nobody gave. */
function wasCut(step: StepResult<ToolSet>): boolean {
  return step.finishReason === 'error' || (step.finishReason === 'other' && step.rawFinishReason === undefined);
}

/** Runs calls, tells of each exactly once that it began and ended, and knows which still run. */
class CallDesk {
  submitted = false;
  readonly #turn: ModelTurn;
  readonly #ends: CallEnd[];
  readonly #announced = new Set<string>();
  readonly #ended = new Set<string>();
  readonly #running = new Set<Promise<unknown>>();

  constructor(turn: ModelTurn, ends: CallEnd[]) {
    this.#turn = turn;
    this.#ends = ends;
  }

  tools(): ToolSet {
    const { toolkit, signal } = this.#turn;
    return Object.fromEntries(
      this.#turn.tools.map((tool) => [
        tool.name,
        toolkit.dynamicTool({
          description: tool.description,
          inputSchema: toolkit.jsonSchema(tool.inputSchema),
          execute: (input, { toolCallId, abortSignal = signal }) => {
            const run = this.#run(tool, toolCallId, input, abortSignal);
            const settled = run.catch(() => undefined).finally(() => this.#running.delete(settled));
            this.#running.add(settled);
            return run;
          },
        }),
      ]),
    );
  }

  announce(id: string, name: string, input: unknown): void {
    if (this.#announced.has(id)) return;
    this.#announced.add(id);
    this.#turn.events.callStarted({ id, name, input, tool: this.#turn.tools.find((tool) => tool.name === name) });
  }

  /** A call that never ran: an unknown tool, or arguments that are no JSON. */
  refused(id: string, name: string, input: unknown, error: unknown): void {
    if (this.#ended.has(id)) return;
    this.announce(id, name, input);
    this.#end(id, { name, input, ok: false, text: error instanceof Error ? error.message : String(error) });
  }

  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  async #run(tool: LoopTool, id: string, input: unknown, signal: AbortSignal): Promise<string> {
    this.announce(id, tool.name, input);
    try {
      const answer = await tool.call(input, signal);
      if (tool.ends) this.submitted = true;
      this.#end(id, { name: tool.name, input, ok: true, text: answer.text }, answer);
      return answer.text;
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      this.#end(id, { name: tool.name, input, ok: false, text });
      throw error;
    }
  }

  #end(id: string, end: CallEnd, answer: ToolAnswer = { text: end.text }): void {
    this.#ended.add(id);
    this.#ends.push(end);
    this.#turn.events.callEnded({ id, ok: end.ok, answer });
  }
}

/** Room for the answer, and for estimates that are a little low. */
const reserve = 16_000;

function contextKeeper({ configuration, systemPrompt, tools }: ModelTurn) {
  const { contextTokens, maxOutputTokens = Math.min(reserve, Math.floor(contextTokens / 4)) } = configuration;
  const fixed = estimateText(systemPrompt) + tools.reduce((sum, tool) => sum + estimateText(described(tool)), 0);
  let left: ReadonlySet<string> = new Set();
  let sent = 0;
  /** How many real tokens an estimated one is, for this model; learnt from what the provider counts. */
  let scale = 1;
  return {
    fit(messages: readonly ModelMessage[]): readonly ModelMessage[] {
      const limit = (contextTokens * 0.97 - maxOutputTokens) / scale - fixed;
      const result = shortenHistory(messages, { limit, target: limit * 0.8 }, left);
      if (!result.fits) {
        const needed = Math.round((result.tokens + fixed) * scale);
        throw turnFailure(
          promptTooLong,
          `the prompt needs about ${needed} of ${contextTokens} tokens, besides ${maxOutputTokens} for the answer`,
        );
      }
      left = result.left;
      sent = fixed + estimateMessages(result.messages);
      return result.messages;
    },
    learn(inputTokens: number | undefined): void {
      if (inputTokens === undefined || inputTokens === 0 || sent === 0) return;
      scale = Math.min(2, Math.max(0.7, inputTokens / sent));
    },
  };
}

function described({ name, description, inputSchema }: LoopTool): string {
  return name + description + JSON.stringify(inputSchema);
}
