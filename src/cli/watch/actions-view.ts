/**
 * What can be done with a run now. Each action says what it will do before it does it, and what cannot be taken back asks
 * twice. The same list, sentences and fields as in the dashboard.
 */
import { loadOperation } from '../../api/registry.ts';
import { type RunAction, runActions } from '../../api/run-actions.ts';
import { drawSpans, type Span } from '../../views/spans.ts';
import { wrapText } from '../../views/terminal-text.ts';
import type { Key } from './key-input.ts';
import { TextInput } from './text-input.ts';
import { type Canvas, type KeyHelp, ListPlace, type View } from './view.ts';
import type { WatchApp } from './watch-app.ts';

export class ActionsView implements View {
  readonly #app: WatchApp;
  readonly #run: string;
  readonly #repository: string | undefined;
  readonly #place = new ListPlace();
  #actions: readonly RunAction[] | undefined;
  #isBusy = false;
  /** Enter was pressed on something final: y goes on. */
  #isAsked = false;
  #values: Readonly<Record<string, string>> = {};
  #input: { readonly name: string; readonly text: TextInput } | undefined;

  constructor(app: WatchApp, run: string, repository: string | undefined) {
    this.#app = app;
    this.#run = run;
    this.#repository = repository;
    void this.#load();
  }

  draw(canvas: Canvas): readonly string[] {
    const head = drawSpans([{ text: 'What would you like to do with ' }, { text: this.#run, tone: 'bold' }], canvas);
    if (this.#actions === undefined) return [head, '', drawSpans([{ text: 'Loading…', tone: 'dim' }], canvas)];
    if (this.#actions.length === 0) return [head, '', drawSpans([{ text: 'There is nothing to do now.' }], canvas)];
    this.#place.window(this.#actions.length, this.#actions.length);
    return [head, '', ...this.#actions.flatMap((action, at) => this.#lines(action, at === this.#place.marked, canvas))];
  }

  keys(): readonly KeyHelp[] {
    if (this.#input !== undefined)
      return [
        ['Enter', 'keep'],
        ['Esc', 'forget it'],
      ];
    if (this.#isAsked)
      return [
        ['y', 'yes, do it'],
        ['any other key', 'do nothing'],
      ];
    const field = this.#chosen?.fields[0];
    return [
      ['Enter', 'do it'],
      ['↑ ↓', 'choose'],
      ...(field === undefined ? [] : ([['e', `change ${field.label.toLowerCase()}`]] as const)),
    ];
  }

  press(key: Key): boolean {
    if (this.#isBusy) return true;
    if (this.#input !== undefined) return this.#type(this.#input, key);
    const action = this.#chosen;
    if (this.#isAsked) {
      this.#isAsked = false;
      if (key.name === 'y' && action !== undefined) void this.#act(action);
      else this.#app.say('Nothing was done.');
      return true;
    }
    if (this.#place.move(key)) {
      this.#values = {};
      return true;
    }
    if (action === undefined) return false;
    if (key.name === 'enter') {
      if (action.isFinal) this.#isAsked = true;
      else void this.#act(action);
      return true;
    }
    return key.name === 'e' && this.#change(action);
  }

  close(): void {}

  get #chosen(): RunAction | undefined {
    return this.#actions?.[this.#place.marked];
  }

  #lines(action: RunAction, isMarked: boolean, canvas: Canvas): string[] {
    const title: Span[] = [
      { text: isMarked ? (canvas.ascii ? '> ' : '❯ ') : '  ', tone: 'bold' },
      { text: action.label, tone: isMarked ? 'bold' : undefined },
      {
        text: action.isFinal ? '  cannot be undone' : action.isNext ? '  next' : '',
        tone: action.isFinal ? 'bad' : 'good',
      },
    ];
    if (!isMarked) return [drawSpans(title, canvas)];
    const says = action.says.flatMap((text) => wrapText(text, canvas.columns - 4));
    const fields = action.fields.map(
      ({ name, label, hint }) => `${label}: ${this.#valueOf(action, name) || '-'}${hint === '' ? '' : `  (${hint})`}`,
    );
    const lines = [...says, ...fields].map((text) => drawSpans([{ text: `    ${text}`, tone: 'dim' }], canvas));
    const input = this.#input?.text.spans('    New: ', canvas.columns);
    const sure: Span[] = this.#isAsked ? [{ text: `    ${action.label} for good? Press y.`, tone: 'warn' }] : [];
    const busy: Span[] = this.#isBusy ? [{ text: '    Working…', tone: 'busy' }] : [];
    const more = [input ?? [], sure, busy].filter((spans) => spans.length > 0).map((spans) => drawSpans(spans, canvas));
    return [drawSpans(title, canvas), ...lines, ...more];
  }

  #valueOf({ fields }: RunAction, name: string): string {
    return this.#values[name] ?? fields.find((field) => field.name === name)?.value ?? '';
  }

  /** A field with choices goes to the next one; any other is typed. */
  #change(action: RunAction): boolean {
    const [field] = action.fields;
    if (field === undefined) return false;
    const now = this.#valueOf(action, field.name);
    if (field.choices === undefined) this.#input = { name: field.name, text: new TextInput(now) };
    else {
      const at = field.choices.findIndex(({ value }) => value === now);
      this.#values = { ...this.#values, [field.name]: field.choices[(at + 1) % field.choices.length]?.value ?? '' };
    }
    return true;
  }

  #type({ name, text }: { readonly name: string; readonly text: TextInput }, key: Key): boolean {
    if (key.name === 'enter') this.#values = { ...this.#values, [name]: text.text.trim() };
    if (key.name === 'enter' || key.name === 'escape') this.#input = undefined;
    else text.press(key);
    return true;
  }

  async #load(): Promise<void> {
    const found = await this.#app.call(runActions, { repository: this.#repository, input: { run: this.#run } });
    this.#actions = found?.actions ?? [];
    this.#place.marked = Math.max(
      0,
      this.#actions.findIndex(({ isNext }) => isNext),
    );
  }

  async #act(action: RunAction): Promise<void> {
    const operation = await loadOperation(action.operation);
    if (operation === undefined || operation.kind === 'stream') return;
    this.#isBusy = true;
    this.#app.redraw();
    const filled = action.fields.map(({ name }) => [name, this.#valueOf(action, name)] as const);
    const input = { ...action.input, ...Object.fromEntries(filled.filter(([, value]) => value !== '')) };
    const done = await this.#app.call(operation, { repository: this.#repository, input });
    this.#isBusy = false;
    if (done === undefined) return;
    this.#app.back();
    this.#app.say(`${action.label}: done.`, 'good');
  }
}
