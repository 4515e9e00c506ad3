/** How an agent's model requests look on the wire: the meter reads usage from them, nothing else. */
import { readAnthropic } from './read-usage/anthropic.ts';
import { readGemini } from './read-usage/gemini.ts';
import { readOpenaiChat } from './read-usage/openai-chat.ts';
import { readOpenaiResponses } from './read-usage/openai-responses.ts';
import type { UsageReader } from './read-usage/usage-reader.ts';

export const wireProtocols = ['anthropic', 'openai-responses', 'openai-chat', 'gemini'] as const;
export type WireProtocol = (typeof wireProtocols)[number];

export const usageReaders: Readonly<Record<WireProtocol, () => UsageReader>> = {
  anthropic: readAnthropic,
  'openai-responses': readOpenaiResponses,
  'openai-chat': readOpenaiChat,
  gemini: readGemini,
};
