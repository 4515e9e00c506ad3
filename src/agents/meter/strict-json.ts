/**
 * JSON as the meter reads and writes it. Two readers of one text must not disagree about what it says, so whatever
 * some parsers accept and others do not is an error here: a key that appears twice, bytes that are not UTF-8, a
 * number that JSON does not know. Depth is bounded. A number that a double cannot hold as it was written keeps its
 * text, so that what is written is what was read. Pure.
 */

/** A number as it was written, where `Number` would write it differently. */
export class WrittenNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Json = null | boolean | number | string | WrittenNumber | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

export type ParsedJson =
  | { readonly ok: true; readonly value: Json }
  /** What is wrong, as the end of a sentence. */
  | { readonly ok: false; readonly problem: string };

const deepest = 100;

export function parseStrictJson(bytes: Buffer): ParsedJson {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { ok: true, value: new Reader(text).read() };
  } catch (error) {
    if (error instanceof NotStrict) return { ok: false, problem: error.message };
    return { ok: false, problem: 'it is not UTF-8 text' };
  }
}

export function renderJson(value: Json): string {
  if (value instanceof WrittenNumber) return value.text;
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(renderJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value as JsonObject);
  return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${renderJson(each)}`).join(',')}}`;
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof WrittenNumber);
}

export function isJsonList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

class NotStrict extends Error {}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): Json {
    const value = this.#value(0);
    this.#skip();
    if (this.#at < this.#text.length) throw new NotStrict('something follows its end');
    return value;
  }

  #value(depth: number): Json {
    if (depth > deepest) throw new NotStrict(`it is nested more than ${deepest} levels deep`);
    this.#skip();
    const first = this.#text[this.#at];
    if (first === '{') return this.#object(depth);
    if (first === '[') return this.#list(depth);
    if (first === '"') return this.#string();
    return this.#word();
  }

  #object(depth: number): JsonObject {
    const entries = new Map<string, Json>();
    this.#at += 1;
    if (this.#take('}')) return {};
    do {
      this.#skip();
      if (this.#text[this.#at] !== '"') throw this.#unexpected();
      const key = this.#string();
      if (entries.has(key)) throw new NotStrict(`the field ${JSON.stringify(key.slice(0, 60))} appears twice`);
      if (!this.#take(':')) throw this.#unexpected();
      entries.set(key, this.#value(depth + 1));
    } while (this.#take(','));
    if (!this.#take('}')) throw this.#unexpected();
    return Object.fromEntries(entries);
  }

  #list(depth: number): readonly Json[] {
    const items: Json[] = [];
    this.#at += 1;
    if (this.#take(']')) return items;
    do items.push(this.#value(depth + 1));
    while (this.#take(','));
    if (!this.#take(']')) throw this.#unexpected();
    return items;
  }

  #string(): string {
    const start = this.#at;
    let end = start;
    do {
      end = this.#text.indexOf('"', end + 1);
      if (end < 0) throw new NotStrict('a text in it has no end');
    } while (isEscaped(this.#text, end));
    this.#at = end + 1;
    const written = this.#text.slice(start, end + 1);
    if (!written.includes('\\') && !hasControl(written)) return written.slice(1, -1);
    try {
      return JSON.parse(written) as string;
    } catch {
      throw new NotStrict('a text in it is not written as JSON');
    }
  }

  #word(): Json {
    const pattern = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
    pattern.lastIndex = this.#at;
    const [word] = pattern.exec(this.#text) ?? [];
    if (word === undefined) throw this.#unexpected();
    this.#at += word.length;
    if (word === 'true' || word === 'false') return word === 'true';
    if (word === 'null') return null;
    return String(Number(word)) === word ? Number(word) : new WrittenNumber(word);
  }

  #take(sign: string): boolean {
    this.#skip();
    if (this.#text[this.#at] !== sign) return false;
    this.#at += 1;
    return true;
  }

  #skip(): void {
    for (let code = this.#text.charCodeAt(this.#at); isBlank(code); code = this.#text.charCodeAt(this.#at)) {
      this.#at += 1;
    }
  }

  #unexpected(): NotStrict {
    return new NotStrict(this.#at >= this.#text.length ? 'it ends too early' : `it is not JSON at byte ${this.#at}`);
  }
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text[before] === '\\') before -= 1;
  return (at - 1 - before) % 2 === 1;
}

function hasControl(text: string): boolean {
  // eslint-disable-next-line no-control-regex -- exactly those are looked for
  return /[\u0000-\u001f]/.test(text);
}
