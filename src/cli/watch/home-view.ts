/** Home on a terminal: what needs a person, what is running, what is over. Enter opens a run, and a question is one key away. */
import { groupRuns } from '../../api/group-runs.ts';
import { type ListedRun, watchRuns } from '../../api/watch-runs.ts';
import { clockTime, moneyText } from '../../views/figures.ts';
import { drawSides, drawSpans, type Span } from '../../views/spans.ts';
import { agoText } from '../print.ts';
import { ActionsView } from './actions-view.ts';
import type { Key } from './key-input.ts';
import { QuestionView } from './question-view.ts';
import { RunView } from './run-view.ts';
import { statusLook } from './status-look.ts';
import { TextInput } from './text-input.ts';
import { type Canvas, type KeyHelp, ListPlace, type View } from './view.ts';
import type { WatchApp } from './watch-app.ts';

type Row =
  | { readonly type: 'head'; readonly text: string }
  | { readonly type: 'run'; readonly run: ListedRun }
  /** More about the run above. */
  | { readonly type: 'line'; readonly run: ListedRun; readonly spans: readonly Span[] };

export class HomeView implements View {
  readonly #app: WatchApp;
  readonly #all: boolean;
  readonly #place = new ListPlace();
  readonly #stop: () => void;
  readonly #runs = new Map<string, ListedRun>();
  #isLoaded = false;
  #marked: ListedRun | undefined;
  /** In the order of the last drawing: several keys can come before the next. */
  #listed: readonly ListedRun[] = [];
  #search: TextInput | undefined;
  #wanted = '';
  /** What each row of the screen shows, for clicks. */
  #onScreen: readonly (ListedRun | undefined)[] = [];

