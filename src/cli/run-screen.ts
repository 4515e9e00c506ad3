/**
 * What a person or a script sees of a run while facts come: the live tree, plain lines, or one fact per line. Keeps the
 * chronicle that all of them draw from; facts that this process was not told of are read from the journal.
 */
import { readChronicle } from '../api/find-run.ts';
import type { Answer, Fact } from '../api/facts.ts';
import { advanceChronicle, type Chronicle, emptyChronicle } from '../views/chronicle.ts';
import { factLine } from '../views/fact-line.ts';
import { summaryText } from '../views/summary-text.ts';
import { summaryOf } from '../views/summary.ts';
import { LiveTree } from './live-tree.ts';
import type { Terminal } from './terminal.ts';

export type ScreenMode = 'live' | 'lines' | 'json';

export class RunScreen {
  readonly mode: ScreenMode;
  readonly #terminal: Terminal;
  readonly #tree: LiveTree;
  readonly #directory: (run: string) => string;
  chronicle: Chronicle;

  constructor(
    terminal: Terminal,
    options: { json: boolean; directory: (run: string) => string; chronicle?: Chronicle },
  ) {
    this.mode = options.json ? 'json' : terminal.isLive ? 'live' : 'lines';
    this.#terminal = terminal;
    this.#directory = options.directory;
    this.chronicle = options.chronicle ?? emptyChronicle();
    this.#tree = new LiveTree(terminal, { chronicle: () => this.chronicle, directory: () => this.#place() });
  }

  take(fact: Fact): void {
    if (fact.seq === this.chronicle.state.seq + 1) advanceChronicle(this.chronicle, fact);
    else if (fact.seq > this.chronicle.state.seq) this.chronicle = readChronicle({ directory: this.#place() ?? '' });
    if (this.mode === 'json') {
      this.#terminal.write(`${JSON.stringify(fact)}\n`);
      return;
    }
    if (this.mode === 'live') {
      this.#tree.show();
      return;
    }
    const line = factLine(fact, this.chronicle);
    if (line !== undefined) this.#terminal.write(`${line}\n`);
  }

  /** While a person is asked something. */
  hide(): void {
    this.#tree.hide();
  }

  show(): void {
    if (this.mode === 'live') this.#tree.show();
  }

  finish(): void {
    this.#tree.finish();
  }

  summary(): string {
    return summaryText(summaryOf(this.chronicle), { columns: Math.min(this.#terminal.columns(), 100) });
  }

  openQuestions(): readonly string[] {
    return [...this.chronicle.state.questions].filter(([, record]) => record.answer === undefined).map(([key]) => key);
  }

  recommended(key: string): Pick<Answer, 'option'> | undefined {
    const option = this.chronicle.state.questions.get(key)?.question.options.find((one) => one.recommended)?.id;
    return option === undefined ? undefined : { option };
  }

  #place(): string | undefined {
    const run = this.chronicle.state.created?.run;
    return run === undefined ? undefined : this.#directory(run);
  }
}
