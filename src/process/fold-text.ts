/**
 * Text without what may go through the middle of a word: line breaks with the indentation after them, and the escape
 * sequences of terminals. Places in it can be found again in the text itself. Pure, and linear in the text.
 */
export interface FoldedText {
  readonly text: string;
  /** Where the character at this place begins in the text itself. */
  before(at: number): number;
  /** Where the character before this place ends in the text itself. */
  after(at: number): number;
}

const breaks =
  // oxlint-disable-next-line no-control-regex -- these are what has to go
  /\u001B\[[0-?]{0,100}[ -/]{0,10}[@-~]|\u001B\][^\u0007\u001B]{0,1000}(?:\u0007|\u001B\\)|\\?\r?\n[ \t]{0,200}/g;

/** Undefined where there is nothing to leave out. */
export function foldText(text: string): FoldedText | undefined {
  if (!text.includes('\n') && !text.includes('\u001B')) return undefined;
  const parts: { readonly folded: number; readonly start: number }[] = [];
  const pieces: string[] = [];
  let done = 0;
  let length = 0;
  const keep = (end: number): void => {
    if (end === done) return;
    parts.push({ folded: length, start: done });
    pieces.push(text.slice(done, end));
    length += end - done;
  };
  for (const match of text.matchAll(breaks)) {
    keep(match.index);
    done = match.index + match[0].length;
  }
  keep(text.length);
  const place = (at: number): number => {
    let low = 0;
    let high = parts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((parts[middle]?.folded ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    const part = parts[low];
    return part === undefined ? at : part.start + at - part.folded;
  };
  return { text: pieces.join(''), before: place, after: (at) => place(at - 1) + 1 };
}
