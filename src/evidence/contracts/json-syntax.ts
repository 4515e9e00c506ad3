/** Whether JSON can be read. Comments and trailing commas are common where tools allow them, so only npm's files are strict. */
import { lineFinder } from '../weakened/outline.ts';

const strict = /(?:^|\/)(?:package|package-lock|composer)\.json$/;
const maxSource = 1_000_000;

export type JsonReading =
  | { readonly status: 'good' }
  | { readonly status: 'broken'; readonly line: number; readonly message: string }
  | { readonly status: 'unread' };

export function readJson(path: string, source: string): JsonReading {
  if (source.length > maxSource) return { status: 'unread' };
  const text = source.startsWith('\uFEFF') ? ` ${source.slice(1)}` : source;
  const problem = parseProblem(text);
  if (problem === undefined) return { status: 'good' };
  const loose = strict.test(path) ? undefined : withoutComments(text);
  if (loose !== undefined && parseProblem(loose) === undefined) return { status: 'good' };
  const offset = Number(/at position (\d+)/.exec(problem)?.[1] ?? Number.NaN);
  const line = Number.isNaN(offset) ? lineFinder(text)(text.length) : lineFinder(text)(offset);
  return { status: 'broken', line, message: 'not JSON' };
}

function parseProblem(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    // A nesting beyond the stack is not a fault of the text.
    return error instanceof SyntaxError ? error.message : undefined;
  }
}

/** Same length; strings are left alone. */
function withoutComments(text: string): string {
  const blank = (found: string): string => found.replaceAll(/[^\n]/g, ' ');
  const tokens = /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[^]*?\*\//g;
  const plain = text.replace(tokens, (found) => (found.startsWith('/') ? blank(found) : found));
  return plain.replace(/"(?:[^"\\\n]|\\.)*"|,(?=\s*[}\]])/g, (found) => (found === ',' ? ' ' : found));
}
