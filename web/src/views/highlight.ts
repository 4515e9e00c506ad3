/** Colours for code: tokens of lines as data, never as markup. Languages of the projects Forge meets most. */
import bash from 'highlight.js/lib/languages/bash';
import cpp from 'highlight.js/lib/languages/cpp';
import css from 'highlight.js/lib/languages/css';
import go from 'highlight.js/lib/languages/go';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import markdown from 'highlight.js/lib/languages/markdown';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { createLowlight } from 'lowlight';

export interface Token {
  readonly text: string;
  readonly kind: string;
}

const lowlight = createLowlight({
  bash,
  cpp,
  css,
  go,
  java,
  javascript,
  json,
  markdown,
  python,
  rust,
  sql,
  typescript,
  xml,
  yaml,
});

const languages: Readonly<Record<string, string>> = {
  sh: 'bash',
  bash: 'bash',
  c: 'cpp',
  h: 'cpp',
  cc: 'cpp',
  cpp: 'cpp',
  hpp: 'cpp',
  css: 'css',
  go: 'go',
  java: 'java',
  kt: 'java',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascript',
  json: 'json',
  md: 'markdown',
  py: 'python',
  rs: 'rust',
  sql: 'sql',
  ts: 'typescript',
  tsx: 'typescript',
  mts: 'typescript',
  html: 'xml',
  xml: 'xml',
  svg: 'xml',
  vue: 'xml',
  yaml: 'yaml',
  yml: 'yaml',
};

export function languageOf(path: string): string | undefined {
  return languages[/\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ''];
}

const longestLine = 1000;
const mostCharacters = 400_000;

/** Lines that follow each other, coloured as one text, so that a comment of several lines is one. */
export function highlightLines(lines: readonly string[], language: string | undefined): readonly (readonly Token[])[] {
  const plain = lines.map((text) => [{ text, kind: '' }]);
  if (language === undefined || lines.reduce((sum, { length }) => sum + length, 0) > mostCharacters) return plain;
  try {
    const text = lines.map((line) => (line.length > longestLine ? '' : line)).join('\n');
    const coloured = splitLines(flatten(lowlight.highlight(language, text).children, ''));
    return plain.map((line, at) => (lines[at] === joinTokens(coloured[at]) ? (coloured[at] ?? line) : line));
  } catch {
    return plain;
  }
}

function joinTokens(tokens: readonly Token[] = []): string {
  return tokens.map(({ text }) => text).join('');
}

function splitLines(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const lines: Token[][] = [[]];
  for (const { text, kind } of tokens) {
    for (const [at, piece] of text.split('\n').entries()) {
      if (at > 0) lines.push([]);
      if (piece !== '') lines.at(-1)?.push({ text: piece, kind });
    }
  }
  return lines;
}

export interface MarkedToken extends Token {
  readonly differs: boolean;
}

/** The same line by its colours and by what differs, as one. */
export function markWords(
  tokens: readonly Token[],
  words: readonly { readonly text: string; readonly differs: boolean }[],
): readonly MarkedToken[] {
  const pieces: MarkedToken[] = [];
  let at = 0;
  let left = tokens[0]?.text ?? '';
  for (const { text, differs } of words) {
    for (let rest = text; rest !== ''; ) {
      while (left === '' && at < tokens.length) {
        at += 1;
        left = tokens[at]?.text ?? '';
      }
      const size = left === '' ? rest.length : Math.min(left.length, rest.length);
      pieces.push({ text: rest.slice(0, size), kind: tokens[at]?.kind ?? '', differs });
      rest = rest.slice(size);
      left = left.slice(size);
    }
  }
  return pieces;
}

interface Node {
  readonly type: string;
  readonly value?: string;
  readonly properties?: { readonly className?: unknown };
  readonly children?: readonly Node[];
}

function flatten(nodes: readonly unknown[], kind: string): Token[] {
  return (nodes as readonly Node[]).flatMap((node): Token[] => {
    if (node.type === 'text') return [{ text: node.value ?? '', kind }];
    const name = node.properties?.className;
    const own = Array.isArray(name) ? String(name[0] ?? '').replace('hljs-', '') : kind;
    return flatten(node.children ?? [], own);
  });
}
