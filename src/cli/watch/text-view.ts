/** A text of any length: a difference, what a check printed. Lines are cut, not broken; left and right move along them. */
import { drawSpans, type Span } from '../../views/spans.ts';
import type { Key } from './key-input.ts';
import { type Canvas, type KeyHelp, TextPlace, type View } from './view.ts';

export interface TextPage {
  readonly title: readonly Span[];
  readonly lines: readonly (readonly Span[])[];
}

export interface TextViewOptions {
  /** Shows the neighbour of what is shown, such as the next file. Undefined where there is none. */
  readonly turn?: (step: -1 | 1) => void;
}

const sideStep = 20;

export class TextView implements View {
  page: TextPage;
  readonly #options: TextViewOptions;
  #place = new TextPlace();
  #aside = 0;

  constructor(page: TextPage, options: TextViewOptions = {}) {
    this.page = page;
    this.#options = options;
  }

  /** Another text on the same page. */
  show(page: TextPage): void {
    this.page = page;
    this.#place = new TextPlace();
    this.#aside = 0;
  }

  draw(canvas: Canvas): readonly string[] {
    const { title, lines } = this.page;
    const { from, to } = this.#place.window(lines.length, canvas.rows - 1);
    const shown = lines.slice(from, to).map((spans) => drawSpans(this.#moved(spans), canvas));
    return [drawSpans(title, canvas), ...shown];
  }

  keys(): readonly KeyHelp[] {
    return [
      ['↑ ↓', 'scroll'],
      ...(this.#options.turn === undefined ? [] : ([['n p', 'next, previous file']] as const)),
      ['← →', 'along long lines'],
    ];
  }

  press(key: Key): boolean {
    const { turn } = this.#options;
    if (this.#place.move(key)) return true;
    if (key.name === 'right' || key.name === 'left') {
      this.#aside = Math.max(0, this.#aside + (key.name === 'right' ? sideStep : -sideStep));
      return true;
    }
    if (turn === undefined || (key.name !== 'n' && key.name !== 'p')) return false;
    turn(key.name === 'n' ? 1 : -1);
    return true;
  }

  close(): void {}

  #moved(spans: readonly Span[]): readonly Span[] {
    if (this.#aside === 0) return spans;
    const [first, ...rest] = spans;
    return first === undefined ? [] : [{ ...first, text: first.text.slice(this.#aside) }, ...rest];
  }
}

/** A patch in the colours that people know. */
export function patchLines(text: string): (readonly Span[])[] {
  return text.split('\n').map((line): readonly Span[] => {
    if (/^(?:diff |index |--- |\+\+\+ |new file|deleted file|similarity)/.test(line))
      return [{ text: line, tone: 'dim' }];
    if (line.startsWith('@@')) return [{ text: line, tone: 'busy' }];
    if (line.startsWith('+')) return [{ text: line, tone: 'good' }];
    return [{ text: line, ...(line.startsWith('-') ? { tone: 'bad' as const } : {}) }];
  });
}
