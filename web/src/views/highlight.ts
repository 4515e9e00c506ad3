/** Colours for code: tokens of one line as data, never as markup. Languages of the projects Forge meets most. */
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

/** Line by line: what spans several lines, such as a comment, is coloured from its first one on its own. */
export function highlightLine(text: string, language: string | undefined): readonly Token[] {
  if (language === undefined || text.length > longestLine) return [{ text, kind: '' }];
  try {
    return flatten(lowlight.highlight(language, text).children, '');
  } catch {
    return [{ text, kind: '' }];
  }
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
