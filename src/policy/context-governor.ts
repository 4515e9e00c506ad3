/**
 * Decides what of all that could go into a prompt does. A text that is there twice becomes a pointer, a record is cut down
 * to the fields its reader needs, material whose summary exists gives way to the summary, a long span is clamped, and all
 * together stay within the context window. Whatever is left out is said where it was. It never throws: a section it cannot
 * work on stays as it is. Pure and deterministic: the same sections are the same prompt.
 */

export interface Section {
  readonly title: string;
  readonly text: string;
  /** Characters of `text` that may be shown. */
  readonly budget: number;
  /** What stays when it is too long: both ends (the default), or only the beginning of what is sorted by importance. */
  readonly keep?: 'both' | 'head';
  /** The text is a JSON record of which these fields matter; what identifies it and its summaries always do. */
  readonly fields?: readonly string[];
  /** Says what matters of it: shown instead. */
  readonly summary?: { readonly name: string; readonly text: string };
}

export interface GovernorOptions {
  /** Tokens the reader's context holds. */
  readonly window?: number;
  /** The share of it at which the reader is told to write things down. */
  readonly steerAt?: number;
  /** Where it writes them down, such as `PLAN-SUMMARY.json`. */
  readonly checkpoint?: string;
}

export interface GovernedContext {
  readonly sections: readonly { readonly title: string; readonly text: string }[];
  /** What was left out beyond a section's own budget, a sentence each. */
  readonly leftOut: readonly string[];
  readonly tokens: number;
  /** `ctx: 41k / 200k (20 %)`. */
  readonly meter: string;
  /** Once, when the reader should not take in much more. */
  readonly steer: string | undefined;
}

const usualWindow = 200_000;
const usualSteer = 0.8;
/** What a token is worth in characters, on the average. */
const tokenChars = 4;
/** The rest of the window is for the reader's own work. */
const largestShare = 0.9;

export function governContext(sections: readonly Section[], options: GovernorOptions = {}): GovernedContext {
  const { window = usualWindow, steerAt = usualSteer, checkpoint = 'your result' } = options;
  const leftOut: string[] = [];
  const seen = new Map<string, string>();
  const shown = sections.map((section) => {
    const title = attempt(section.title, () => oneLine(section.title));
    return {
      title,
      text: attempt(section.text, () => governSection({ ...section, title }, seen, leftOut)),
      keep: section.keep,
    };
  });
  const whole = fitWindow(shown, Math.floor(window * tokenChars * largestShare), leftOut);
  const tokens = Math.ceil(whole.reduce((sum, { title, text }) => sum + title.length + text.length, 0) / tokenChars);
  const steer =
    tokens >= window * steerAt
      ? `Your context is nearly full. Write what you found to ${checkpoint} before you read on. You are told this once.`
      : undefined;
  return { sections: whole, leftOut, tokens, meter: contextMeter(tokens, window), steer };
}

export function contextMeter(tokens: number, window: number): string {
  const share = window > 0 ? Math.round((tokens / window) * 100) : 100;
  return `ctx: ${Math.round(tokens / 1000)}k / ${Math.round(window / 1000)}k (${share} %)`;
}

function governSection(section: Section, seen: Map<string, string>, leftOut: string[]): string {
  const { title, budget, fields, summary, keep = 'both' } = section;
  if (summary !== undefined) {
    leftOut.push(`${title}: its summary ${oneLine(summary.name)} is shown instead`);
    return clampSpan(
      `[left out: ${oneLine(summary.name)} says what matters of it]\n${summary.text.trim()}`,
      budget,
      keep,
    );
  }
  const text = (fields === undefined ? section.text : trimRecord(section.text, fields)).trim();
  if (text === '') return '(none)';
  const first = seen.get(text);
  const pointer = first === undefined ? '' : `[the same as "${first}" above]`;
  if (first !== undefined && pointer.length < text.length) {
    leftOut.push(`${title}: the same as ${first}`);
    return pointer;
  }
  seen.set(text, title);
  return clampSpan(text, budget, keep);
}

/** Fields that say what a record is about. */
const identity = ['taskId', 'sprintId', 'bugId', 'featureId', 'eventId', 'id'];

/** What is no JSON object stays as it is. */
function trimRecord(text: string, fields: readonly string[]): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return text;
  const kept = Object.entries(value).filter(
    ([field]) =>
      identity.includes(field) || fields.includes(field) || field === 'summaries' || field.startsWith('summaries.'),
  );
  return JSON.stringify(Object.fromEntries(kept));
}

/** How far a cut may move to end at a line's end. */
const slack = 200;

/** Of both ends, two thirds of what is shown are the beginning. */
function clampSpan(text: string, budget: number, keep: 'both' | 'head'): string {
  if (text.length <= budget) return text;
  const room = Math.max(0, Math.floor(budget));
  if (keep === 'head') {
    const end = splitsPair(text, room) ? room - 1 : room;
    return `${text.slice(0, end)}\n[${text.slice(end).split('\n').length} lines elided]`;
  }
  const first = Math.ceil((room * 2) / 3);
  const head = text.slice(0, headEnd(text, first));
  const tail = text.slice(tailStart(text, text.length - (room - first)));
  const cut = `[cut: ${grouped(head.length + tail.length)} of ${grouped(text.length)} characters shown]`;
  return [head, cut, tail].filter((part) => part !== '').join('\n');
}

interface ShownSection {
  readonly title: string;
  readonly text: string;
  readonly keep: 'both' | 'head' | undefined;
}

/** The longest give way first; the last section says what to do and stays whole. */
function fitWindow(sections: readonly ShownSection[], room: number, leftOut: string[]): GovernedContext['sections'] {
  const lengths = sections.map(({ text }) => text.length);
  const total = lengths.reduce((sum, length) => sum + length, 0);
  if (total <= room) return sections.map(({ title, text }) => ({ title, text }));
  const most = longestAllowed(lengths.slice(0, -1), room - (lengths.at(-1) ?? 0));
  return sections.map(({ title, text, keep = 'both' }, at) => {
    if (at === sections.length - 1 || text.length <= most) return { title, text };
    leftOut.push(`${title}: ${grouped(text.length - most)} characters, to stay within the context window`);
    return { title, text: clampSpan(text, most, keep) };
  });
}

/** The largest length that, kept by all, makes them fit. */
function longestAllowed(lengths: readonly number[], room: number): number {
  let left = Math.max(0, room);
  const sorted = lengths.toSorted((a, b) => a - b);
  for (const [at, length] of sorted.entries()) {
    const share = Math.floor(left / (sorted.length - at));
    if (length > share) return share;
    left -= length;
  }
  return Number.MAX_SAFE_INTEGER;
}

/** A workflow without types may hand over anything. */
function attempt(text: string, work: () => string): string {
  try {
    return work();
  } catch {
    return typeof text === 'string' ? text : '(none)';
  }
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
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
