/**
 * A question of a run, answered by key: the page it is about scrolls above, the options stay in sight below, the
 * recommended one first. A plan can be changed in words or in the person's editor. If somebody else answers first, it
 * says so and goes away.
 */
import { answerQuestion } from '../../api/answer-question.ts';
import { editDraft } from '../../api/edit-draft.ts';
import { editText, openEditor } from '../../api/edit-text.ts';
import { withRemarks } from '../../api/editable-plan.ts';
import type { ListedRun } from '../../api/watch-runs.ts';
import { watchRun } from '../../api/watch-run.ts';
import { type Page, pageLines } from '../../views/page-text.ts';
import { planWish, wordsAsked } from '../../views/question-text.ts';
import { drawSpans, type Span } from '../../views/spans.ts';
import { plainLines, wrapText } from '../../views/terminal-text.ts';
import type { Key } from './key-input.ts';
import { TextInput } from './text-input.ts';
import { type Canvas, type KeyHelp, TextPlace, type View } from './view.ts';
import { messageOf, type WatchApp } from './watch-app.ts';

type OpenQuestion = ListedRun['questions'][number];

export interface AskedQuestion {
  readonly run: string;
  readonly repository: string | undefined;
  readonly question: OpenQuestion;
}

export class QuestionView implements View {
  readonly #app: WatchApp;
  readonly #asked: AskedQuestion;
  readonly #options: OpenQuestion['options'];
  readonly #place = new TextPlace();
  readonly #stop: () => void;
  #marked = 0;
  #words: TextInput | undefined;
  /** The option that the words belong to. */
  #wish: OpenQuestion['options'][number] | undefined;
  #isSending = false;
  /** What was edited before, where it could not be used. */
  #draft: string | undefined;

  constructor(app: WatchApp, asked: AskedQuestion) {
    const { run, repository, question } = asked;
    this.#app = app;
    this.#asked = asked;
    this.#options = [...question.options].sort((a, b) => Number(b.recommended) - Number(a.recommended));
    if (this.#options.length === 0) this.#words = new TextInput();
    this.#stop = app.follow(watchRun, { repository, input: { run } }, ({ questions }) => {
      const isGone = questions !== undefined && !questions.some(({ key }) => key === question.key);
      if (!isGone || this.#isSending) return;
      this.#isSending = true;
      app.back();
      app.say('Somebody has answered this already.');
    });
  }

  draw(canvas: Canvas): readonly string[] {
    const { question } = this.#asked;
    const title = wrapText(question.title, canvas.columns).map((text) => drawSpans([{ text, tone: 'bold' }], canvas));
    const below = this.#below(canvas);
    const about = this.#about(canvas.columns);
    const room = Math.max(1, canvas.rows - title.length - below.length - 1);
    const { from, to } = this.#place.window(about.length, room);
    const left = about.length - to;
    const more = left > 0 ? drawSpans([{ text: `${left} more lines: PgDn`, tone: 'dim' }], canvas) : '';
    const shown = about.slice(from, to).map((text) => drawSpans([{ text }], canvas));
    const gap = about.length > room ? [] : Array.from({ length: room - shown.length }, () => '');
    return [...title, ...shown, more, ...below, ...gap];
  }

