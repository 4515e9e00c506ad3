/** How an agent's model requests look on the wire: the meter reads usage from them, nothing else. */
export const wireProtocols = ['anthropic', 'openai-responses', 'openai-chat', 'gemini'] as const;
export type WireProtocol = (typeof wireProtocols)[number];
