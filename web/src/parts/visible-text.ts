/**
 * Text that nobody vouches for, made visible: colours of a terminal are taken away, and characters that show nothing or
 * turn the direction of a line are shown as what they are, so that what a person reads is what is there. React makes
 * sure that none of it is markup.
 */

const colours =
  // oxlint-disable-next-line no-control-regex
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?|[ -/]*[0-~])|\u009b[0-?]*[ -/]*[@-~]/g;
/** Controls but tab and line feed, direction marks, and characters of no width. */
const hidden =
  // oxlint-disable-next-line no-control-regex no-misleading-character-class
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

export function visible(text: string): string {
  return text.replaceAll(colours, '').replaceAll('\r\n', '\n').replaceAll(hidden, named);
}

/** Code as it is: nothing is taken away. */
export function visibleCode(text: string): string {
  return text.replaceAll(hidden, named);
}

/** The name of a file, on one line: nothing is taken away, and a tab or line feed in it is no space. */
export function visibleName(name: string): string {
  return visibleCode(name).replaceAll(/[\t\n]/g, named);
}

function named(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

/** The beginning of a text that is too long to draw, and how much is missing. */
export function cut(text: string, most: number): { readonly text: string; readonly more: number } {
  return text.length <= most ? { text, more: 0 } : { text: text.slice(0, most), more: text.length - most };
}
