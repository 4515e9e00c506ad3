/**
 * The tree of a run on a terminal, drawn over itself: when a fact comes, and a few times a second so that time and
 * spinner move. It owns the lines below the cursor while it is shown; anything else is printed while it is hidden.
 */
import { agentActivity } from '../api/agent-activity.ts';
import type { Chronicle } from '../views/chronicle.ts';
import { renderTree } from '../views/render-tree.ts';
import { runView } from '../views/run-view.ts';
import type { Terminal } from './terminal.ts';

const frameMs = 120;
/** What agents say is read from files, and need not be that fresh. */
const activityEvery = 4;

export class LiveTree {
  readonly #terminal: Terminal;
  readonly #chronicle: () => Chronicle;
  readonly #directory: () => string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #frame = 0;
  #drawn = 0;
  #activity: ReadonlyMap<string, string> = new Map();

  constructor(terminal: Terminal, source: { chronicle: () => Chronicle; directory: () => string | undefined }) {
    this.#terminal = terminal;
    this.#chronicle = source.chronicle;
    this.#directory = source.directory;
  }

  show(): void {
    if (this.#timer !== undefined) return;
    // The cursor would flicker over the lines.
    this.#terminal.write('\u001b[?25l');
    this.#draw();
    this.#timer = setInterval(() => this.#draw(), frameMs);
    this.#timer.unref();
  }

  /** Takes the tree away; the cursor is where it began. */
  hide(): void {
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#terminal.write(`${this.#erase()}\u001b[?25h`);
    this.#drawn = 0;
  }

  /** Leaves the tree as it is in the end. */
  finish(): void {
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#draw();
    this.#terminal.write('\u001b[?25h');
    this.#drawn = 0;
  }

  #draw(): void {
    const chronicle = this.#chronicle();
    if (chronicle.state.created === undefined) return;
    const directory = this.#directory();
    if (directory !== undefined && this.#frame % activityEvery === 0)
      this.#activity = agentActivity(directory, chronicle.state);
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
    this.#terminal.write(`${this.#erase()}${lines.join('\n')}\n`);
    this.#drawn = lines.length;
  }

  #erase(): string {
    return this.#drawn === 0 ? '' : `\u001b[${this.#drawn}A\r\u001b[J`;
  }
}
