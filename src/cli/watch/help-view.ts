/** The keys of the page below, one per line. */
import { drawSpans, padSpan } from '../../views/spans.ts';
import type { Key } from './key-input.ts';
import { type Canvas, type KeyHelp, TextPlace, type View } from './view.ts';

const everywhere: readonly KeyHelp[] = [
  ['↑ ↓', 'move; j and k do the same'],
  ['PgUp PgDn', 'move by a page; b and Space do the same'],
  ['g G', 'to the beginning, to the end'],
  ['Esc', 'back; from the first page it leaves'],
  ['Ctrl-C', 'leave; runs go on'],
];

export class HelpView implements View {
  readonly #back: () => void;
  readonly #lines: readonly KeyHelp[];
  readonly #place = new TextPlace();

  constructor(app: { back(): void }, keys: readonly KeyHelp[]) {
    this.#back = () => app.back();
    this.#lines = [...keys, ...everywhere];
  }

  draw(canvas: Canvas): readonly string[] {
    const { from, to } = this.#place.window(this.#lines.length, canvas.rows - 2);
    const lines = this.#lines
      .slice(from, to)
      .map(([key, does]) => drawSpans([{ text: padSpan(`  ${key}`, 14), tone: 'bold' }, { text: does }], canvas));
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
