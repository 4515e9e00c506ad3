/**
 * Server-sent events, read from bytes that come in any pieces. Only the `data` of each event is given on, parsed.
 * Bounded: after an event over the limit nothing more is read, and `isCut` says so: what was used is then unknown.
 */
import { createParser } from 'eventsource-parser';

export interface EventReader {
  /** An event was too long, so the rest was not read. */
  readonly isCut: () => boolean;
  push(chunk: Buffer): void;
  end(): void;
}

const longestEvent = 16 * 1024 * 1024;

export function readEvents(onData: (data: unknown) => void, onDone: () => void): EventReader {
  const decoder = new TextDecoder();
  let isCut = false;
  const parser = createParser({
    maxBufferSize: longestEvent,
    onEvent: ({ data }) => {
      if (data.trim() === '[DONE]') return onDone();
      const parsed = parsedJson(data);
      if (parsed !== undefined) onData(parsed);
    },
    onError: ({ type }) => {
      isCut ||= type === 'max-buffer-size-exceeded';
    },
  });
  const feed = (text: string): void => {
    if (!isCut) parser.feed(text);
  };
  return {
    isCut: () => isCut,
    push: (chunk) => feed(decoder.decode(chunk, { stream: true })),
    // The last event counts even where the line after it is missing.
    end: () => feed(`${decoder.decode()}\n\n`),
  };
}

export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
