/**
 * The part of a prompt that changes: titled sections in the order given, each within its own budget of characters,
 * so that one huge document can not crowd out the rest. A section that was cut says so and keeps its beginning and its
 * end. Pure and deterministic: the same sections are the same prompt.
 */

export interface Section {
  readonly title: string;
  readonly text: string;
  /** Characters of `text` that may be shown. */
  readonly budget: number;
}

/** How far a cut may move to end at a line's end. */
const slack = 200;

export function renderSections(sections: readonly Section[]): string {
  return sections
    .map(({ title, text, budget }) => `## ${title.replace(/\s+/g, ' ').trim()}\n\n${fit(text.trim(), budget)}\n`)
    .join('\n');
}

/** Two thirds of what is shown are the beginning. */
function fit(text: string, budget: number): string {
  if (text === '') return '(none)';
  if (text.length <= budget) return text;
  const room = Math.max(0, Math.floor(budget));
  const first = Math.ceil((room * 2) / 3);
  const head = text.slice(0, headEnd(text, first));
  const tail = text.slice(tailStart(text, text.length - (room - first)));
  const shown = `[cut: ${grouped(head.length + tail.length)} of ${grouped(text.length)} characters shown]`;
  return [head, shown, tail].filter((part) => part !== '').join('\n');
}

function headEnd(text: string, end: number): number {
  const line = text.lastIndexOf('\n', end);
  if (line > 0 && end - line <= Math.min(slack, end / 2)) return line;
  return splitsPair(text, end) ? end - 1 : end;
}

function tailStart(text: string, start: number): number {
  const line = text.indexOf('\n', Math.max(0, start - 1));
  if (line !== -1 && line + 1 - start <= Math.min(slack, (text.length - start) / 2)) return line + 1;
  return splitsPair(text, start) ? start + 1 : start;
}

/** Would a cut here part the halves of one character? */
function splitsPair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}

function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}
