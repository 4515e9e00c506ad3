/**
 * A Markdown document as React elements. Whoever wrote it is not trusted: markup in it is shown as text, links and
 * pictures are named and lead nowhere, and what would take long to parse is left to be shown as text.
 */
import type { Nodes, Root, RootContent, Table } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmTable } from 'micromark-extension-gfm-table';
import { Fragment, type ReactNode, useMemo } from 'react';
import { refuseMarkdown } from '../../../src/markdown/markdown-bounds.ts';
import { visible } from './visible-text.ts';

const mostCharacters = 300_000;

/** Whether a text can be drawn as a document. */
export function isDrawable(text: string): boolean {
  return text.length <= mostCharacters && refuseMarkdown(text) === undefined;
}

export function MarkdownText({ text }: { readonly text: string }): ReactNode {
  const { matter, root } = useMemo(() => parse(text), [text]);
  const levels = useMemo(() => levelsOf(root), [root]);
  return (
    <div className="document prose-document" tabIndex={0} role="group" aria-label="Document">
      {matter === '' ? null : <pre className="said">{visible(matter)}</pre>}
      <Blocks nodes={root.children} levels={levels} />
    </div>
  );
}

function parse(text: string): { readonly matter: string; readonly root: Root } {
  const matter = /^---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/.exec(text);
  const body = matter === null ? text : text.slice(matter[0].length);
  const root = fromMarkdown(body, { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] });
  return { matter: matter?.[1] ?? '', root };
}

type Levels = ReadonlyMap<Nodes, number>;

/** Headings below the run's title, none more than one level below the one before. */
function levelsOf({ children }: Root): Levels {
  let last = 1;
  const levels = new Map<Nodes, number>();
  for (const node of children) {
    if (node.type !== 'heading') continue;
    last = Math.min(node.depth + 1, last + 1, 6);
    levels.set(node, last);
  }
  return levels;
}

type Drawn<Kinds extends Nodes> = {
  readonly [Kind in Kinds['type']]?: (node: Extract<Kinds, { type: Kind }>, levels: Levels) => ReactNode;
};

/** What has no row is drawn as the text in it. */
const blocks: Drawn<RootContent> = {
  heading: (node, levels) => (
    <div role="heading" aria-level={levels.get(node) ?? 6} className={`heading depth-${node.depth}`}>
      <Inline nodes={node.children} />
    </div>
  ),
  paragraph: ({ children }) => (
    <p>
      <Inline nodes={children} />
    </p>
  ),
  code: ({ value }) => <Verbatim text={value} />,
  html: ({ value }) => <Verbatim text={value} />,
  list: ({ ordered, start, children }, levels) =>
    ordered === true ? (
      <ol start={start ?? 1}>
        <Blocks nodes={children} levels={levels} />
      </ol>
    ) : (
      <ul>
        <Blocks nodes={children} levels={levels} />
      </ul>
    ),
  listItem: ({ children }, levels) => (
    <li>
      <Blocks nodes={children} levels={levels} />
    </li>
  ),
  blockquote: ({ children }, levels) => (
    <blockquote>
      <Blocks nodes={children} levels={levels} />
    </blockquote>
  ),
  thematicBreak: () => <hr />,
  table: (node) => <TableBlock node={node} />,
  definition: ({ label, identifier, url }) => <p className="soft">{visible(`[${label ?? identifier}]: ${url}`)}</p>,
};

function Blocks({ nodes, levels }: { readonly nodes: readonly RootContent[]; readonly levels: Levels }): ReactNode {
  return nodes.map((node, at) => {
    const draw = blocks[node.type] as ((node: RootContent, levels: Levels) => ReactNode) | undefined;
    return <Fragment key={at}>{draw === undefined ? <Inline nodes={[node]} /> : draw(node, levels)}</Fragment>;
  });
}

function Verbatim({ text }: { readonly text: string }): ReactNode {
  return (
    <pre className="said" tabIndex={0}>
      {visible(text)}
    </pre>
  );
}

function TableBlock({ node: { children } }: { readonly node: Table }): ReactNode {
  const [head, ...rows] = children;
  return (
    <div className="scroll" role="group" aria-label="Table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head?.children.map((cell, at) => (
              <th key={at}>
                <Inline nodes={cell.children} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {row.children.map((cell, place) => (
                <td key={place}>
                  <Inline nodes={cell.children} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const phrases: Drawn<Nodes> = {
  text: ({ value }) => visible(value),
  inlineCode: ({ value }) => <code>{visible(value)}</code>,
  html: ({ value }) => <code>{visible(value)}</code>,
  break: () => <br />,
  emphasis: ({ children }) => (
    <em>
      <Inline nodes={children} />
    </em>
  ),
  strong: ({ children }) => (
    <strong>
      <Inline nodes={children} />
    </strong>
  ),
  link: ({ children, url }) => (
    <>
      <Inline nodes={children} /> <Target url={url} />
    </>
  ),
  image: ({ alt, url }) => (
    <>
      {visible(alt ?? '')} <Target url={url} />
    </>
  ),
};

function Inline({ nodes }: { readonly nodes: readonly Nodes[] }): ReactNode {
  return nodes.map((node, at) => {
    const draw = phrases[node.type] as ((node: Nodes, levels: Levels) => ReactNode) | undefined;
    const inner = 'children' in node ? <Inline nodes={node.children} /> : null;
    return <Fragment key={at}>{draw === undefined ? inner : draw(node, noLevels)}</Fragment>;
  });
}

const noLevels: Levels = new Map();

function Target({ url }: { readonly url: string }): ReactNode {
  return <span className="soft">({visible(url)})</span>;
}
