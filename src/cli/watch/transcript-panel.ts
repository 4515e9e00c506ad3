/**
 * What one agent says and does, followed while it works, and the others one key away. The end is read first; what was
 * before comes when a person scrolls there, so a transcript of any length opens at once.
 */
import type { RunDetails } from '../../api/inspect-run.ts';
import { readTranscript } from '../../api/read-lines.ts';
import { watchTranscript } from '../../api/watch-transcript.ts';
import { drawSides, drawSpans, type Span } from '../../views/spans.ts';
import { spendText } from '../../views/figures.ts';
import { sessionToShow } from '../../views/session-to-show.ts';
import type { Key } from './key-input.ts';
import { statusLook } from './status-look.ts';
import { entryLines } from './transcript-lines.ts';
import { type Canvas, type KeyHelp, TextPlace, type View } from './view.ts';
import type { WatchApp } from './watch-app.ts';

type Session = RunDetails['sessions'][number];

const pageSize = 200;

export class TranscriptPanel implements View {
  readonly #app: WatchApp;
  readonly #run: { readonly run: string; readonly repository: string | undefined };
  readonly #place = new TextPlace();
  #sessions: readonly Session[] = [];
  #key: string | undefined;
  /** The person chose it. */
  #isChosen = false;
  #stop: (() => void) | undefined;
  #entries: string[] = [];
  /** The number of the first entry that is here. */
  #first = 1;
  #total = 0;
  #isReading = false;
  #isLong = false;
  #drawn:
    | { readonly wish: string; readonly lines: (readonly Span[])[]; readonly entries: number; readonly first: number }
    | undefined;

  constructor(app: WatchApp, run: { readonly run: string; readonly repository: string | undefined }) {
    this.#app = app;
    this.#run = run;
    this.#place.isAtEnd = true;
  }

  setSessions(sessions: readonly Session[]): void {
    this.#sessions = sessions;
    const isStill = sessions.some(({ key, status }) => key === this.#key && status === 'running');
    if (!this.#isChosen && !isStill) this.#follow(sessionToShow(sessions)?.key);
  }

  /** The session that stands for some keys, the last one of them. */
  choose(keys: readonly string[]): boolean {
    const found = this.#sessions.findLast(({ key }) => keys.includes(key));
    if (found === undefined) return false;
    this.#isChosen = true;
    this.#follow(found.key);
    return true;
  }

  draw(canvas: Canvas): readonly string[] {
    const session = this.#sessions.find(({ key }) => key === this.#key);
    if (session === undefined) {
      return [drawSpans([{ text: 'No agent has worked yet. What agents say appears here.', tone: 'dim' }], canvas)];
    }
    const lines = this.#lines(canvas.columns);
    const { from, to } = this.#place.window(lines.length, canvas.rows - 1);
    if (from === 0 && this.#first > 1) void this.#readEarlier(canvas.columns);
    const shown = lines.slice(from, to).map((spans) => drawSpans(spans, canvas));
    if (this.#total === 0) {
      const text = session.status === 'running' ? 'It has said nothing yet.' : 'It said nothing.';
      shown.push(drawSpans([{ text, tone: 'dim' }], canvas));
    }
    return [this.#head(session, canvas), ...shown];
  }

  keys(): readonly KeyHelp[] {
    return [
      ['[ ]', 'other agents'],
      ['f', 'follow'],
      ['o', this.#isLong ? 'outputs in short' : 'outputs in full'],
    ];
  }

  press(key: Key): boolean {
    const { name } = key;
    if (name === 'f') this.#place.isAtEnd = true;
    else if (name === 'o') this.#isLong = !this.#isLong;
    else if (name === ']' || name === 'right') this.#turn(1);
    else if (name === '[' || name === 'left') this.#turn(-1);
    else return this.#place.move(key);
    return true;
  }

  close(): void {
    this.#stop?.();
  }

  #head({ role, owner, agent, status, usage, key }: Session, canvas: Canvas): string {
    const { sign, tone } = statusLook(status, canvas);
    const at = this.#sessions.findIndex((one) => one.key === key);
    const left: Span[] = [
      { text: `${sign} `, tone },
      { text: role, tone: 'bold' },
      { text: ` ${owner}  ${agent}`, tone: 'dim' },
    ];
    const used = canvas.columns < 70 || usage === undefined ? '' : `${spendText(usage)}  `;
    const follows = status === 'running' && this.#place.isAtEnd ? 'following  ' : '';
    return drawSides(left, [{ text: `${follows}${used}${at + 1}/${this.#sessions.length}`, tone: 'dim' }], canvas);
  }

  #turn(step: -1 | 1): void {
    const at = this.#sessions.findIndex(({ key }) => key === this.#key);
    const next = this.#sessions[at + step];
    if (next === undefined)
      return this.#app.say(step === 1 ? 'This is the newest session.' : 'This is the first session.');
    this.#isChosen = true;
    this.#follow(next.key);
  }

  #follow(key: string | undefined): void {
    if (key === this.#key) return;
    this.#stop?.();
    this.#key = key;
    this.#entries = [];
    this.#first = 1;
    this.#total = 0;
    this.#drawn = undefined;
    this.#place.isAtEnd = true;
    if (key === undefined) return;
    const { run, repository } = this.#run;
    this.#stop = this.#app.follow(watchTranscript, { repository, input: { run, key } }, ({ total }) => {
      this.#total = total;
      void this.#readOn();
    });
  }

  async #readOn(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    const key = this.#key;
    try {
      if (this.#entries.length === 0) this.#first = Math.max(1, this.#total - pageSize + 1);
      for (;;) {
        const from = this.#first + this.#entries.length;
        if (from > this.#total || key !== this.#key) break;
        const lines = await this.#page(from, pageSize);
        if (lines.length === 0 || key !== this.#key) break;
        this.#entries.push(...lines);
      }
    } finally {
      this.#isReading = false;
      // Another session was chosen meanwhile.
      if (key !== this.#key && this.#total > 0) void this.#readOn();
    }
  }

  async #readEarlier(columns: number): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    const key = this.#key;
    const from = Math.max(1, this.#first - pageSize);
    const lines = await this.#page(from, this.#first - from);
    this.#isReading = false;
    if (key !== this.#key || lines.length === 0) return;
    const before = this.#lines(columns).length;
    this.#entries = [...lines, ...this.#entries];
    this.#first = from;
    // What a person looks at stays where it is.
    this.#place.top += this.#lines(columns).length - before;
    this.#app.redraw();
  }

  async #page(from: number, count: number): Promise<readonly string[]> {
    const { run, repository } = this.#run;
    const page = await this.#app.call(readTranscript, { repository, input: { run, key: this.#key, from, count } });
    return page?.lines.map(({ text }) => text) ?? [];
  }

  /** Drawn entries are kept; only new ones are drawn. */
  #lines(columns: number): (readonly Span[])[] {
    const wish = `${columns} ${this.#isLong}`;
    const kept = this.#drawn;
    const isSame = kept !== undefined && kept.wish === wish && kept.first === this.#first;
    const lines = isSame ? kept.lines : [];
    for (const entry of this.#entries.slice(isSame ? kept.entries : 0)) {
      lines.push(...entryLines(entry, { columns, isLong: this.#isLong }));
    }
    this.#drawn = { wish, lines, entries: this.#entries.length, first: this.#first };
    return lines;
  }
}
