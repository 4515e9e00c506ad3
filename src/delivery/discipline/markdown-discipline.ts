/**
 * Status notes in Markdown that give a module up because another one is missing. Code in the text is an example, not a
 * statement, and is not looked at. Pure.
 */
import { readMarkdown } from '../../markdown/markdown-document.ts';
import type { FoundIssue } from '../plan-issue.ts';
import { findAbandonment } from './comment-rules.ts';

export function abandonmentsIn(text: string): FoundIssue[] {
  const reading = readMarkdown(text, { code: 'drop' });
  if (reading.status === 'refused') return [];
  const { lead, sections } = reading.document;
  const found = [lead, ...sections].flatMap(({ tables, items, paragraphs }) => [
    ...tables.flatMap(({ rows }) =>
      rows.map(({ line, cells }) => ({ line, text: cells.map((cell) => cell.text).join(' | ') })),
    ),
    ...items,
    ...paragraphs,
  ]);
  const issues = found.flatMap(({ text: line, line: at }) => findAbandonment({ text: line, line: at }));
  // A section holds what its subsections hold.
  return issues.filter(({ line }, at) => issues.findIndex((other) => other.line === line) === at);
}
