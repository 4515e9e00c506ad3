/**
 * What a person or a script sees of a run while facts come: the live tree, plain lines, or one fact per line. Keeps the
 * chronicle that all of them draw from.
 */
import type { Answer, Fact } from '../api/facts.ts';
import type { RunTalk } from '../api/talk-to-run.ts';
import { advanceChronicle, type Chronicle, emptyChronicle } from '../views/chronicle.ts';
import { factLine, resumingLine } from '../views/fact-line.ts';
import { overviewText } from '../views/plan-text.ts';
import { summaryOf } from '../views/summary.ts';
import { summaryText } from '../views/summary-text.ts';
import { wrapText } from '../views/terminal-text.ts';
import { LiveTree } from './live-tree.ts';
import type { Terminal } from './terminal.ts';

export type ScreenMode = 'live' | 'lines' | 'json';

export class RunScreen {
  readonly mode: ScreenMode;
  readonly #terminal: Terminal;
  readonly #tree: LiveTree;
  readonly #talk: Pick<RunTalk, 'place' | 'activity'>;
  readonly #showPlan: boolean;
  readonly #silent: boolean;
  /** A person is typing: the tree would be drawn over their prompt. */
  #isHeld = false;
  chronicle: Chronicle;

  constructor(
    terminal: Terminal,
    options: {
      json: boolean;
      /** Keeps the chronicle and shows nothing. */
      silent?: boolean;
      talk: Pick<RunTalk, 'place' | 'activity'>;
      chronicle?: Chronicle;
      /** Nobody is asked to approve the plan, so it is shown in short. */
      showPlan?: boolean;
    },
  ) {
    this.mode = options.json ? 'json' : terminal.isLive ? 'live' : 'lines';
    this.#terminal = terminal;
    this.#talk = options.talk;
    this.#showPlan = options.showPlan === true;
    this.#silent = options.silent === true;
    this.chronicle = options.chronicle ?? emptyChronicle();
    this.#tree = new LiveTree(terminal, { chronicle: () => this.chronicle, activity: this.#talk.activity });
  }

  /** What happened before this process came: nothing of it is shown. */
  catchUp(facts: readonly Fact[]): void {
    for (const fact of facts) if (fact.seq === this.chronicle.state.seq + 1) advanceChronicle(this.chronicle, fact);
  }

  take(fact: Fact): void {
    if (fact.seq === this.chronicle.state.seq + 1) advanceChronicle(this.chronicle, fact);
    if (this.#silent) return;
    if (this.mode === 'json') {
      this.#terminal.write(`${JSON.stringify(fact)}\n`);
      return;
    }
    if (this.mode === 'live') {
      const above = this.#above(fact);
      if (above !== undefined) {
        this.#tree.hide();
        this.#terminal.write(`${above}\n\n`);
      }
      if (!this.#isHeld) this.#tree.show();
      return;
    }
    const line = factLine(fact, this.chronicle);
    if (line !== undefined) this.#terminal.write(`${line}\n`);
  }

  /** What stays above the tree: it would be gone with the next drawing. */
  #above(fact: Fact): string | undefined {
    const columns = this.#terminal.columns() - 1;
    if (fact.type === 'run.opened' && fact.data.epoch > 1)
      return wrapText(resumingLine(this.chronicle), columns, '  ').join('\n');
    if (fact.type === 'question.asked' && fact.data.page !== undefined && this.#showPlan)
      return overviewText(this.chronicle, { columns });
    return undefined;
  }

  /** Something that a command has to say while the run is at work already. */
  note(text: string): void {
    const { isShown } = this.#tree;
    this.#tree.hide();
    process.stderr.write(`note: ${text}\n`);
    if (isShown) this.#tree.show();
  }

  /** While a person is asked something. */
  hide(): void {
    this.#isHeld = true;
    this.#tree.hide();
  }

  show(): void {
    this.#isHeld = false;
    if (this.mode === 'live') this.#tree.show();
  }

  finish(): void {
    this.#tree.finish();
  }

  /** `lands`: the result is landed next, where that was asked for. */
  summary({ lands = false } = {}): string {
    const run = this.chronicle.state.created?.run ?? '';
    const columns = Math.min(this.#terminal.columns(), 100);
    return summaryText(summaryOf(this.chronicle), { columns, place: this.#talk.place(run), lands });
  }

  openQuestions(): readonly string[] {
    return [...this.chronicle.state.questions].filter(([, record]) => record.answer === undefined).map(([key]) => key);
  }

  recommended(key: string): Pick<Answer, 'option'> | undefined {
    const option = this.chronicle.state.questions.get(key)?.question.options.find((one) => one.recommended)?.id;
    return option === undefined ? undefined : { option };
  }
}
