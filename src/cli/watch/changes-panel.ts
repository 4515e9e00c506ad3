/** What a run or one of its tasks changed: the files with their counts; Enter shows one, and `o` gives all to the pager. */
import { diffFile, diffRun, showRanges } from '../../api/diff-run.ts';
import { drawSides, drawSpans, type Span } from '../../views/spans.ts';
import type { Key } from './key-input.ts';
import { patchLines, type TextPage, TextView } from './text-view.ts';
import { type Canvas, type KeyHelp, ListPlace, type View } from './view.ts';
import { messageOf, type WatchApp } from './watch-app.ts';

interface Changes {
  readonly merged: boolean;
  readonly ranges: readonly { readonly from: string; readonly to: string }[];
  readonly files: readonly {
    readonly path: string;
    readonly status: string;
    readonly added?: number | undefined;
    readonly removed?: number | undefined;
  }[];
}

export interface ChangesWish {
  readonly run: string;
  readonly repository: string | undefined;
}

export class ChangesPanel implements View {
  readonly #app: WatchApp;
  readonly #wish: ChangesWish;
  readonly #place = new ListPlace();
  #task: string | undefined;
  #changes: Changes | undefined;
  #problem = '';
  #version = '';

  constructor(app: WatchApp, wish: ChangesWish) {
    this.#app = app;
    this.#wish = wish;
  }

  /** Of one task, or of the whole run. */
  show(task: string | undefined): void {
    this.#task = task;
    this.#changes = undefined;
    this.#version = '';
    this.#place.marked = 0;
  }

  /** Asks again when the run has gone on. */
  refresh(version: string): void {
    if (this.#version === version) return;
    this.#version = version;
    void this.#load();
  }

  draw(canvas: Canvas): readonly string[] {
    const what = this.#task === undefined ? 'The whole result' : `Task ${this.#task}`;
    if (this.#changes === undefined) {
      const text = this.#problem === '' ? 'Loading…' : this.#problem;
      return [drawSpans([{ text: what, tone: 'bold' }], canvas), drawSpans([{ text, tone: 'dim' }], canvas)];
    }
    const { files, merged } = this.#changes;
    const count = `${files.length} ${files.length === 1 ? 'file' : 'files'}${merged ? '' : ', not merged yet'}`;
    const head = drawSides([{ text: what, tone: 'bold' }], [{ text: count, tone: 'dim' }], canvas);
    const { from, to } = this.#place.window(files.length, canvas.rows - 1);
    const rows = files.slice(from, to).map(({ path, status, added, removed }, at) => {
      const isMarked = from + at === this.#place.marked;
      const counts: Span[] =
        added === undefined && removed === undefined
          ? [{ text: 'not text', tone: 'dim' }]
          : [
              { text: `+${added ?? 0}`, tone: 'good' },
              { text: ` -${removed ?? 0}`, tone: 'bad' },
            ];
      return drawSides(
        [
          { text: isMarked ? (canvas.ascii ? '> ' : '❯ ') : '  ', tone: 'bold' },
          { text: path, tone: isMarked ? 'bold' : undefined },
          { text: `  ${status}`, tone: 'dim' },
        ],
        counts,
        canvas,
      );
    });
    return [head, ...rows];
  }

  keys(): readonly KeyHelp[] {
    return [
      ['Enter', 'read the file'],
      ['o', 'all of it in your pager'],
      ...(this.#task === undefined ? [] : ([['w', 'the whole result']] as const)),
    ];
  }

  press(key: Key): boolean {
    if (this.#place.move(key)) return true;
    if (key.name === 'enter' || key.name === 'right') void this.#open();
    else if (key.name === 'o') void this.#pager();
    else if (key.name === 'w' && this.#task !== undefined) this.show(undefined);
    else return false;
    return true;
  }

  close(): void {}

  async #load(): Promise<void> {
    const { run, repository } = this.#wish;
    const task = this.#task;
    try {
      const context = this.#app.places.open(repository, 'query', new AbortController().signal);
      const changes = await diffRun.run(context, { run, text: 'none', ...(task === undefined ? {} : { task }) });
      if (task === this.#task) this.#changes = changes;
      this.#problem = '';
    } catch (error) {
      // A run that has merged nothing is not a failure.
      this.#problem = messageOf(error);
    }
    this.#app.redraw();
  }

  async #open(): Promise<void> {
    const page = await this.#page();
    if (page === undefined) return;
    const view = new TextView(page, {
      turn: (step) => {
        const count = this.#changes?.files.length ?? 0;
        this.#place.marked = Math.min(Math.max(0, this.#place.marked + step), Math.max(0, count - 1));
        void this.#page().then((next) => {
          if (next !== undefined) view.show(next);
          this.#app.redraw();
        });
      },
    });
    this.#app.open(view);
  }

  async #page(): Promise<TextPage | undefined> {
    const file = this.#changes?.files[this.#place.marked];
    if (file === undefined) return undefined;
    const { run, repository } = this.#wish;
    const input = { run, path: file.path, ...(this.#task === undefined ? {} : { task: this.#task }) };
    const read = await this.#app.call(diffFile, { repository, input });
    if (read === undefined) return undefined;
    const count = `  ${this.#place.marked + 1}/${this.#changes?.files.length ?? 0}`;
    const cut: (readonly Span[])[] =
      read.cutFrom === undefined
        ? []
        : [[{ text: `Only the beginning: the whole has ${read.cutFrom} bytes.`, tone: 'warn' }]];
    const title: Span[] = [
      { text: file.path, tone: 'bold' },
      { text: count, tone: 'dim' },
    ];
    return { title, lines: [...patchLines(read.text), ...cut] };
  }

  async #pager(): Promise<void> {
    const { ranges = [] } = this.#changes ?? {};
    const context = this.#app.places.open(this.#wish.repository, 'query', new AbortController().signal);
    const page = { color: (process.env['NO_COLOR'] ?? '') === '' };
    try {
      await this.#app.screen.lend(() => showRanges(context, ranges, { stat: false, page, write: () => undefined }));
    } catch (error) {
      this.#app.say(messageOf(error), 'bad');
    }
    this.#app.redraw();
  }
}
