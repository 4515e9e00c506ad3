/**
 * Python text to a plain tree, or the line of its syntax error, or neither. The grammar (Lezer's, made for editors)
 * does not know some rare but good Python; where the text is the same to us, it is rewritten to what the grammar knows,
 * offset for offset, and where an error stands by something else it does not know, nothing is claimed.
 */
import { parser } from '@lezer/python';
import { blankSource } from '../weakened/blank.ts';
import { lineFinder } from '../weakened/outline.ts';

export interface PyNode {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly children: readonly PyNode[];
}

export type PyTree =
  | { readonly status: 'tree'; readonly root: PyNode; readonly hidesNames: boolean }
  | { readonly status: 'broken'; readonly line: number; readonly message: string }
  | { readonly status: 'unread' };

const maxSource = 1_000_000;
/** Questions go up the tree from many places. */
const maxDepth = 500;

export function parsePython(source: string): PyTree {
  if (source.length > maxSource) return { status: 'unread' };
  const code = blankSource(source, 'python');
  const raw = treeOf(rewritten(source, code));
  // Quotes within the braces of a string are read one way by the grammar and another by the lexer.
  const read = raw.error === undefined ? raw : treeOf(rewritten(code, code));
  if (read.error === undefined) {
    if (read.depth > maxDepth) return { status: 'unread' };
    return { status: 'tree', root: read.root, hidesNames: code.search(targets) !== -1 };
  }
  const line = lineFinder(source)(read.error);
  if (matches.test(code) || unknown.test(linesAround(code, read.error))) return { status: 'unread' };
  return { status: 'broken', line, message: 'invalid syntax' };
}

/** `with x as (a, b)` and `with x as a.b`: the names are lost. */
const targets = /\bas(?=[ \t]*[([]|[ \t]+\w+[ \t]*[.[(])/g;

/** What the grammar does not know, and what it knows that is as long and as good. */
const rewrites: readonly (readonly [RegExp, string])[] = [
  [/\byield\b(?=[ \t]*(?:[)\]},;:=\r\n]|$))/g, 'None '],
  [/(?<=(?<![\w.])\d[\d_]*)\.(?![\w.])/g, '0'],
  [targets, '+ '],
];

function rewritten(text: string, code: string): string {
  const places = rewrites.flatMap(([pattern, by]) => [...code.matchAll(pattern)].map(({ index }) => ({ index, by })));
  const parts: string[] = [];
  let done = 0;
  for (const { index, by } of places.toSorted((a, b) => a.index - b.index)) {
    parts.push(text.slice(done, index), by);
    done = index + by.length;
  }
  return [...parts, text.slice(done)].join('');
}

/** A statement most of whose patterns the grammar knows, but not all. */
const matches = /^[ \t]*match\b[^\n]*:[ \t]*$/m;
/** Stars and slashes in odd places, parentheses after `with`, decorators that are not calls, an empty line continued. */
const unknown = new RegExp(
  [
    /\blambda\b[^\n]*\//,
    /[[,:][ \t\n]*\*[ \t]*\w/,
    /\b(?:for|in|return|yield)[ \t]+\*/,
    /\bas[ \t]+\w+[ \t\n]*[,)]/,
    /^[ \t]*@(?![\w.]+[ \t]*(?:\(|$))/,
    /\bprint[ \t]*>>/,
    /\\\r?\n[ \t]*\r?$/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'm',
);

function linesAround(code: string, offset: number): string {
  let from = offset;
  let to = offset;
  for (let lines = 0; lines < 4; lines += 1) {
    from = Math.max(0, code.lastIndexOf('\n', from - 1));
    const end = code.indexOf('\n', to + 1);
    to = end === -1 ? code.length : end;
  }
  return code.slice(from, to).slice(-10_000);
}

/** Stops at the first error: going on past many of them is slow. */
const strict = parser.configure({ strict: true });

type Parsed = { readonly error: undefined; readonly root: PyNode; readonly depth: number } | { readonly error: number };

function treeOf(text: string): Parsed {
  const top = { name: 'Script', from: 0, to: text.length, children: [] as PyNode[] };
  const stack: { readonly children: PyNode[] }[] = [top];
  let depth = 0;
  try {
    strict.parse(text).iterate({
      enter: ({ name, from, to }) => {
        const node = { name, from, to, children: [] };
        stack.at(-1)?.children.push(node);
        stack.push(node);
        depth = Math.max(depth, stack.length);
      },
      leave: () => {
        stack.pop();
      },
    });
  } catch (error) {
    const place = error instanceof SyntaxError ? /^No parse at (\d+)/.exec(error.message)?.[1] : undefined;
    if (place === undefined) throw error;
    return { error: Number(place) };
  }
  return { error: undefined, root: top.children[0] ?? top, depth };
}