  constructor(app: WatchApp, { all }: { readonly all: boolean }) {
    this.#app = app;
    this.#all = all;
    this.#stop = app.follow(watchRuns, { repository: undefined, input: { all } }, ({ isWhole, runs, removed }) => {
      if (isWhole) this.#runs.clear();
      for (const id of removed) this.#runs.delete(id);
      for (const run of runs) this.#runs.set(run.id, run);
      this.#isLoaded = true;
    });
  }

  draw(canvas: Canvas): readonly string[] {
    const { needing, going, over } = groupRuns(this.#fitting(), canvas.now);
    const chosen = [...needing, ...going, ...over];
    // The mark stays with its run while others come and go.
    const at = chosen.findIndex(({ id }) => id === this.#marked?.id);
    if (at !== -1) this.#place.marked = at;
    this.#place.window(chosen.length, chosen.length);
    this.#marked = chosen[this.#place.marked];
    this.#listed = chosen;
    const rows = [
      ...this.#section(`Needs you (${needing.length})`, needing, canvas),
      ...this.#section(`Going on (${going.length})`, going, canvas),
      ...this.#section(`Finished (${over.length})`, over, canvas),
    ];
    const head = this.#head(canvas, needing.length);
    const room = canvas.rows - head.length;
    const markedRow = rows.findIndex((row) => row.type === 'run' && row.run.id === this.#marked?.id);
    const top = Math.max(0, Math.min(markedRow - Math.floor(room / 2), rows.length - room));
    const shown = rows.slice(top, top + room);
    this.#onScreen = [...head.map(() => undefined), ...shown.map((row) => (row.type === 'head' ? undefined : row.run))];
    if (chosen.length === 0) return [...head, ...this.#emptyLines(canvas)];
    return [...head, ...shown.map((row) => this.#line(row, canvas))];
  }

  keys(): readonly KeyHelp[] {
    if (this.#search !== undefined)
      return [
        ['Enter', 'search'],
        ['Esc', 'forget it'],
      ];
    const asks = (this.#marked?.questions.length ?? 0) > 0;
    return [['Enter', 'open'], ...(asks ? ([['a', 'answer']] as const) : []), ['x', 'act on it'], ['/', 'search']];
  }

  press(key: Key): boolean {
    if (this.#search !== undefined) return this.#type(this.#search, key);
    if (key.name === 'click') {
      const run = this.#onScreen[key.row ?? -1];
      if (run !== undefined && run.id === this.#marked?.id) this.#open(run);
      this.#marked = run ?? this.#marked;
      return true;
    }
    if (this.#place.move(key)) {
      this.#marked = this.#listed[this.#place.marked];
      return true;
    }
    if (key.name === '/') this.#search = new TextInput(this.#wanted);
    else if (key.name === 'escape' && this.#wanted !== '') this.#wanted = '';
    else if (this.#marked === undefined) return false;
    else if (key.name === 'enter' || key.name === 'right' || key.name === 'l') this.#open(this.#marked);
    else if (key.name === 'a') this.#answer(this.#marked);
    else if (key.name === 'x')
      this.#app.open(new ActionsView(this.#app, this.#marked.line.run, repositoryOf(this.#marked)));
    else return false;
    return true;
  }

  close(): void {
    this.#stop();
  }

  #open(run: ListedRun): void {
    this.#app.open(new RunView(this.#app, { run: run.line.run, repository: repositoryOf(run) }));
  }

  #answer(run: ListedRun): void {
    const [question] = run.questions;
    if (question === undefined) this.#app.say('This run asks nothing.');
    else this.#app.open(new QuestionView(this.#app, { run: run.line.run, repository: repositoryOf(run), question }));
  }

  #type(input: TextInput, key: Key): boolean {
    if (key.name === 'escape') this.#wanted = '';
    if (key.name === 'escape' || key.name === 'enter') this.#search = undefined;
    else {
      input.press(key);
      this.#wanted = input.text;
    }
    return true;
  }

  #fitting(): ListedRun[] {
    const wanted = this.#wanted.toLowerCase();
    return [...this.#runs.values()].filter(({ line, repository }) =>
      `${line.title} ${line.run} ${line.workflow} ${line.status} ${repository.name}`.toLowerCase().includes(wanted),
    );
  }

  #head(canvas: Canvas, needing: number): string[] {
    const name = [...this.#runs.values()][0]?.repository.name ?? '';
    const needs: Span =
      needing > 0 ? { text: `${needing} ${needing === 1 ? 'needs' : 'need'} you`, tone: 'warn' } : { text: '' };
    const left: Span[] = [
      { text: 'Forge', tone: 'bold' },
      { text: `  ${this.#all ? 'all repositories' : name}`, tone: 'dim' },
    ];
    const search =
      this.#search?.spans('Search: ') ?? (this.#wanted === '' ? [] : [{ text: `Search: ${this.#wanted}` }]);
    return [drawSides(left, [needs], canvas), ...(search.length === 0 ? [] : [drawSpans(search, canvas)])];
  }

  #emptyLines(canvas: Canvas): string[] {
    const texts = this.#isLoaded
      ? this.#runs.size > 0
        ? ['No run fits. Press / to search for something else, Esc to see all.']
        : ['There are no runs yet.', 'Start one: forge run "what should be built"']
      : ['Loading…'];
    return ['', ...texts.map((text) => drawSpans([{ text: `  ${text}`, tone: 'dim' }], canvas))];
  }

  #section(title: string, runs: readonly ListedRun[], canvas: Canvas): Row[] {
    if (runs.length === 0) return [];
    return [
      { type: 'head', text: title },
      ...runs.flatMap((run): Row[] => [
        { type: 'run', run },
        ...moreAbout(run, canvas).map((spans): Row => ({ type: 'line', run, spans })),
      ]),
    ];
  }

  #line(row: Row, canvas: Canvas): string {
    if (row.type === 'head') return drawSpans([{ text: row.text, tone: 'bold' }], canvas);
    if (row.type === 'line') return drawSpans([{ text: '    ' }, ...row.spans], canvas);
    const { line, repository, questions, page } = row.run;
    const { sign, tone, word } = statusLook(questions.length > 0 ? 'asks' : line.status, canvas);
    const isMarked = row.run.id === this.#marked?.id;
    const pointer = isMarked ? (canvas.ascii ? '> ' : '❯ ') : '  ';
    const cost = line.usage.costUsd > 0 ? `${moneyText(line.usage.costUsd)}  ` : '';
    const worked =
      page?.isLive === true
        ? clockTime(page.workedMs + canvas.now - Date.parse(page.updatedAt))
        : agoText(line.updatedAt, canvas.now);
    const where = canvas.columns < 70 ? '' : `  ${this.#all ? `${repository.name} · ` : ''}${line.workflow}`;
    return drawSides(
      [
        { text: pointer, tone: 'bold' },
        { text: `${sign} `, tone },
        { text: line.title || line.run, tone: isMarked ? 'bold' : undefined },
        { text: `  ${word}`, tone },
        { text: where, tone: 'dim' },
      ],
      [{ text: canvas.columns < 50 ? worked : `${cost}${worked}`, tone: 'dim' }],
      canvas,
    );
  }
}

function repositoryOf({ repository }: ListedRun): string | undefined {
  return repository.id === '' ? undefined : repository.id;
}

/** Of a run that needs somebody: why. Of one at work: how far it is, and who does what. */
function moreAbout({ line, questions, page }: ListedRun, canvas: Canvas): (readonly Span[])[] {
  const asked = questions.map(({ title }): readonly Span[] => [{ text: title, tone: 'warn' }]);
  if (asked.length > 0) return asked;
  if (page?.isLive === true) {
    const { done, total } = page.progress;
    const budget = page.budget.text === '' ? '' : `, limit ${page.budget.text}`;
    const far: Span = { text: total === 0 ? 'starting' : `${done} of ${total} done${budget}`, tone: 'dim' };
    const doing = page.doing
      .slice(0, 3)
      .map(({ who, where, says }): readonly Span[] => [
        { text: who, tone: 'busy' },
        { text: canvas.columns < 60 || where === '' ? '' : ` ${where}`, tone: 'dim' },
        { text: says === '' ? '' : `  ${says}` },
      ]);
    return [[far], ...doing];
  }
  return ['done', 'cancelled'].includes(line.status) || line.reason === ''
    ? []
    : [[{ text: line.reason, tone: 'dim' }]];
}
