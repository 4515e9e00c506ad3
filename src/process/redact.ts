/**
 * Replaces secrets in text with a mark: values of environment variables whose names look secret, the forms in which
 * programs print them (`secret-forms.ts`), and shapes of well-known tokens. A value that line breaks or colours go
 * through is found too: what is shown later may be without them. Pure, and linear in the text. Text that comes in pieces
 * goes through `redactStream`, which passes lines on as they complete and holds back what may be the beginning of a
 * secret, from its fourth letter on. Not caught: a secret in a form of the program's own making (reversed, encrypted).
 */
import { type FoldedText, foldText } from './fold-text.ts';
import { looksSecret, secretForms, shortestSecret } from './secret-forms.ts';
import { longestShape, openKeyStart, type SecretSpan, shapeSpans } from './secret-shapes.ts';

export interface Redactor {
  redact(text: string): string;
  /** The same for text in pieces; made by `createRedactor`, optional for simple ones. */
  stream?(): RedactionStream;
}

export interface RedactionStream {
  /** Takes a piece; gives what is safe to show now, redacted. */
  push(piece: string): string;
  /** What is left, at the end of the text. */
  flush(): string;
}

/** `extra` are secrets without a name. Values shorter than eight characters are left alone: they occur by chance. */
export function createRedactor(
  env: Readonly<Record<string, string | undefined>>,
  extra: readonly string[] = [],
): Redactor {
  const secrets = new Secrets(env, extra);
  return {
    redact: (text) => mark(text, secrets.find(text)),
    stream: () => new HeldText(secrets),
  };
}

/** A redactor that can be told of further secrets; text that is under way goes by those it began with. */
export interface GrowingRedactor extends Redactor {
  /** Every secret it was told of, now and later. */
  readonly known: readonly string[];
  add(secrets: readonly string[]): void;
}

export function createGrowingRedactor(
  env: Readonly<Record<string, string | undefined>>,
  extra: readonly string[],
): GrowingRedactor {
  const known = [...extra];
  let current = createRedactor(env, known);
  return {
    known,
    redact: (text) => current.redact(text),
    stream: () => redactStream(current),
    add(secrets) {
      const added = secrets.filter((secret) => !known.includes(secret));
      if (added.length === 0) return;
      known.push(...added);
      current = createRedactor(env, known);
    },
  };
}

export function redactStream(redactor: Redactor): RedactionStream {
  return redactor.stream?.() ?? lineByLine(redactor);
}

interface MarkedSpan extends SecretSpan {
  readonly mark: string;
}

const unnamed = '[redacted]';

class Secrets {
  /** No secret is longer, so text further than this from the end cannot be the beginning of one that goes on. */
  readonly longest: number;
  readonly #marks = new Map<string, string>();
  readonly #pattern: RegExp | undefined;
  /** The same forms without line breaks, for text without them. */
  readonly #folded = new Map<string, string>();
  readonly #foldedPattern: RegExp | undefined;
  readonly #multiline: readonly string[];

