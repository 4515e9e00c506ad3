/**
 * The whole terminal, on its second page, so that what a person had before is there again afterwards. A frame is drawn
 * over the last one, and only lines that differ are sent: a slow line to another machine stays usable. Whatever happens,
 * `close` gives the terminal back as it was.
 */
import { type Key, readKeys } from './key-input.ts';

export interface FullScreenOptions {
  readonly mouse: boolean;
  readonly onKey: (key: Key) => void;
  readonly onResize: () => void;
}

const enter = '\u001b[?1049h\u001b[?25l\u001b[2J';
const leave = '\u001b[0m\u001b[?25h\u001b[?1049l';
const mouseOn = '\u001b[?1000h\u001b[?1006h';
const mouseOff = '\u001b[?1006l\u001b[?1000l';

export class FullScreen {
  readonly #options: FullScreenOptions;
  #drawn: readonly string[] = [];
  #stopKeys: (() => void) | undefined;

  constructor(options: FullScreenOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#stopKeys !== undefined;
  }

  open(): void {
    const { stdin, stdout } = process;
    stdin.setRawMode(true);
    stdout.write(`${enter}${this.#options.mouse ? mouseOn : ''}`);
    stdout.on('resize', this.#onResize);
    this.#drawn = [];
    this.#stopKeys = readKeys(stdin, this.#options.onKey);
  }

  close(): void {
    if (!this.isOpen) return;
    const { stdin, stdout } = process;
    this.#stopKeys?.();
    this.#stopKeys = undefined;
    stdout.off('resize', this.#onResize);
    stdout.write(`${this.#options.mouse ? mouseOff : ''}${leave}`);
    stdin.setRawMode(false);
  }

  /** At most as many lines as the terminal has, none wider than it. */
  draw(lines: readonly string[]): void {
    if (!this.isOpen) return;
    const changed = lines.flatMap((line, row) =>
      line === this.#drawn[row] ? [] : [`\u001b[${row + 1};1H\u001b[2K${line}`],
    );
    const below = lines.length < this.#drawn.length ? `\u001b[${lines.length + 1};1H\u001b[J` : '';
    this.#drawn = lines;
    if (changed.length + below.length > 0) process.stdout.write(`${changed.join('')}${below}`);
  }

  /** Another program has the terminal meanwhile: an editor, a pager, the shell. */
  async lend<T>(work: () => Promise<T>): Promise<T> {
    this.close();
    try {
      return await work();
    } finally {
      this.open();
    }
  }

  readonly #onResize = (): void => {
    this.#drawn = [];
    process.stdout.write('\u001b[2J');
    this.#options.onResize();
  };
}