  keys(): readonly KeyHelp[] {
    if (this.#words !== undefined)
      return [
        ['Enter', 'send'],
        ['Esc', 'back'],
      ];
    const { draft, checkout } = this.#asked.question;
    return [
      ['Enter', 'answer'],
      ['↑ ↓', 'choose'],
      ['PgDn', 'read on'],
      ...(this.#takesWords ? ([['w', 'in your own words']] as const) : []),
      ...(draft === undefined && checkout === undefined ? [] : ([['e', 'edit the plan']] as const)),
    ];
  }

  press(key: Key): boolean {
    if (this.#isSending) return true;
    if (this.#words !== undefined) return this.#type(this.#words, key);
    const { name } = key;
    const count = this.#options.length;
    const number = /^[1-9]$/.test(name) ? Number(name) - 1 : -1;
    if (name === 'up' || name === 'k') this.#marked = (this.#marked - 1 + count) % count;
    else if (name === 'down' || name === 'j') this.#marked = (this.#marked + 1) % count;
    else if (number >= 0 && number < count) this.#marked = number;
    else if (name === 'enter') this.#take();
    else if (name === 'w' && this.#takesWords) {
      const { options } = this.#asked.question;
      this.#wish = options.find(({ id }) => id === planWish);
      this.#words = new TextInput();
    } else if (name === 'e' && this.#canEdit) void this.#edit();
    else return this.#place.move(key);
    return true;
  }

  close(): void {
    this.#stop();
  }

  get #takesWords(): boolean {
    const { freeText, options, topic } = this.#asked.question;
    return (freeText && topic !== 'approval') || options.some(({ id }) => id === planWish);
  }

  #about(columns: number): string[] {
    const { question } = this.#asked;
    const detail = question.detail === '' ? [] : plainLines(question.detail).flatMap((line) => wrapText(line, columns));
    const page = question.page === undefined ? [] : pageLines(question.page as Page, columns);
    return [...page, ...(page.length > 0 && detail.length > 0 ? [''] : []), ...detail];
  }

  #below(canvas: Canvas): string[] {
    const { question } = this.#asked;
    const sent = question.answered;
    const answered =
      sent === undefined
        ? []
        : [`Answered already with ${sent.option ?? 'words'}; the run takes it up when it continues.`];
    const options = this.#options.map(({ label, recommended }, at): readonly Span[] => {
      const isMarked = at === this.#marked && this.#words === undefined;
      return [
        { text: isMarked ? (canvas.ascii ? '> ' : '❯ ') : '  ', tone: 'bold' },
        { text: `${at + 1}. ${label}`, tone: isMarked ? 'bold' : undefined },
        { text: recommended ? '  recommended' : '', tone: 'good' },
      ];
    });
    const label = this.#wish === undefined ? 'Your answer: ' : (wordsAsked(this.#wish)?.prompt ?? '');
    const words = this.#words === undefined ? [] : [this.#words.spans(label, canvas.columns)];
    const state: Span[] = this.#isSending ? [{ text: 'Sending…', tone: 'dim' }] : [];
    return [...answered.map((text): readonly Span[] => [{ text, tone: 'dim' }]), ...options, ...words, state]
      .filter((spans) => spans.length > 0)
      .map((spans) => drawSpans(spans, canvas));
  }

  #type(words: TextInput, key: Key): boolean {
    if (key.name === 'escape') {
      if (this.#options.length === 0) return false;
      this.#words = undefined;
      this.#wish = undefined;
    } else if (key.name !== 'enter') words.press(key);
    else {
      const wish = this.#wish === undefined ? {} : { option: this.#wish.id };
      const isOptional = this.#wish !== undefined && wordsAsked(this.#wish)?.isOptional === true;
      if (words.text.trim() !== '') void this.#send({ ...wish, text: words.text });
      else if (isOptional) void this.#send(wish);
      else this.#app.say('Type something first, or press Esc.');
    }
    return true;
  }

  #take(): void {
    const option = this.#options[this.#marked];
    if (option === undefined) return;
    if (wordsAsked(option) === undefined) return void this.#send({ option: option.id });
    this.#wish = option;
    this.#words = new TextInput();
  }

  async #send(answer: { readonly option?: string; readonly text?: string }): Promise<void> {
    const { run, repository, question } = this.#asked;
    this.#isSending = true;
    this.#app.redraw();
    const input = { run, question: question.key, ...answer };
    const given = await this.#app.call(answerQuestion, { repository, input });
    this.#isSending = given !== undefined;
    if (given === undefined) return;
    this.#app.back();
    this.#app.say('Answered.', 'good');
  }

  get #canEdit(): boolean {
    const { draft, checkout } = this.#asked.question;
    return draft !== undefined || checkout !== undefined;
  }

  async #edit(): Promise<void> {
    const { run, repository, question } = this.#asked;
    const { cwd, env } = this.#app.places.open(repository, 'query', new AbortController().signal);
    const before = this.#draft ?? question.draft ?? '';
    try {
      const { checkout } = question;
      if (checkout !== undefined) {
        await this.#app.screen.lend(() => openEditor(checkout.path, { cwd, env }));
        return await this.#send({ option: checkout.option });
      }
      const text = await this.#app.screen.lend(() => editText({ text: before, name: 'plan.yaml', cwd, env }));
      if (text === undefined) return this.#app.say('Nothing was changed.');
      const read = await this.#app.call(editDraft, { repository, input: { run, question: question.key, text } });
      if (read === undefined) return;
      if (read.problems.length === 0) return await this.#send({ text });
      this.#draft = withRemarks(text, read.problems);
      this.#app.say(`Press e to correct it: ${read.problems[0] ?? ''}`, 'bad');
    } catch (error) {
      this.#app.say(messageOf(error), 'bad');
    }
  }
}
