/** Blocks of text for a terminal: a name with its value, a list. On narrow terminals values stand below names. */
import { displayWidth, padText, plainLine, wrapText } from './terminal-text.ts';

export interface TextOptions {
  readonly columns?: number;
}

export const narrowColumns = 60;
const nameWidth = 16;

/** A row without a name goes on with the one before. Nothing for an empty value. */
export function fieldLines(name: string, value: string, columns: number): string[] {
  const text = plainLine(value);
  if (text === '') return [];
  if (columns < narrowColumns) {
    return [...(name === '' ? [] : [`  ${name}`]), ...wrapText(text, columns - 4).map((line) => `    ${line}`)];
  }
  const lead = `  ${padText(name, nameWidth)}`;
  const room = columns - displayWidth(lead);
  return wrapText(text, room).map((line, index) => (index === 0 ? lead : ' '.repeat(displayWidth(lead))) + line);
}

export function bulletLines(texts: readonly string[], columns: number): string[] {
  return texts.flatMap((text) =>
    wrapText(text, columns - 4).map((line, index) => `${index === 0 ? '  - ' : '    '}${line}`),
  );
}

/** A paragraph, two cells in. */
export function indentedLines(text: string, columns: number): string[] {
  return wrapText(text, columns - 2).map((line) => `  ${line}`.trimEnd());
}

/** Sections that have something to say, each under its name. */
export function sectionLines(sections: readonly (readonly [string, readonly string[]])[]): string[] {
  return sections.filter(([, lines]) => lines.length > 0).flatMap(([name, lines]) => ['', name, ...lines]);
}
