/**
 * One run on a terminal: its head, what it asks, and its steps, transcripts or changes. On a wide terminal the transcript
 * of the marked step stands beside the tree; on a narrow one each has the whole width.
 */
import { inspectRun } from '../../api/inspect-run.ts';
import type { OpenQuestion } from '../../api/open-questions.ts';
import { readCheck } from '../../api/read-check.ts';
import { watchRun } from '../../api/watch-run.ts';
import { clockTime, moneyText, tokensText } from '../../views/figures.ts';
import type { RunPage } from '../../views/run-page.ts';
import { joinColumns, drawSides, drawSpans, type Span } from '../../views/spans.ts';
import { ActionsView } from './actions-view.ts';
import { ChangesPanel } from './changes-panel.ts';
import type { Key } from './key-input.ts';
import { QuestionView } from './question-view.ts';
import { statusLook } from './status-look.ts';
import { StepsPanel } from './steps-panel.ts';
import { TextView } from './text-view.ts';
import { TranscriptPanel } from './transcript-panel.ts';
import type { Canvas, KeyHelp, View } from './view.ts';
import type { WatchApp } from './watch-app.ts';

const panels = ['Steps', 'Transcript', 'Changes'] as const;
type PanelName = (typeof panels)[number];

/** From here on there is room for two things beside each other. */
const wide = 110;
const detailsEveryMs = 1000;

export class RunView implements View {
  readonly #app: WatchApp;
  readonly #run: { readonly run: string; readonly repository: string | undefined };
  readonly #steps = new StepsPanel();
  readonly #transcript: TranscriptPanel;
  readonly #changes: ChangesPanel;
  readonly #stop: () => void;
  #panel: PanelName = 'Steps';
  #page: RunPage | undefined;
  #questions: readonly OpenQuestion[] = [];
  #isWide = false;
  #details = { seq: -1, at: 0, isAsked: false };

