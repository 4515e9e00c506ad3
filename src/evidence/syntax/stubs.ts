/**
 * Signs that a file only pretends: functions without a body, functions that only return null, placeholders of a user
 * interface. A line is recognized by itself; in a file, what is in strings and comments does not count, and `return null`
 * counts only where it is all that a function does. Pure.
 */
import type { SyntaxNode } from '@lezer/common';
import { blankSource } from '../weakened/blank.ts';
import { languageOf, parseSource } from './languages.ts';

const signs = [
  ['empty_function_body', /\bfunction\b[^{}]*\{\s*\}|=>\s*\{\s*\}\s*;?\s*$/],
  ['return_null_function', /^\s*return\s+null\s*;?\s*$/],
  ['jsx_placeholder_return_div', /^\s*return\s*\(?\s*<div\s*\/>\s*\)?\s*;?\s*$/],
  ['jsx_placeholder_onclick', /\bon[A-Z]\w*=\{\(\)\s*=>\s*\{\s*\}\}/],
] as const;
export type StubSign = (typeof signs)[number][0];

/** A handler in a tag is named as such, although it has no body either. */
const order: readonly StubSign[] = [
  'jsx_placeholder_onclick',
  'jsx_placeholder_return_div',
  'return_null_function',
  'empty_function_body',
];

export function stubSign(line: string): StubSign | undefined {
  return order.find((name) => signs.some(([sign, pattern]) => sign === name && pattern.test(line)));
}

export interface FoundStub {
  readonly line: number;
  readonly sign: string;
}

/** `patterns` are the plan's own, instead of the usual ones; one that is not a pattern is looked for as text. */
export function findStubs(path: string, text: string, patterns?: readonly string[]): readonly FoundStub[] {
  if (patterns !== undefined) return ownStubs(text, patterns);
  const language = languageOf(path);
  if (language !== 'javascript' && language !== 'typescript') return [];
  const tree = parseSource(path, text);
  let offset = 0;
  return blankSource(text, 'js')
    .split('\n')
    .flatMap((line, at): FoundStub[] => {
      const start = offset;
      offset += line.length + 1;
      const sign = stubSign(line);
      if (sign === undefined) return [];
      const place = start + line.search(/\S/);
      if (sign === 'return_null_function' && !isWholeBody(tree?.resolveInner(place, 1))) return [];
      return [{ line: at + 1, sign }];
    });
}

function ownStubs(text: string, patterns: readonly string[]): readonly FoundStub[] {
  const lines = text.split('\n');
  return patterns.flatMap((pattern) => {
    const at = lines.findIndex((line) => line.includes(pattern));
    return at === -1 ? [] : [{ line: at + 1, sign: pattern }];
  });
}

function isWholeBody(at: SyntaxNode | undefined): boolean {
  let node: SyntaxNode | null | undefined = at;
  while (node !== null && node !== undefined && node.name !== 'ReturnStatement') node = node.parent;
  const block = node?.parent;
  if (block?.name !== 'Block') return false;
  const isFunction = /Function|MethodDeclaration/.test(block.parent?.name ?? '');
  return isFunction && block.getChildren('Statement').length <= 1;
}
