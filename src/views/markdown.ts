/** Markdown made from strings nobody vouches for: one line stays one line, and nothing hidden gets through. */
import { plainLine, plainLines } from './terminal-text.ts';

export function markdownList(items: readonly string[], none = '- (none)'): string {
  return items.length === 0 ? none : items.map((item) => `- ${plainLine(item)}`).join('\n');
}

/** Text of several lines, which cannot open a heading or a fence of ours. */
export function markdownProse(text: string): string {
  return plainLines(text)
    .map((line) => line.replace(/^(\s*)(#{1,6}\s|```|~~~)/, '$1\\$2'))
    .join('\n')
    .trim();
}

export function markdownSection(title: string, body: string): string {
  return `## ${title}\n\n${body}`;
}

export function markdownPage(title: string, parts: readonly string[]): string {
  return `${[`# ${plainLine(title)}`, ...parts.filter((part) => part !== '')].join('\n\n')}\n`;
}

export function jsonBlock(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
