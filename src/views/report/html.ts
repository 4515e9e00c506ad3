/**
 * HTML by a tagged template: what is put in is escaped unless it was made here. Texts come from agents and
 * repositories, so nothing hidden gets through either, and no value ever becomes a tag, an attribute's end or a link.
 */
import { plainLine, plainLines } from '../terminal-text.ts';

const mark = Symbol('html');

export interface Html {
  readonly [mark]: true;
  readonly text: string;
}

export type Piece = Html | string | number | undefined | false | readonly Piece[];

export function html(parts: TemplateStringsArray, ...values: readonly Piece[]): Html {
  let text = parts[0] ?? '';
  for (const [at, value] of values.entries()) text += textOf(value) + (parts[at + 1] ?? '');
  return { [mark]: true, text };
}

/** For what was written in this room, such as a style sheet. Never for a value. */
export function raw(text: string): Html {
  return { [mark]: true, text };
}

/** Lines of a text one below the other. */
export function lines(text: string): Html {
  return html`${plainLines(text).map((line, at) => html`${at === 0 ? '' : raw('<br>')}${line}`)}`;
}

function textOf(value: Piece): string {
  if (value === undefined || value === false) return '';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return escape(plainLine(value));
  return isHtml(value) ? value.text : value.map(textOf).join('');
}

function isHtml(value: Html | readonly Piece[]): value is Html {
  return mark in value;
}

/** In text and in attributes with either quote. */
export function escape(text: string): string {
  return text.replaceAll(/[&<>"'`=]/g, (char) => `&#${char.charCodeAt(0)};`);
}
