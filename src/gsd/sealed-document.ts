/**
 * Documents that Forge writes carry a mark with a hash of their text, so that one that nobody touched can be told from
 * one that a person or another tool wrote or changed: those are never written over. Pure.
 */
import { createHash } from 'node:crypto';

export function sealDocument(text: string): string {
  const body = text.endsWith('\n') ? text : `${text}\n`;
  return `${body}\n<!-- forge:${hashOf(body)} -->\n`;
}

/** Forge wrote it, and nobody changed it since. */
export function isSealed(text: string): boolean {
  const match = /\n<!-- forge:([0-9a-f]{16}) -->\n$/.exec(text);
  return match !== null && hashOf(text.slice(0, match.index)) === match[1];
}

/** The text without the mark. */
export function unsealDocument(text: string): string {
  return text.replace(/\n<!-- forge:[0-9a-f]{16} -->\n$/, '');
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
