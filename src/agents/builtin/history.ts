/**
 * A session's messages on disk, one JSON file each, replaced atomically after every step: a killed agent continues from
 * its last whole step. Also makes a history whole again that ended in the middle, because providers refuse one.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelMessage, ToolContent } from 'ai';
import { z } from 'zod';
import { agentDirectory } from './configuration.ts';

const storedSchema = z.strictObject({
  version: z.literal(1),
  systemPrompt: z.string(),
  model: z.string(),
  effort: z.string().optional(),
  // Written by this file alone; `ai` checks the messages again before it sends them.
  messages: z.array(z.custom<ModelMessage>((value) => typeof value === 'object' && value !== null && 'role' in value)),
});
export type StoredSession = z.infer<typeof storedSchema>;

/** An id from a client is used as a file's name only if we could have made it. */
const idShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function saveSession(home: string, id: string, session: Omit<StoredSession, 'version'>): void {
  const directory = join(home, agentDirectory, 'sessions');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, `${id}.json`);
  writeFileSync(`${file}.new`, JSON.stringify({ version: 1, ...session } satisfies StoredSession), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

export function loadSession(home: string, id: string): StoredSession | undefined {
  if (!idShape.test(id)) return undefined;
  try {
    const text = readFileSync(join(home, agentDirectory, 'sessions', `${id}.json`), 'utf8');
    return storedSchema.safeParse(JSON.parse(text)).data;
  } catch {
    // Missing or not ours: the client is told that there is no such session.
    return undefined;
  }
}

/** Gives every call that has no result one that says so: it was cut off before it ran. */
export function completeToolCalls(messages: readonly ModelMessage[]): ModelMessage[] {
  return messages.flatMap((message, index) => {
    if (message.role !== 'assistant' || typeof message.content === 'string') return [message];
    const next = messages[index + 1];
    const answered = new Set(
      next?.role === 'tool'
        ? next.content.flatMap((part) => (part.type === 'tool-result' ? [part.toolCallId] : []))
        : [],
    );
    const missing: ToolContent = message.content.flatMap((part) =>
      part.type === 'tool-call' && !answered.has(part.toolCallId)
        ? [
            {
              type: 'tool-result',
              toolCallId: part.toolCallId,
              toolName: part.toolName,
              output: { type: 'error-text', value: 'Not run: the turn ended before.' },
            },
          ]
        : [],
    );
    return missing.length === 0 ? [message] : [message, { role: 'tool', content: missing }];
  });
}