  constructor(app: WatchApp, run: { readonly run: string; readonly repository: string | undefined }) {
    this.#app = app;
    this.#run = run;
    this.#transcript = new TranscriptPanel(app, run);
    this.#changes = new ChangesPanel(app, run);
    this.#stop = app.follow(watchRun, { repository: run.repository, input: { run: run.run } }, (change) => {
      this.#page = change.page ?? this.#page;
      this.#questions = change.questions ?? this.#questions;
      this.#steps.change(change);
    });
  }

  draw(canvas: Canvas): readonly string[] {
    const page = this.#page;
    if (page === undefined) return [drawSpans([{ text: 'Loading…', tone: 'dim' }], canvas)];
    this.#isWide = canvas.columns >= wide;
    const head = this.#head(page, canvas);
    const room = { ...canvas, rows: Math.max(1, canvas.rows - head.length) };
    if (this.#panel !== 'Changes') void this.#loadDetails(page, canvas.now);
    return [...head, ...this.#body(page, room)];
  }

  keys(): readonly KeyHelp[] {
    return [
      ...(this.#questions.length > 0 ? ([['a', 'answer']] as const) : []),
      ...this.#current.keys(),
      ['Tab', 'next view'],
      ['x', 'act on it'],
    ];
  }

  press(key: Key): boolean {
    const { name } = key;
    const number = /^[1-3]$/.test(name) ? Number(name) - 1 : -1;
    const at = panels.indexOf(this.#panel);
    if (number >= 0) this.#panel = panels[number] ?? this.#panel;
    else if (name === 'tab') this.#panel = panels[(at + 1) % panels.length] ?? this.#panel;
    else if (name === 'back-tab') this.#panel = panels[(at + panels.length - 1) % panels.length] ?? this.#panel;
    else if (name === 'a' && this.#questions.length > 0) this.#answer();
    else if (name === 'x') this.#app.open(new ActionsView(this.#app, this.#run.run, this.#run.repository));
    else if (this.#panel === 'Steps' && name === 'enter') this.#lookInto();
    else if (this.#panel === 'Steps' && name === 'd') this.#showChanges();
    else {
      const isTaken = this.#current.press(key);
      // Beside the tree, the transcript shows what is marked.
      if (isTaken && this.#panel === 'Steps' && this.#isWide) this.#transcript.choose(this.#markedKeys());
      return isTaken || (this.#panel === 'Steps' && this.#isWide && this.#transcript.press(key));
    }
    return true;
  }

  close(): void {
    this.#stop();
    this.#transcript.close();
  }

  get #current(): View {
    return { Steps: this.#steps, Transcript: this.#transcript, Changes: this.#changes }[this.#panel];
  }

  #body(page: RunPage, canvas: Canvas): readonly string[] {
    if (this.#panel === 'Changes') {
      this.#changes.refresh(page.result ?? '');
      return this.#changes.draw(canvas);
    }
    if (this.#panel === 'Transcript') return this.#transcript.draw(canvas);
    if (!this.#isWide) return this.#steps.draw(canvas);
    const leftColumns = Math.floor(canvas.columns / 2) - 2;
    const left = this.#steps.draw({ ...canvas, columns: leftColumns });
    const right = this.#transcript.draw({ ...canvas, columns: canvas.columns - leftColumns - 3 });
    const filled = Array.from({ length: canvas.rows }, (_, at) => left[at] ?? '');
    return joinColumns(filled, right, { ...canvas, leftColumns });
  }

  #head(page: RunPage, canvas: Canvas): string[] {
    const { sign, tone, word } = statusLook(this.#questions.length > 0 ? 'asks' : page.status, canvas);
    const worked = page.workedMs + (page.isLive ? Math.max(0, canvas.now - Date.parse(page.updatedAt)) : 0);
    const { usd } = page.budget.limit;
    const facts = [
      page.progress.total === 0 ? '' : `${page.progress.done} of ${page.progress.total} done`,
      page.progress.failed > 0 ? `${page.progress.failed} failed` : '',
      `${usedText(page.usage)}${usd === undefined ? '' : ` of ${moneyText(usd)}`}`,
      page.expectedEnd === undefined ? '' : endText(Date.parse(page.expectedEnd) - canvas.now),
      page.branch ?? '',
    ].filter(Boolean);
    const tabs = panels.flatMap((name, at): Span[] => [
      {
        text: !canvas.color && name === this.#panel ? `[${name}]` : `${at + 1} ${name}`,
        tone: name === this.#panel ? 'marked' : 'dim',
      },
      { text: '  ' },
    ]);
    const asked = this.#questions.map(({ title }): Span[] => [
      { text: '? ', tone: 'warn' },
      { text: title, tone: 'warn' },
      { text: '  press a', tone: 'dim' },
    ]);
    const { standing } = page;
    const stands =
      standing === undefined
        ? []
        : [[{ text: standing.text, tone: standing.isBad ? ('bad' as const) : ('dim' as const) }]];
    const reason =
      ['done', 'waiting'].includes(page.status) || page.reason === ''
        ? []
        : [[{ text: page.reason, tone: 'dim' as const }]];
    return [
      drawSides(
        [
          { text: `${sign} `, tone },
          { text: page.title, tone: 'bold' },
          { text: `  ${word}`, tone },
        ],
        [{ text: clockTime(worked), tone: 'dim' }],
        canvas,
      ),
      drawSpans([{ text: facts.join(' · ') || page.workflow, tone: 'dim' }], canvas),
      ...[...stands, ...reason, ...asked].map((spans) => drawSpans(spans, canvas)),
      drawSpans(tabs, canvas),
    ];
  }

  #answer(): void {
    const [question] = this.#questions;
    if (question !== undefined) this.#app.open(new QuestionView(this.#app, { ...this.#run, question }));
  }

  /** What the marked step stands for, and everything below it. */
  #markedKeys(): string[] {
    const { marked, nodes } = this.#steps;
    if (marked === undefined) return [];
    const inside = new Set([marked.path]);
    // Parents come before their children.
    for (const node of nodes.values()) if (inside.has(node.parent)) inside.add(node.path);
    return [...inside].flatMap((path) => {
      const node = nodes.get(path);
      return node === undefined ? [] : [node.id, ...(node.links ?? [])];
    });
  }

  #lookInto(): void {
    const { marked } = this.#steps;
    if (marked?.kind === 'check') void this.#showCheck([marked.id, ...(marked.links ?? [])]);
    else if (this.#transcript.choose(this.#markedKeys())) this.#panel = 'Transcript';
    else this.#app.say('No agent has worked on this.');
  }

  async #showCheck(keys: readonly string[]): Promise<void> {
    const { run, repository } = this.#run;
    for (const key of keys) {
      const read = await this.#app.call(readCheck, { repository, input: { run, key } });
      if (read === undefined || read.logs.length === 0) continue;
      const lines = read.logs.flatMap(({ name, text, isCut }): (readonly Span[])[] => [
        [{ text: name, tone: 'bold' }],
        ...(isCut ? [[{ text: 'Only its end:', tone: 'dim' as const }]] : []),
        ...text.split('\n').map((line) => [{ text: line }]),
      ]);
      this.#app.open(new TextView({ title: [{ text: `What ${key} printed`, tone: 'bold' }], lines }));
      return;
    }
    this.#app.say('This check printed nothing.');
  }

  #showChanges(): void {
    const { marked, nodes } = this.#steps;
    let node = marked;
    while (node !== undefined && node.type !== 'task') node = nodes.get(node.parent);
    this.#changes.show(node?.id);
    this.#panel = 'Changes';
  }

  async #loadDetails({ seq }: RunPage, now: number): Promise<void> {
    if (this.#details.isAsked || this.#details.seq === seq || now - this.#details.at < detailsEveryMs) return;
    this.#details = { seq, at: now, isAsked: true };
    const details = await this.#app.call(inspectRun, {
      repository: this.#run.repository,
      input: { run: this.#run.run },
    });
    this.#details = { ...this.#details, isAsked: false };
    if (details !== undefined) this.#transcript.setSessions(details.sessions);
  }
}

function usedText({ costUsd, inputTokens, outputTokens }: RunPage['usage']): string {
  return costUsd > 0 ? moneyText(costUsd) : `${tokensText(inputTokens + outputTokens)} tokens`;
}

function endText(leftMs: number): string {
  return leftMs < 0 ? 'ends later than expected' : `ends in ${clockTime(leftMs)}`;
}
