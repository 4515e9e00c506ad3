/**
 * How documents of `.gsd` are read: line ends, front matter, fences, bold fields and checkboxes, as people and tools
 * really write them. Pure, linear in the text, and never throws: what is not front matter is text.
 */
import { mostAliases, readYaml, yamlProblem } from '../plan/read-yaml.ts';

export interface GsdDocument {
  /** The front matter as data; undefined without one. */
  readonly front: Readonly<Record<string, unknown>> | undefined;
  /** Why the front matter could not be read. */
  readonly problem: string | undefined;
  /** The lines after it. Lines inside a fence keep their text and are marked. */
  readonly lines: readonly GsdLine[];
}

export interface GsdLine {
  readonly text: string;
  readonly isFenced: boolean;
}

/** Front matter beyond this is data of another kind. */
const longestFront = 256 * 1024;

export function readGsdDocument(source: string): GsdDocument {
  const text = source.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  const end = text.startsWith('---\n') ? closingRule(text) : undefined;
  if (end === undefined) return { front: undefined, problem: undefined, lines: markFences(text) };
  const front = readFront(text.slice(4, end.start));
  return { ...front, lines: markFences(text.slice(end.after)) };
}

function closingRule(text: string): { readonly start: number; readonly after: number } | undefined {
  const start = text.indexOf('\n---', 3);
  if (start === -1 || start > longestFront) return undefined;
  const after = text.indexOf('\n', start + 1);
  const rule = text.slice(start + 1, after === -1 ? undefined : after).trimEnd();
  if (rule !== '---') return undefined;
  return { start: start + 1, after: after === -1 ? text.length : after + 1 };
}

function readFront(source: string): Pick<GsdDocument, 'front' | 'problem'> {
  const document = readYaml(source, { logLevel: 'silent', uniqueKeys: false });
  const [error] = document.errors;
  if (error !== undefined) return { front: undefined, problem: yamlProblem(error) };
  const value: unknown = document.toJS({ maxAliasCount: mostAliases });
  if (value === null) return { front: {}, problem: undefined };
  if (typeof value !== 'object' || Array.isArray(value)) return { front: undefined, problem: 'it is not a mapping' };
  return { front: value as Record<string, unknown>, problem: undefined };
}

function markFences(text: string): GsdLine[] {
  let fence = '';
  return text.split('\n').map((line) => {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
    const isEdge = mark !== '' && (fence === '' || (mark[0] === fence[0] && mark.length >= fence.length));
    if (isEdge) fence = fence === '' ? mark : '';
    return { text: line, isFenced: isEdge || fence !== '' };
  });
}

/** The text of the first `# ` heading. */
export function mainTitle(lines: readonly GsdLine[]): string {
  return (
    lines
      .find(({ text, isFenced }) => !isFenced && text.startsWith('# '))
      ?.text.slice(2)
      .trim() ?? ''
  );
}

/** What is to be said about a milestone whose validation did not pass; undefined: nothing. */
export function validationRemark(file: string, source: string): { file: string; problem: string } | undefined {
  const verdict = readGsdDocument(source).front?.['verdict'];
  if (typeof verdict !== 'string' || /^pass/i.test(verdict)) return undefined;
  return { file, problem: `The validation says ${verdict.slice(0, 60)}` };
}

/** A title without the id that tools put before it, once or more, also without its suffix: `M001: M001: title`. */
export function titleWithout(id: string, heading: string): string {
  const names = [id, /^M\d+/.exec(id)?.[0] ?? id];
  let title = heading;
  for (;;) {
    const rests = names.flatMap((name) =>
      title.toUpperCase().startsWith(name.toUpperCase()) ? [title.slice(name.length)] : [],
    );
    const rest = rests.flatMap((one) => {
      const separator = /^\s*(?:[:–—-]\s*|$)/.exec(one);
      return separator === null ? [] : [one.slice(separator[0].length)];
    })[0];
    if (rest === undefined) return title.trim();
    title = rest;
  }
}

/** `**Vision:** text`, on a line of its own. */
export function boldField(lines: readonly GsdLine[], name: string): string | undefined {
  const mark = `**${name}:**`.toLowerCase();
  const line = lines.find(({ text, isFenced }) => !isFenced && text.trimStart().toLowerCase().startsWith(mark));
  const value = line?.text.trimStart().slice(mark.length).trim();
  return value === undefined || value.startsWith('#') ? undefined : value;
}

/** The lines below a `## ` heading of that name, up to the next one. */
export function sectionLines(lines: readonly GsdLine[], ...names: readonly string[]): readonly GsdLine[] | undefined {
  const wanted = names.map((name) => name.toLowerCase());
  const isHeading = ({ text, isFenced }: GsdLine): boolean => !isFenced && /^#{1,2} /.test(text);
  const start = lines.findIndex(
    (line) => isHeading(line) && wanted.includes(line.text.replace(/^#+ /, '').trim().toLowerCase()),
  );
  if (start === -1) return undefined;
  const length = lines.slice(start + 1).findIndex(isHeading);
  return lines.slice(start + 1, length === -1 ? undefined : start + 1 + length);
}

/** The rows of the first table, each by its header's name in lower case. */
export function tableRows(lines: readonly GsdLine[]): readonly Readonly<Record<string, string>>[] {
  const start = lines.findIndex(({ text }, at) => isRow(text) && isDelimiter(lines[at + 1]?.text ?? ''));
  if (start === -1) return [];
  const names = cellsOf(lines[start]?.text ?? '').map((name) => name.toLowerCase());
  const body = lines.slice(start + 2);
  const length = body.findIndex(({ text }) => !isRow(text));
  return body.slice(0, length === -1 ? undefined : length).map(({ text }) => {
    const cells = cellsOf(text);
    return Object.fromEntries(names.map((name, at) => [name, cells[at] ?? '']));
  });
}

function isRow(text: string): boolean {
  return text.trimStart().startsWith('|');
}

function isDelimiter(text: string): boolean {
  return isRow(text) && /^[\s|:-]+$/.test(text) && text.includes('-');
}

/** A bar after a backslash is part of its cell. */
function cellsOf(row: string): string[] {
  const inner = row.trim().replace(/^\|/, '').replace(/\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) => cell.replaceAll(String.raw`\|`, '|').trim());
}

/** What is listed more than once counts where it is listed first. */
export function firstOfEach<T extends { readonly id: string }>(listed: readonly T[]): T[] {
  const known = new Set<string>();
  return listed.filter(({ id }) => !known.has(id) && known.add(id));
}

/** A list in whatever way it was written: YAML, `[a, b]`, `a, b`, a dash for none. */
export function readList(value: unknown): readonly string[] | undefined {
  if (Array.isArray(value))
    return value.filter((item) => typeof item === 'string' || typeof item === 'number').map(String);
  if (typeof value !== 'string') return value === null ? [] : undefined;
  const inner = value.trim().replace(/^\[/, '').replace(/\]$/, '');
  return inner
    .split(',')
    .map((part) => part.trim().replace(/^["'`]|["'`]$/g, ''))
    .filter((part) => part !== '' && !/^(?:[–—-]|none|n\/a)$/i.test(part));
}
