/** The keys of the page below, one per line. */
import { drawSpans, padSpan } from '../../views/spans.ts';
import { wrapText } from '../../views/terminal-text.ts';
import type { Key } from './key-input.ts';
import { type Canvas, type KeyHelp, TextPlace, type View } from './view.ts';

const everywhere: readonly KeyHelp[] = [
  ['↑ ↓', 'move; j and k do the same'],
  ['PgUp PgDn', 'move by a page; b and Space do the same'],
  ['g G', 'to the beginning, to the end'],
  ['Esc', 'back; from the first page it leaves'],
  ['Ctrl-C', 'leave; runs continue'],
];

const keyColumns = 14;

export class HelpView implements View {
  readonly #back: () => void;
  readonly #lines: readonly KeyHelp[];
  readonly #place = new TextPlace();

  constructor(app: { back(): void }, keys: readonly KeyHelp[]) {
    this.#back = () => app.back();
    this.#lines = [...keys, ...everywhere];
  }

  draw(canvas: Canvas): readonly string[] {
    // What does not fit beside its key goes on below.
    const rows = this.#lines.flatMap(([key, does]) =>
      wrapText(does, Math.max(10, canvas.columns - keyColumns)).map((text, at) => [at === 0 ? `  ${key}` : '', text]),
    );
    const { from, to } = this.#place.window(rows.length, canvas.rows - 2);
    const lines = rows
      .slice(from, to)
      .map(([key = '', text = '']) => drawSpans([{ text: padSpan(key, keyColumns), tone: 'bold' }, { text }], canvas));
    return [drawSpans([{ text: 'Keys', tone: 'bold' }], canvas), '', ...lines];
  }

  keys(): readonly KeyHelp[] {
    return [];
  }

  press(key: Key): boolean {
    if (key.name === '?') this.#back();
    return key.name === '?' || this.#place.move(key);
  }

  close(): void {}
}
