/**
 * Lets a person at the terminal choose from a list: by number or name, or by moving a mark with the arrow keys. The
 * prompt always says what Enter does. Where lines cannot be drawn over, the mark stays where it begins.
 */
import { type Choice, choiceLines, chosenBy } from '../views/question-text.ts';
import { displayWidth } from '../views/terminal-text.ts';
import { promptLine } from './prompt.ts';
import type { Terminal } from './terminal.ts';

export interface ChoicePrompt {
  readonly choices: readonly Choice[];
  /** What Enter takes; without it Enter alone takes nothing. */
  readonly marked: number | undefined;
  /** An answer in the person's own words is one too. */
  readonly words?: boolean;
  readonly signal?: AbortSignal;
}

export type ChosenOption = { readonly index: number } | { readonly words: string };

/** Undefined when the person left, or the answer came from elsewhere. */
export async function chooseOption(terminal: Terminal, choosing: ChoicePrompt): Promise<ChosenOption | undefined> {
  const { choices, words = false, signal } = choosing;
  const list = new MarkedList(terminal, choosing);
  list.print();
  for (;;) {
    const typed = await promptLine(list.prompt(words), { signal, onArrow: (step) => list.move(step) });
    if (typed === undefined) return undefined;
    const word = typed.trim();
    const index = word === '' ? list.marked : chosenBy(choices, word);
    if (index !== undefined) return { index };
    if (word !== '' && words) return { words: word };
    if (word === '') terminal.say('Nothing was typed. Ctrl-D leaves the question for later.');
    else terminal.say(`There is no choice "${word}".`);
    list.print();
  }
}

/** One line of text per option, none of them recommended but the first. Undefined when the person left. */
export async function chooseFrom(
  terminal: Terminal,
  title: string,
  labels: readonly string[],
): Promise<number | undefined> {
  terminal.write(`${title}\n`);
  const choices = labels.map((label, index) => ({ name: String(index + 1), id: label, label }));
  const chosen = await chooseOption(terminal, { choices, marked: 0 });
  return chosen !== undefined && 'index' in chosen ? chosen.index : undefined;
}

class MarkedList {
  readonly #terminal: Terminal;
  readonly #choices: readonly Choice[];
  readonly #lines: readonly string[];
  readonly #starts: readonly number[];
  marked: number | undefined;

  constructor(terminal: Terminal, { choices, marked }: ChoicePrompt) {
    const { lines, starts } = choiceLines(choices, Math.max(30, terminal.columns()));
    this.#terminal = terminal;
    this.#choices = choices;
    this.#lines = lines;
    this.#starts = starts;
    this.marked = marked;
  }

  print(): void {
    const at = this.marked === undefined ? undefined : this.#starts[this.marked];
    const lines = this.#lines.map((line, index) => (index === at ? `${this.#sign}${line.slice(1)}` : line));
    if (lines.length > 0) this.#terminal.write(`${lines.join('\n')}\n`);
  }

  /** Never wraps: the mark is drawn by counting lines from here. */
  prompt(words: boolean): string {
    if (this.#choices.length === 0) return 'Type your answer, then Enter: ';
    const name = this.marked === undefined ? undefined : this.#choices[this.marked]?.name;
    const type = `type ${namesOf(this.#choices)}${words ? ' or words' : ''}: `;
    if (name === undefined) return `T${type.slice(1)}`;
    const enter = `Enter takes ${this.#isMovable ? this.#sign : name}`;
    const whole = `${enter}, or ${type}`;
    return displayWidth(whole) < this.#terminal.columns() ? whole : `${enter}: `;
  }

  /** The cursor is on the line below the list, and nothing is typed there. */
  move(step: -1 | 1): void {
    if (!this.#isMovable || this.#choices.length === 0) return;
    const count = this.#choices.length;
    const from = this.marked;
    this.marked = from === undefined ? (step === 1 ? 0 : count - 1) : (from + step + count) % count;
    this.#draw(from, ' ');
    this.#draw(this.marked, this.#sign);
  }

  #draw(choice: number | undefined, sign: string): void {
    const start = choice === undefined ? undefined : this.#starts[choice];
    if (start === undefined) return;
    this.#terminal.write(`\u001b7\u001b[${this.#lines.length - start}A\r${sign}\u001b8`);
  }

  get #sign(): string {
    return this.#terminal.ascii ? '>' : '❯';
  }

  /** A list that is not all on the screen cannot be drawn over. */
  get #isMovable(): boolean {
    return this.#terminal.isLive && this.#lines.length < this.#terminal.rows();
  }
}

/** `1/2`, `1-4`, `1/2/e`. */
function namesOf(choices: readonly Choice[]): string {
  const numbers = choices.filter(({ name }) => /^\d+$/.test(name));
  const others = choices.filter((choice) => !numbers.includes(choice)).map(({ name }) => name);
  const range = numbers.length > 2 ? [`1-${numbers.length}`] : numbers.map(({ name }) => name);
  return [...range, ...others].join('/');
}
