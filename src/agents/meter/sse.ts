/**
 * Server-sent events, read from bytes that come in any pieces. Only the `data` of each event is given on, parsed.
 * Bounded: an event over the limit is skipped as a whole, and its loss shows as usage that is missing.
 */
import { StringDecoder } from 'node:string_decoder';

export interface EventReader {
  push(chunk: Buffer): void;
  end(): void;
}

const longestEvent = 16 * 1024 * 1024;

export function readEvents(onData: (data: unknown) => void, onDone: () => void): EventReader {
  const decoder = new StringDecoder('utf8');
  let line = '';
  let data = '';
  let tooLong = false;
  /** A lone `\r` ends a line too, and `\r\n` may be cut in two. */
  let afterReturn = false;

  const endEvent = () => {
    const text = data;
    const skipped = tooLong;
    data = '';
    tooLong = false;
    if (text === '' || skipped) return;
    if (text.trim() === '[DONE]') onDone();
    else {
      const parsed = parsedJson(text);
      if (parsed !== undefined) onData(parsed);
    }
  };
  const endLine = () => {
    if (line === '') endEvent();
    else if (line.startsWith('data:')) data += (data === '' ? '' : '\n') + line.slice(line[5] === ' ' ? 6 : 5);
    line = '';
  };
  let begun = false;
  const take = (given: string) => {
    // A mark of the byte order may stand before the first line.
    const text = begun ? given : given.replace(/^\uFEFF/, '');
    begun ||= given !== '';
    const whole = afterReturn && text.startsWith('\n') ? text.slice(1) : text;
    if (text !== '') afterReturn = text.endsWith('\r');
    const parts = whole.split(/\r\n|\n|\r/);
    parts.forEach((part, index) => {
      if (data.length + line.length + part.length > longestEvent) {
        tooLong = true;
        data = '';
        line = 'skipped';
      } else line += part;
      if (index < parts.length - 1) endLine();
    });
  };
  return {
    push: (chunk) => take(decoder.write(chunk)),
    end: () => {
      take(decoder.end());
      endLine();
      endEvent();
    },
  };
}

export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
