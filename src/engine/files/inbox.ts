/**
 * How any process talks to a run: one file per message, dropped whole into the run's inbox. The holder
 * turns a message into a fact and then deletes it; a message id that is already a fact is only deleted, so
 * a crash in between neither loses nor repeats it.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { dropMessage } from './drop-message.ts';
import type { Message } from '../engine.ts';
import type { RunInbox } from '../fact-log.ts';
import { type Signal, type SignalInput, signalSchema } from '../facts.ts';
import { watchDirectory } from './watch-directory.ts';

export function postMessage(directory: string, clock: Clock, input: SignalInput): string {
  return dropMessage(directory, clock, signalSchema.parse(input));
}

/** The inbox of a run that this process holds. */
export function openInbox(directory: string): RunInbox {
  return {
    read: () => readMessages(directory, (file) => renameSync(file, `${file}.bad`)),
    remove: (id) => rmSync(join(directory, `${id}.json`), { force: true }),
    watch(onChange) {
      mkdirSync(directory, { recursive: true });
      return watchDirectory(directory, onChange);
    },
  };
}

/** Messages in the order of their ids. For somebody who only looks: what cannot be read is passed over. */
export function readMessages(directory: string, onBad: (file: string) => void = () => {}): readonly Message[] {
  if (!existsSync(directory)) return [];
  const names = readdirSync(directory).filter((name) => name.endsWith('.json'));
  return names.sort().flatMap((name) => {
    const file = join(directory, name);
    const signal = parseSignal(file);
    if (signal === 'bad') onBad(file);
    return signal === undefined || signal === 'bad' ? [] : [{ id: name.slice(0, -'.json'.length), signal }];
  });
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