  constructor(env: Readonly<Record<string, string | undefined>>, extra: readonly string[]) {
    for (const [name, value] of Object.entries(env)) {
      if (value !== undefined && looksSecret(name)) this.#add(value, `[redacted:${name}]`);
    }
    for (const value of extra) this.#add(value, unnamed);
    for (const [form, name] of this.#marks) {
      const folded = foldText(form)?.text ?? form;
      if (folded.length >= shortestSecret) this.#folded.set(folded, name);
    }
    this.#multiline = [...this.#marks.keys()].filter((form) => form.includes('\n'));
    this.#pattern = anyOf([...this.#marks.keys()]);
    this.#foldedPattern = anyOf([...this.#folded.keys()]);
    const longest = Math.max(0, ...Array.from(this.#marks.keys(), (form) => form.length));
    // A break after every few letters, with the indentation of the next line.
    this.longest = Math.max(longestShape, 2 * longest);
  }

  /** Every secret in the text, in order; overlapping ones as one. */
  find(text: string): readonly MarkedSpan[] {
    const folded = foldText(text);
    const shaped = shapeSpans(text).map((span) => ({ ...span, mark: unnamed }));
    return united([...spansOf(text, this.#pattern, this.#marks), ...this.#broken(folded), ...shaped]);
  }

  /** From where on a secret may have begun that goes on in the next line, or the end of the text. */
  openStart(text: string): number {
    const whole = text.replace(openBreak, '');
    const folded = foldText(whole) ?? { text: whole, before: (at: number) => at };
    const starts = Array.from(this.#folded.keys(), (form) => openFormStart(folded.text, form, fewestHeld));
    const start = Math.min(folded.text.length, ...starts);
    return Math.min(
      openKeyStart(text),
      start === folded.text.length ? text.length : folded.before(start),
      ...this.#multiline.map((form) => openFormStart(text, form, 1)),
    );
  }

  /** Secrets that something goes through, where they are in the text itself. */
  #broken(folded: FoldedText | undefined): readonly MarkedSpan[] {
    if (folded === undefined) return [];
    return spansOf(folded.text, this.#foldedPattern, this.#folded).map((span) => ({
      ...span,
      start: folded.before(span.start),
      end: folded.after(span.end),
    }));
  }

  #add(value: string, name: string): void {
    for (const form of secretForms(value)) if (!this.#marks.has(form)) this.#marks.set(form, name);
  }
}

/** What may become a line break or an escape sequence with the next piece. */
// oxlint-disable-next-line no-control-regex -- these are what has to go
const openBreak = /(?:\u001B(?:\[[0-?]{0,100}[ -/]{0,10}|\][^\u0007\u001B]{0,1000}\u001B?)?|\\\r?|\r)$/;

/** Of two secrets that begin alike the longer one is meant. */
function anyOf(forms: readonly string[]): RegExp | undefined {
  const longestFirst = forms.toSorted((a, b) => b.length - a.length);
  return forms.length === 0 ? undefined : new RegExp(longestFirst.map(escaped).join('|'), 'g');
}

function spansOf(text: string, pattern: RegExp | undefined, marks: ReadonlyMap<string, string>): MarkedSpan[] {
  if (pattern === undefined) return [];
  return Array.from(text.matchAll(pattern), (match) => ({
    start: match.index,
    end: match.index + match[0].length,
    mark: marks.get(match[0]) ?? unnamed,
  }));
}

class HeldText implements RedactionStream {
  readonly #secrets: Secrets;
  #held = '';

  constructor(secrets: Secrets) {
    this.#secrets = secrets;
  }

  push(piece: string): string {
    this.#held += piece;
    const tooLong = this.#held.length > 2 * this.#secrets.longest;
    if (!piece.includes('\n') && !tooLong) return '';
    const lineEnd = Math.min(this.#held.lastIndexOf('\n') + 1, this.#secrets.openStart(this.#held));
    const certain = tooLong ? this.#held.length - this.#secrets.longest : 0;
    return this.#release(Math.max(lineEnd, certain));
  }

  flush(): string {
    return this.#release(this.#held.length);
  }

  #release(upTo: number): string {
    const spans = this.#secrets.find(this.#held);
    const cut = spans.find((span) => span.start < upTo && upTo < span.end);
    // A secret is never cut in two: it waits as a whole, or goes as a whole when nothing is before it.
    const end = cut === undefined ? upTo : cut.start > 0 ? cut.start : cut.end;
    const released = mark(
      this.#held.slice(0, end),
      spans.filter((span) => span.end <= end),
    );
    this.#held = this.#held.slice(end);
    return released;
  }
}

function mark(text: string, spans: readonly MarkedSpan[]): string {
  if (spans.length === 0) return text;
  let done = 0;
  const parts = spans.map((span) => {
    const part = text.slice(done, span.start) + span.mark;
    done = span.end;
    return part;
  });
  return parts.join('') + text.slice(done);
}

function united(spans: readonly MarkedSpan[]): readonly MarkedSpan[] {
  const result: MarkedSpan[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1);
    if (last === undefined || span.start >= last.end) result.push(span);
    else {
      const name = last.mark === unnamed ? span.mark : last.mark;
      result[result.length - 1] = { start: last.start, end: Math.max(last.end, span.end), mark: name };
    }
  }
  return result;
}

/** Fewer letters are the end of many lines, and would hold all of them back. */
const fewestHeld = 4;

/** Where the end of the text is the beginning of this form. */
function openFormStart(text: string, form: string, fewest: number): number {
  const beginning = form.slice(0, fewest);
  let at = text.indexOf(beginning, Math.max(0, text.length - form.length + 1));
  while (at >= 0 && !form.startsWith(text.slice(at))) at = text.indexOf(beginning, at + 1);
  return at < 0 ? text.length : at;
}

function lineByLine(redactor: Redactor): RedactionStream {
  let held = '';
  return {
    push(piece) {
      held += piece;
      const end = held.length > longestShape ? held.length : held.lastIndexOf('\n') + 1;
      const ready = held.slice(0, end);
      held = held.slice(end);
      return ready === '' ? '' : redactor.redact(ready);
    },
    flush() {
      const rest = held;
      held = '';
      return rest === '' ? '' : redactor.redact(rest);
    },
  };
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
