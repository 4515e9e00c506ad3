/**
 * Where the bytes of one child go: counted against the limit, captured, logged, handed to listeners.
 * With a redactor, capture and log see only redacted text; the log is redacted by token shapes even without one.
 * Listeners get raw bytes, because protocols are read from them. Memory is bounded however much comes.
 */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { Capture } from './capture.ts';
import type { Captured, Command } from './process.ts';
import { createRedactor, redactStream } from './redact.ts';

type Listener = (chunk: Buffer) => void;
export type StreamName = 'stdout' | 'stderr';

/** How much is kept for a listener that is not there yet. */
const earlyBytes = 1024 * 1024;

export class Output {
  readonly #limit: number;
  readonly #log: Log | undefined;
  readonly #channels: Readonly<Record<StreamName, Channel>>;
  #total = 0;

  constructor(command: Command) {
    this.#limit = command.limits?.outputBytes ?? Number.POSITIVE_INFINITY;
    this.#log = command.logFile === undefined ? undefined : new Log(command.logFile);
    this.#channels = { stdout: new Channel(command, this.#log), stderr: new Channel(command, this.#log) };
  }

  /** Takes a chunk; false when the limit is exceeded, and then only what was allowed has been taken. */
  take(stream: StreamName, chunk: Buffer): boolean {
    const room = this.#limit - this.#total;
    const taken = chunk.length > room ? chunk.subarray(0, Math.max(0, room)) : chunk;
    this.#total += taken.length;
    if (taken.length > 0) this.#channels[stream].take(taken);
    return taken.length === chunk.length;
  }

  listen(stream: StreamName, listener: Listener): void {
    this.#channels[stream].listen(listener);
  }

  /** No listener will come: nothing is kept for one. */
  forgetEarly(): void {
    this.#channels.stdout.forgetEarly();
    this.#channels.stderr.forgetEarly();
  }

  /** Ends the log and tells what was kept. Throws when the log could not be written. */
  finish(): { readonly stdout: Captured; readonly stderr: Captured } {
    const stdout = this.#channels.stdout.finish();
    const stderr = this.#channels.stderr.finish();
    this.#log?.close();
    return { stdout, stderr };
  }
}

class Channel {
  readonly #capture: Capture;
  readonly #sinks: readonly Sink[];
  readonly #listeners: Listener[] = [];
  #early: Buffer[] | undefined = [];
  #earlySize = 0;
  #missed = false;

  constructor(command: Command, log: Log | undefined) {
    this.#capture = new Capture({
      headBytes: command.limits?.headBytes ?? 3 * 1024,
      tailBytes: command.limits?.tailBytes ?? 7 * 1024,
    });
    const keep = (chunk: Buffer): void => this.#capture.push(chunk);
    const write = (chunk: Buffer): void => log?.write(chunk);
    if (command.redactor !== undefined) {
      this.#sinks = [redacting(command.redactor, (chunk) => (keep(chunk), write(chunk)))];
    } else {
      const plain: Sink = { take: keep, finish: () => undefined };
      this.#sinks = log === undefined ? [plain] : [plain, redacting(createRedactor({}), write)];
    }
  }

  take(chunk: Buffer): void {
    for (const sink of this.#sinks) sink.take(chunk);
    for (const listener of this.#listeners) listener(chunk);
    if (this.#early === undefined) return;
    this.#early.push(chunk);
    this.#earlySize += chunk.length;
    if (this.#earlySize > earlyBytes) {
      this.forgetEarly();
      this.#missed = true;
    }
  }

  listen(listener: Listener): void {
    if (this.#missed) throw new Error(`a first listener came after more than ${earlyBytes} bytes of output`);
    const early = this.#early ?? [];
    this.#early = undefined;
    this.#listeners.push(listener);
    for (const chunk of early) listener(chunk);
  }

  forgetEarly(): void {
    this.#early = undefined;
  }

  finish(): Captured {
    for (const sink of this.#sinks) sink.finish();
    return this.#capture.captured();
  }
}

interface Sink {
  take(chunk: Buffer): void;
  finish(): void;
}

function redacting(redactor: NonNullable<Command['redactor']>, next: (chunk: Buffer) => void): Sink {
  const decoder = new StringDecoder('utf8');
  const stream = redactStream(redactor);
  const pass = (text: string): void => {
    if (text !== '') next(Buffer.from(text, 'utf8'));
  };
  return {
    take: (chunk) => pass(stream.push(decoder.write(chunk))),
    finish: () => {
      pass(stream.push(decoder.end()));
      pass(stream.flush());
    },
  };
}

/** Written at once and in order, so that a killed Forge leaves what it saw. A failing disk is reported at the end. */
class Log {
  readonly #file: number;
  #failure: unknown;

  constructor(path: string) {
    mkdirSync(dirname(path), { recursive: true });
    this.#file = openSync(path, 'a', 0o600);
  }

  write(chunk: Buffer): void {
    if (this.#failure !== undefined) return;
    try {
      for (let done = 0; done < chunk.length; ) done += writeSync(this.#file, chunk, done);
    } catch (error) {
      this.#failure = error;
    }
  }

  close(): void {
    closeSync(this.#file);
    if (this.#failure !== undefined) throw this.#failure;
  }
}
