/** Where the transcript of an agent's work lies among a run's artifacts. Apart, because those who only look need no more. */
import { createHash } from 'node:crypto';

/** A name among a run's artifacts for any key: readable, in one folder, and different for different keys. */
export function transcriptName(key: string): string {
  const readable = key.replaceAll(/[^A-Za-z0-9_-]+/g, '-').slice(0, 100);
  return `transcripts/${readable}.${createHash('sha256').update(key).digest('hex').slice(0, 12)}.jsonl`;
}
