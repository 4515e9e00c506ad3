/**
 * How any process talks to a run: one file per message, dropped whole into the run's inbox. The holder
 * turns a message into a fact and then deletes it; a message id that is already a fact is only deleted, so
 * a crash in between neither loses nor repeats it.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from './clock.ts';
import { writeDurably } from './durable-file.ts';
import { type Signal, type SignalInput, signalSchema } from './facts.ts';
import { watchDirectory } from './watch-directory.ts';

export interface Message {
  readonly id: string;
  readonly signal: Signal;
}

export function postMessage(directory: string, clock: Clock, input: SignalInput): string {
  const signal = signalSchema.parse(input);
  mkdirSync(directory, { recursive: true });
  const id = clock.id();
  writeDurably(join(directory, `${id}.json`), JSON.stringify(signal));
  return id;
}

/** Messages in the order of their ids. One that can not be read is set aside for a person, not dropped. */
export function readMessages(directory: string): readonly Message[] {
  if (!existsSync(directory)) return [];
  const names = readdirSync(directory).filter((name) => name.endsWith('.json'));
  return names.sort().flatMap((name) => {
    const file = join(directory, name);
    const parsed = parseSignal(file);
    if (parsed === undefined) return [];
    if (parsed === 'bad') {
      renameSync(file, `${file}.bad`);
      return [];
    }
    return [{ id: name.slice(0, -'.json'.length), signal: parsed }];
  });
}

/** The same for somebody who only looks: nothing is set aside. */
export function peekMessages(directory: string): readonly Message[] {
  if (!existsSync(directory)) return [];
  const names = readdirSync(directory).filter((name) => name.endsWith('.json'));
  return names.sort().flatMap((name) => {
    const signal = parseSignal(join(directory, name));
    return signal === undefined || signal === 'bad' ? [] : [{ id: name.slice(0, -'.json'.length), signal }];
  });
}

export function removeMessage(directory: string, id: string): void {
  rmSync(join(directory, `${id}.json`), { force: true });
}

/** Calls back when something may have arrived. */
export function watchInbox(directory: string, onChange: () => void): () => void {
  mkdirSync(directory, { recursive: true });
  return watchDirectory(directory, onChange);
}

function parseSignal(file: string): Signal | 'bad' | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
  try {
    const parsed = signalSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : 'bad';
  } catch {
    return 'bad';
  }
}
