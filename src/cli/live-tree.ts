/**
 * The tree of a run on a terminal, drawn over itself: when a fact comes, and a few times a second so that time and
 * spinner move. It owns the lines below the cursor while it is shown; anything else is printed while it is hidden.
 */
import type { RunTalk } from '../api/talk-to-run.ts';
import type { Chronicle } from '../views/chronicle.ts';
import { renderTree } from '../views/render-tree.ts';
import { runView } from '../views/run-view.ts';
import { displayWidth } from '../views/terminal-text.ts';
import type { Terminal } from './terminal.ts';

const frameMs = 120;
/** What agents say need not be that fresh. */
const activityEvery = 4;

export class LiveTree {
  readonly #terminal: Terminal;
  readonly #chronicle: () => Chronicle;
  readonly #readActivity: RunTalk['activity'];
  #timer: NodeJS.Timeout | undefined;
  #frame = 0;
  /** The lines as they were drawn last: where the cursor is follows from them. */
  #drawn: readonly string[] = [];
  #activity: ReadonlyMap<string, string> = new Map();

  constructor(terminal: Terminal, source: { chronicle: () => Chronicle; activity: RunTalk['activity'] }) {
    this.#terminal = terminal;
    this.#chronicle = source.chronicle;
    this.#readActivity = source.activity;
  }

  show(): void {
    if (this.#timer !== undefined) return;
    // The cursor would flicker over the lines.
    this.#terminal.write('\u001b[?25l');
    this.#draw();
    this.#timer = setInterval(() => this.#draw(), frameMs);
    this.#timer.unref();
  }

  get isShown(): boolean {
    return this.#timer !== undefined;
  }

  /** Takes the tree away; the cursor is where it began. */
  hide(): void {
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    // Line by line: some terminals keep a whole screen that is cleared at once, and a person would scroll through it.
    const blank = '\u001b[2K\n'.repeat(this.#rows());
    this.#terminal.write(`${this.#up()}${blank}${this.#up()}\u001b[?25h`);
    this.#drawn = [];
  }

  /** Leaves the tree as it is in the end. */
  finish(): void {
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#draw();
    this.#terminal.write('\u001b[?25h');
    this.#drawn = [];
  }

  #draw(): void {
    const chronicle = this.#chronicle();
    if (chronicle.state.created === undefined) return;
    if (this.#frame % activityEvery === 0) void this.#refresh(chronicle);
    const view = runView(chronicle, { now: new Date(), activity: this.#activity });
    const { color, ascii } = this.#terminal;
    const lines = renderTree(view, {
      columns: this.#terminal.columns(),
      // One line stays for the cursor.
      rows: Math.max(1, this.#terminal.rows() - 1),
      color,
      ascii,
      frame: this.#frame,
    });
    this.#frame += 1;
    // Line by line over the old ones rather than after erasing them all: nothing flickers. A whole line is erased before
    // it is written: tmux counts the blanks that erasing a rest leaves, and breaks them when it is made narrower.
    this.#terminal.write(`${this.#up()}${lines.map((line) => `\u001b[2K${line}\n`).join('')}\u001b[J`);
    this.#drawn = lines;
  }

  /** A run that cannot be read costs what its agents say, nothing more. */
  async #refresh({ state }: Chronicle): Promise<void> {
    this.#activity = await this.#readActivity(state).catch(() => this.#activity);
  }

  #up(): string {
    const rows = this.#rows();
    return rows === 0 ? '' : `\u001b[${rows}A\r`;
  }

  /** A terminal that was made narrower since has broken lines that fitted. */
  #rows(): number {
    const columns = Math.max(1, this.#terminal.columns());
    return this.#drawn.reduce((sum, line) => sum + Math.max(1, Math.ceil(displayWidth(uncoloured(line)) / columns)), 0);
  }
}

function uncoloured(line: string): string {
  // oxlint-disable-next-line no-control-regex
  return line.replaceAll(/\u001b\[[0-9;]*m/g, '');
}
