/**
 * Cuts a byte stream of unknown origin into lines in bounded memory. A line longer than the limit is kept
 * up to it and marked, because a secret may be cut in two there: `shownText` never shows such an end.
 */
import { StringDecoder } from 'node:string_decoder';
import type { Redactor } from '../process/redact.ts';

export interface TextLine {
  readonly text: string;
  readonly cut: boolean;
}

export interface LineReader {
  push(chunk: Buffer): void;
  /** The last line, if it had no newline. */
  end(): void;
}

/** Calls back once per chunk that completes lines, so that what came together stays together. */
export function readLines(maxLength: number, onLines: (lines: readonly TextLine[]) => void): LineReader {
  const decoder = new StringDecoder('utf8');
  let kept = '';
  let cut = false;
  const keep = (text: string) => {
    const room = maxLength - kept.length;
    cut ||= text.length > room;
    kept += text.slice(0, room);
  };
  const take = (text: string): readonly TextLine[] => {
    const parts = text.split('\n');
    return parts.flatMap((part, index) => {
      keep(part);
      if (index === parts.length - 1) return [];
      const line = { text: kept, cut };
      kept = '';
      cut = false;
      return [line];
    });
  };
  const deliver = (lines: readonly TextLine[]) => lines.length > 0 && onLines(lines);
  return {
    push: (chunk) => void deliver(take(decoder.write(chunk))),
    end: () => void deliver([...take(decoder.end()), ...(kept === '' ? [] : [{ text: kept, cut }])]),
  };
}

/** Longer than any secret that is looked for. */
const secretReach = 4096;

export function shownText(lines: readonly TextLine[], redactor: Redactor): string {
  const whole = lines.map(({ text, cut }) => (cut ? `${redactor.redact(text).slice(0, -secretReach)} […]` : text));
  return redactor.redact(whole.join('\n'));
}
