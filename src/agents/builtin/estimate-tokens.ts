/** How many tokens a message is likely to take. An estimate on the high side: no tokenizer fits every model. */
import type { ModelMessage } from 'ai';

/** Code and English have about four bytes to a token, other scripts fewer. */
const bytesPerToken = 3.5;
const tokensPerMessage = 6;

export function estimateText(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken);
}

export function estimateMessage(message: ModelMessage): number {
  const { content } = message;
  return tokensPerMessage + estimateText(typeof content === 'string' ? content : JSON.stringify(content));
}

export function estimateMessages(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, message) => sum + estimateMessage(message), 0);
}
