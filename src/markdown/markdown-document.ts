/**
 * A Markdown text (CommonMark with GFM tables) as sections with what stands in them: tables, lists, labelled values, code
 * blocks, paragraphs, each with its line. The only file that knows the parser. Untrusted text: refuseMarkdown bounds it
 * first. Nothing is interpreted here; a section nobody asks for keeps its text. Pure.
 */
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { toString } from 'mdast-util-to-string';
import { gfmTable } from 'micromark-extension-gfm-table';
import type { List, Nodes, PhrasingContent, RootContent, Table } from 'mdast';
import { type MarkdownRefusal, refuseMarkdown } from './markdown-bounds.ts';

export interface MarkdownDocument {
  /** The first heading of level one. */
  readonly title: { readonly text: string; readonly line: number } | undefined;
  /** What stands before the first section. */
  readonly lead: MarkdownContent;
  /** Every heading below the title, in order, whatever its level; a section holds its subsections' content too. */
  readonly sections: readonly MarkdownSection[];
}

export interface MarkdownContent {
  readonly line: number;
  /** As written. */
  readonly text: string;
  readonly tables: readonly MarkdownTable[];
  readonly items: readonly MarkdownItem[];
  readonly fences: readonly { readonly language: string; readonly text: string; readonly line: number }[];
  readonly paragraphs: readonly MarkdownLine[];
  /** `**Label:** value`, from paragraphs, quotes and list items; labels in lower case without the colon. */
  readonly labels: readonly MarkdownLabel[];
}

export interface MarkdownSection extends MarkdownContent {
  readonly title: string;
  readonly level: number;
}

export interface MarkdownLine {
  readonly text: string;
  readonly line: number;
  readonly links: readonly string[];
}

export interface MarkdownItem extends MarkdownLine {
  /** Zero for the outermost list. */
  readonly depth: number;
}

export interface MarkdownLabel extends MarkdownLine {
  readonly label: string;
}

export interface MarkdownTable {
  readonly line: number;
  readonly header: readonly MarkdownLine[];
  readonly rows: readonly MarkdownRow[];
}

export interface MarkdownRow {
  readonly line: number;
  readonly cells: readonly MarkdownLine[];
}

export type MarkdownReading =
  | { readonly status: 'read'; readonly document: MarkdownDocument }
  | ({ readonly status: 'refused' } & MarkdownRefusal);

export interface MarkdownOptions {
  /** `drop`: leave code in sentences out of every text. */
  readonly code?: 'keep' | 'drop';
}

export function readMarkdown(source: string, { code = 'keep' }: MarkdownOptions = {}): MarkdownReading {
  const refusal = refuseMarkdown(source);
  if (refusal !== undefined) return { status: 'refused', ...refusal };
  const text = source.startsWith('\uFEFF') ? source.slice(1) : source;
  const tree = fromMarkdown(text, { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] });
  if (code === 'drop') dropCode(tree);
  return { status: 'read', document: documentOf(tree.children, text) };
}

function dropCode(node: Nodes): void {
  if (node.type === 'inlineCode') node.value = '';
  if ('children' in node) for (const child of node.children) dropCode(child);
}

function documentOf(nodes: readonly RootContent[], source: string): MarkdownDocument {
  const titleAt = nodes.findIndex((node) => node.type === 'heading' && node.depth === 1);
  const title = nodes[titleAt];
  const headings = nodes.flatMap((node, at) => (node.type === 'heading' && at !== titleAt ? [{ node, at }] : []));
  const leadEnd = headings.find(({ at }) => at > titleAt)?.at ?? nodes.length;
  return {
    title: title === undefined ? undefined : { text: textOf(title), line: lineOf(title) },
    lead: contentOf(nodes.slice(titleAt + 1, leadEnd), source, title === undefined ? 1 : lineOf(title)),
    sections: headings.map(({ node, at }, index) => {
      const next = headings.slice(index + 1).find((other) => other.node.depth <= node.depth)?.at ?? nodes.length;
      return {
        title: textOf(node),
        level: node.depth,
        ...contentOf(nodes.slice(at + 1, next), source, lineOf(node)),
      };
    }),
  };
}

function contentOf(nodes: readonly RootContent[], source: string, line: number): MarkdownContent {
  const from = nodes[0]?.position?.start.offset ?? 0;
  const to = nodes.at(-1)?.position?.end.offset ?? from;
  return {
    line,
    text: source.slice(from, to),
    tables: nodes.flatMap((node) => (node.type === 'table' ? [tableOf(node)] : [])),
    items: nodes.flatMap((node) => (node.type === 'list' ? itemsOf(node, 0) : [])),
    fences: nodes.flatMap((node) =>
      node.type === 'code' ? [{ language: node.lang ?? '', text: node.value, line: lineOf(node) }] : [],
    ),
    paragraphs: nodes.flatMap((node) => (node.type === 'paragraph' ? linesOf(node) : [])),
    labels: nodes.flatMap(labelsOf),
  };
}

function tableOf(table: Table): MarkdownTable {
  const [header, ...rows] = table.children.map((row) => ({ line: lineOf(row), cells: row.children.map(asLine) }));
  return { line: lineOf(table), header: header?.cells ?? [], rows };
}

function itemsOf(list: List, depth: number): MarkdownItem[] {
  return list.children.flatMap((item) => {
    const own = item.children.filter((child) => child.type !== 'list');
    const text = own.map(textOf).join(' ').trim();
    return [
      { text, line: lineOf(item), depth, links: own.flatMap(linksIn) },
      ...item.children.flatMap((child) => (child.type === 'list' ? itemsOf(child, depth + 1) : [])),
    ];
  });
}

/** The lines of a paragraph as written, each with its number. */
function linesOf(node: RootContent): MarkdownLine[] {
  const links = linksIn(node);
  return toString(node)
    .split('\n')
    .map((text, index) => ({ text: text.trim(), line: lineOf(node) + index, links: index === 0 ? links : [] }));
}

/** A bold word starts a label; its value goes to the next bold word that ends with a colon or to the end. */
function labelsOf(node: Nodes): MarkdownLabel[] {
  if (node.type !== 'paragraph')
    return 'children' in node && node.type !== 'table' ? (node.children as Nodes[]).flatMap(labelsOf) : [];
  const found: { label: string; line: number; value: PhrasingContent[] }[] = [];
  for (const child of node.children) {
    if (child.type === 'strong') found.push({ label: textOf(child), line: lineOf(child), value: [] });
    else found.at(-1)?.value.push(child);
  }
  return found.map(({ label, line, value }) => ({
    label: label.replace(/\s*:$/, '').toLowerCase(),
    line,
    text: value
      .map((part) => toString(part))
      .join('')
      .replace(/^\s*[:：]/, '')
      .replace(/\s+/g, ' ')
      .replace(/[|·]\s*$/, '')
      .trim(),
    links: value.flatMap(linksIn),
  }));
}

function asLine(node: Nodes): MarkdownLine {
  return { text: textOf(node), line: lineOf(node), links: linksIn(node) };
}

function linksIn(node: Nodes): string[] {
  if (node.type === 'link') return [node.url];
  return 'children' in node ? (node.children as Nodes[]).flatMap(linksIn) : [];
}

function textOf(node: Nodes): string {
  return toString(node).replace(/\s+/g, ' ').trim();
}

function lineOf(node: Nodes): number {
  return node.position?.start.line ?? 1;
}
