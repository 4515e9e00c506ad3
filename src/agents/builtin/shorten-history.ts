/**
 * Keeps a conversation within a model's window. Pure. What is left out, in this order, oldest first: outputs of tools,
 * long arguments of calls, whole rounds of calls; at last the middle of outputs the model has not answered yet. Every
 * user message stays: the first is the task, the others are corrections of it. A call is never parted from its result.
 * What was once left out stays out, so that providers can cache the beginning of a conversation.
 */
import type { ModelMessage } from 'ai';
import { estimateMessage } from './estimate-tokens.ts';

export interface HistoryLimits {
  /** More than this is too much. */
  readonly limit: number;
  /** How far to go down then, so that not every step sheds. */
  readonly target: number;
}

export interface ShortenedHistory {
  readonly messages: readonly ModelMessage[];
  /** Estimated. */
  readonly tokens: number;
  readonly fits: boolean;
  /** What was left out, to be given to the next call. */
  readonly left: ReadonlySet<string>;
}

/** Of a conversation that only ever grows at its end. */
export function shortenHistory(
  messages: readonly ModelMessage[],
  { limit, target }: HistoryLimits,
  before: ReadonlySet<string> = new Set(),
): ShortenedHistory {
  const left = new Set(before);
  let kept = without(messages, left);
  let tokens = total(kept);
  if (tokens > limit) {
    for (const candidate of candidates(messages)) {
      if (tokens <= target) break;
      if (left.has(candidate)) continue;
      left.add(candidate);
      kept = without(messages, left);
      tokens = total(kept);
    }
  }
  return { messages: kept.filter((message) => message !== undefined), tokens, fits: tokens <= limit, left };
}

/** Names of what can be left out, in the order in which it goes. */
function candidates(messages: readonly ModelMessage[]): readonly string[] {
  const fresh = freshFrom(messages);
  const old = [...messages.keys()].filter((index) => index < fresh);
  const is = (role: ModelMessage['role']) => (index: number) => messages[index]?.role === role;
  return [
    ...old.filter(is('tool')).map((index) => `output:${index}`),
    ...old.filter(is('assistant')).map((index) => `input:${index}`),
    ...old.filter(is('assistant')).map((index) => `round:${index}`),
    ...[...messages.keys()].filter((index) => index >= fresh && is('tool')(index)).map((index) => `middle:${index}`),
  ];
}

/** The last round is what the model is about to answer. */
function freshFrom(messages: readonly ModelMessage[]): number {
  const last = messages.findLastIndex((message) => message.role === 'assistant');
  return last === -1 ? messages.length : last;
}

type Kept = readonly (ModelMessage | undefined)[];

function without(messages: readonly ModelMessage[], left: ReadonlySet<string>): Kept {
  let gone = false;
  return messages.map((message, index) => {
    if (message.role === 'user' || message.role === 'system') {
      gone = false;
      return message;
    }
    if (message.role === 'assistant') gone = left.has(`round:${index}`);
    if (gone) return undefined;
    if (left.has(`output:${index}`)) return withoutOutput(message);
    if (left.has(`middle:${index}`)) return withoutMiddle(message);
    return left.has(`input:${index}`) ? withoutInput(message) : message;
  });
}

const withoutOutput = once((message) => mapOutputs(message, (text) => note('Output', text.length)));

/** Enough to see what it was and how it ended. */
const withoutMiddle = once((message) =>
  mapOutputs(message, (text) => `${text.slice(0, 1000)}\n${note('Middle', text.length - 2000)}\n${text.slice(-1000)}`),
);

function mapOutputs(message: ModelMessage, shorter: (text: string) => string): ModelMessage {
  if (message.role !== 'tool') return message;
  const content = message.content.map((part) => {
    if (part.type !== 'tool-result') return part;
    const text = 'value' in part.output ? asText(part.output.value) : '';
    const value = shorter(text);
    return text.length <= value.length ? part : { ...part, output: { type: 'text' as const, value } };
  });
  return { ...message, content };
}

const withoutInput = once((message) => {
  if (message.role !== 'assistant' || typeof message.content === 'string') return message;
  const content = message.content
    // Thoughts of an old round help nobody and are often longer than its call.
    .filter((part) => part.type !== 'reasoning')
    .map((part) => (part.type === 'tool-call' ? { ...part, input: shortened(part.input) } : part));
  return { ...message, content };
});

function shortened(input: unknown): unknown {
  if (typeof input === 'string') return input.length > 300 ? note('Text', input.length) : input;
  if (Array.isArray(input)) return input.map(shortened);
  if (typeof input !== 'object' || input === null) return input;
  return Object.fromEntries(Object.entries(input).map(([key, value]) => [key, shortened(value)]));
}

function note(what: string, characters: number): string {
  return `[${what} of ${characters} characters left out to save room. Call the tool again if you need it.]`;
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const estimated = once(estimateMessage);

function total(kept: Kept): number {
  return kept.reduce((sum, message) => sum + (message === undefined ? 0 : estimated(message)), 0);
}

/** Messages are never changed, and the same ones come again at every step. */
function once<T>(make: (message: ModelMessage) => T): (message: ModelMessage) => T {
  const made = new WeakMap<ModelMessage, { readonly value: T }>();
  return (message) => {
    const known = made.get(message) ?? { value: make(message) };
    made.set(message, known);
    return known.value;
  };
}
