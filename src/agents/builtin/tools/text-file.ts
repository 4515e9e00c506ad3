/** Reading a file as text: bounded, regular files only, and never guessing at bytes that are not text. */
import { readFileSync, statSync } from 'node:fs';
import { messageOf } from '../../../errors.ts';
import { ToolFailure } from './tool.ts';

export const maxTextBytes = 8 * 1024 * 1024;

export type TextReading =
  | { readonly status: 'text'; readonly text: string }
  | { readonly status: 'missing' }
  | { readonly status: 'unusable'; readonly reason: string };

export function readText(file: string): TextReading {
  const entry = statSync(file, { throwIfNoEntry: false });
  if (entry === undefined) return { status: 'missing' };
  if (entry.isDirectory()) return { status: 'unusable', reason: 'is a directory; use list' };
  // A pipe or a device would be waited for, possibly forever.
  if (!entry.isFile()) return { status: 'unusable', reason: 'is not a regular file' };
  if (entry.size > maxTextBytes) {
    return { status: 'unusable', reason: `has ${entry.size} bytes, which is too much to read; use search or run` };
  }
  try {
    return decode(readFileSync(file));
  } catch (error) {
    return { status: 'unusable', reason: `cannot be read: ${messageOf(error)}` };
  }
}

/** The text, or a failure in words for the model. */
export function mustReadText(file: string, path: string): string {
  const reading = readText(file);
  if (reading.status === 'text') return reading.text;
  throw new ToolFailure(reading.status === 'missing' ? `${path} does not exist` : `${path} ${reading.reason}`);
}

function decode(bytes: Buffer): TextReading {
  if (bytes.subarray(0, 8192).includes(0)) {
    return { status: 'unusable', reason: `is a binary file of ${bytes.length} bytes` };
  }
  try {
    return { status: 'text', text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { status: 'unusable', reason: `is not UTF-8 text (${bytes.length} bytes)` };
  }
}
