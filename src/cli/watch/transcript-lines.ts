/** An entry of a transcript as lines of a terminal: what was said in full, what tools printed in short unless asked. Pure. */
import type { Span } from '../../views/spans.ts';
import { plainLines, wrapText } from '../../views/terminal-text.ts';
import { repositoryPath } from '../../views/workspace-path.ts';
import { patchLines } from './text-view.ts';

export interface EntryWish {
  readonly columns: number;
  /** Outputs in full. */
  readonly isLong: boolean;
}

interface Entry {
  readonly type: string;
  readonly text: string;
  readonly tool: { readonly name: string; readonly paths: readonly string[]; readonly status: string } | undefined;
}

const shortLines = 4;
const longLines = 400;
/** A line that fills a hundred screens says nothing more than its beginning. */
const longestText = 16_000;

export function entryLines(line: string, { columns, isLong }: EntryWish): (readonly Span[])[] {
  const { type, text, tool } = readEntry(line);
  const said = text.slice(0, longestText);
  const cut =
    text.length > longestText
      ? [[{ text: `… ${text.length - longestText} more characters`, tone: 'dim' as const }]]
      : [];
  if (type === 'text') return [...prose(said, columns, undefined), ...cut, []];
  if (type === 'thought') return [...prose(said, columns, 'dim'), ...cut, []];
  if (type === 'usage') return [[{ text: `used ${said}`, tone: 'dim' }], []];
  if (type === 'error' || type === 'note')
    return [...prose(`${type}: ${said}`, columns, type === 'error' ? 'bad' : 'dim'), ...cut, []];
  const head: Span[] =
    tool === undefined
      ? []
      : [
          { text: tool.name, tone: 'busy' },
          { text: tool.paths.map((path) => ` ${repositoryPath(path)}`).join('') },
          { text: tool.status === 'done' ? '' : ` (${tool.status})`, tone: tool.status === 'failed' ? 'bad' : 'dim' },
        ];
  const lines = said.trimEnd() === '' ? [] : said.trimEnd().split('\n');
  const most = isLong ? longLines : shortLines;
  const isPatch = /^(?:---|\+\+\+|@@|diff --git)/m.test(said);
  const shown = lines.slice(0, most);
  const body = isPatch
    ? patchLines(shown.join('\n'))
    : shown.map((one): readonly Span[] => [{ text: `  ${one}`, tone: 'dim' }]);
  const more = lines.length - shown.length;
  const rest: (readonly Span[])[] =
    more > 0 ? [[{ text: `  … ${more} more lines${isLong ? '' : ': o shows them'}`, tone: 'dim' }]] : [];
  return [...(head.length === 0 ? [] : [head]), ...body, ...rest, ...(isLong ? cut : []), []];
}

function prose(text: string, columns: number, tone: Span['tone']): (readonly Span[])[] {
  return plainLines(text).flatMap((line) => wrapText(line, columns).map((part) => [{ text: part, tone }]));
}

function readEntry(line: string): Entry {
  try {
    const { type = 'text', text = '', tool } = JSON.parse(line) as Partial<Entry>;
    return { type, text, tool };
  } catch {
    return { type: 'note', text: line, tool: undefined };
  }
}
