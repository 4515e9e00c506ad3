/**
 * JavaScript and TypeScript text to Babel's tree, or the line of its syntax error, or neither: what is too large, nested
 * against the parser, or in a dialect of types that is not TypeScript is not judged. Several readings are tried before
 * an error is believed, because decorators, scripts and modules exclude each other. No error recovery: a broken file
 * is broken once and says nothing else.
 */
import type { ParserOptions, ParserPlugin } from '@babel/parser';
import { parseBounded } from '../parse-bounded.ts';
import { isNode, type Node, nodesAt } from '../weakened/js-nodes.ts';

export type JsTree =
  | { readonly status: 'tree'; readonly program: Node; readonly comments: readonly Node[] }
  | { readonly status: 'broken'; readonly line: number; readonly message: string }
  | { readonly status: 'unread' };

const maxSource = 1_000_000;

export const isJsPath = (path: string): boolean => /\.[cm]?[jt]sx?$/.test(path);
export const isTsPath = (path: string): boolean => /\.[cm]?tsx?$/.test(path);

export function parseJs(path: string, source: string): JsTree {
  const typed = isTsPath(path);
  // Films and translations are `.ts` too; other dialects of types say so at the top.
  if (source.length > maxSource || /^\s*<(?:\?xml|!DOCTYPE)/.test(source.slice(0, 200))) return { status: 'unread' };
  if (!typed && /@(?:no)?flow\b/.test(source.slice(0, 2000))) return { status: 'unread' };
  let first: JsTree | undefined;
  for (const options of readings(path, typed)) {
    const tree = tryParse(source, options);
    if (tree.status === 'tree') return tree;
    first ??= tree;
  }
  if (!typed && tryParse(source, { ...base, plugins: ['typescript', 'jsx', 'decorators-legacy'] }).status === 'tree')
    return { status: 'unread' };
  return first ?? { status: 'unread' };
}

const base: ParserOptions = {
  sourceType: 'unambiguous',
  allowReturnOutsideFunction: true,
  allowAwaitOutsideFunction: true,
  allowNewTargetOutsideFunction: true,
};

function readings(path: string, typed: boolean): ParserOptions[] {
  const markup: ParserPlugin[] = /\.[cm]?ts$/.test(path) ? [] : ['jsx'];
  const types: ParserPlugin[] = typed ? [['typescript', { dts: /\.d\.[cm]?ts$/.test(path) }]] : [];
  const always: ParserPlugin[] = [...types, ...markup, 'explicitResourceManagement', 'deprecatedImportAssert'];
  const modern: ParserOptions = { ...base, allowUndeclaredExports: typed, plugins: [...always, 'decorators'] };
  return [
    modern,
    { ...modern, plugins: [...always, 'decorators-legacy'] },
    // `await` is a name in a script.
    { ...modern, sourceType: 'script', allowAwaitOutsideFunction: false },
  ];
}

function tryParse(source: string, options: ParserOptions): JsTree {
  try {
    const file: unknown = parseBounded(source, options);
    const program = isNode(file) ? file['program'] : undefined;
    if (!isNode(file) || !isNode(program)) return { status: 'unread' };
    return { status: 'tree', program, comments: nodesAt(file, 'comments') };
  } catch (error) {
    // Anything but a syntax error is a nesting beyond the parser's own recursion, or beyond any work it is worth.
    if (!(error instanceof SyntaxError)) return { status: 'unread' };
    const line = (error as { readonly loc?: { readonly line?: number } }).loc?.line ?? 0;
    return { status: 'broken', line, message: error.message.replace(/ \(\d+:\d+\)$/, '') };
  }
}
