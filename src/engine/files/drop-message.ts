/** A message to a run: one file, dropped whole into its inbox (inbox.ts). Loads no schemas: commands that only post are quick. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import type { Signal } from '../facts.ts';
import { writeDurably } from './durable-file.ts';

export function dropMessage(directory: string, clock: Clock, signal: Signal): string {
  mkdirSync(directory, { recursive: true });
  const id = clock.id();
  writeDurably(join(directory, `${id}.json`), JSON.stringify(signal));
  return id;
}
