/**
 * `forge watch` as a whole: a stack of pages over one screen, the streams they follow, and the line that says what just
 * happened. Everything is asked of operations, as in the dashboard; work that a person starts here goes on in processes
 * of its own, so leaving ends nothing.
 */
import type { z } from 'zod';
import { followOperation, type Operation, performOperation, type StreamOperation } from '../../api/operation.ts';
import { ForgeError } from '../../errors.ts';
import type { OpenPlaces } from '../../server/places.ts';
import { drawSpans, type Tone } from '../../views/spans.ts';
import { displayWidth } from '../../views/terminal-text.ts';
import type { Terminal } from '../terminal.ts';
import { FullScreen } from './full-screen.ts';
import { HelpView } from './help-view.ts';
import type { Key } from './key-input.ts';
import type { Canvas, KeyHelp, View } from './view.ts';

export interface WatchOptions {
  readonly terminal: Terminal;
  readonly places: OpenPlaces;
  readonly mouse: boolean;
}

const frameMs = 250;
const againMs = 1000;

export class WatchApp {
  readonly screen: FullScreen;
  readonly places: OpenPlaces;
  readonly #terminal: Terminal;
  readonly #views: View[] = [];
  readonly #over = new AbortController();
  #notice: { readonly text: string; readonly tone: Tone } | undefined;
  #frame = 0;
  #soon: NodeJS.Timeout | undefined;

  constructor({ terminal, places, mouse }: WatchOptions) {
    this.#terminal = terminal;
    this.places = places;
    this.screen = new FullScreen({ mouse, onKey: (key) => this.press(key), onResize: () => this.redraw() });
  }

  /** Until the person leaves. */
  async show(first: View): Promise<void> {
    const over = new Promise<void>((resolve) => {
      this.#over.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    const leave = (): void => this.leave();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, leave);
    this.#views.push(first);
    this.screen.open();
    const timer = setInterval(() => {
      this.#frame += 1;
      this.#draw();
    }, frameMs);
    try {
      this.#draw();
      await over;
    } finally {
      clearInterval(timer);
      clearTimeout(this.#soon);
      for (const view of this.#views) view.close();
      this.screen.close();
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(signal, leave);
    }
  }

  open(view: View): void {
    this.#views.push(view);
    this.redraw();
  }

  /** Back to the page below; from the first one, out. */
  back(): void {
    this.#views.pop()?.close();
    if (this.#views.length === 0) this.leave();
    else this.redraw();
  }

  leave(): void {
    this.#over.abort();
  }

  say(text: string, tone: Tone = 'dim'): void {
    this.#notice = { text, tone };
    this.redraw();
  }

  redraw(): void {
    this.#soon ??= setTimeout(() => this.#draw(), 15);
  }

  press(key: Key): void {
    this.#notice = undefined;
    if (key.name === 'ctrl-c') return this.leave();
    if (key.name === 'ctrl-z') return this.#suspend();
    const view = this.#views.at(-1);
    if (view?.press(key) !== true) {
      if (key.name === 'q' || key.name === 'escape' || key.name === 'backspace') this.back();
      else if (key.name === '?' && view !== undefined) this.open(new HelpView(this, view.keys()));
    }
    this.redraw();
  }

  /** Gives values for as long as the page is there. A stream that fails is tried again, and the person sees why. */
  follow<Input extends z.ZodType, Output extends z.ZodType>(
    operation: StreamOperation<Input, Output>,
    { repository, input }: { readonly repository: string | undefined; readonly input: object },
    take: (value: z.output<Output>) => void,
  ): () => void {
    const left = new AbortController();
    const signal = AbortSignal.any([left.signal, this.#over.signal]);
    const listen = async (): Promise<void> => {
      try {
        const context = this.places.open(repository, 'stream', signal);
        for await (const value of followOperation(operation, context, input)) {
          if (signal.aborted) return;
          take(value);
          this.redraw();
        }
      } catch (error) {
        if (signal.aborted) return;
        this.say(messageOf(error), 'bad');
        setTimeout(() => void listen(), againMs).unref();
      }
    };
    void listen();
    return () => left.abort();
  }

  /** Undefined when it failed: the person was told why. */
  async call<Input extends z.ZodType, Output extends z.ZodType>(
    operation: Operation<Input, Output>,
    { repository, input }: { readonly repository: string | undefined; readonly input: object },
  ): Promise<z.output<Output> | undefined> {
    try {
      const { kind } = operation;
      return await performOperation(operation, this.places.open(repository, kind, this.#over.signal), input);
    } catch (error) {
      if (!this.#over.signal.aborted) this.say(messageOf(error), 'bad');
      return undefined;
    } finally {
      this.redraw();
    }
  }

  #draw(): void {
    clearTimeout(this.#soon);
    this.#soon = undefined;
    const view = this.#views.at(-1);
    if (view === undefined || !this.screen.isOpen) return;
    const { color, ascii } = this.#terminal;
    // A full last column and an erased line do not go together.
    const columns = Math.max(10, this.#terminal.columns() - 1);
    const rows = Math.max(4, this.#terminal.rows());
    const canvas: Canvas = { columns, rows: rows - 1, color, ascii, frame: this.#frame, now: Date.now() };
    const body = view.draw(canvas).slice(0, rows - 1);
    const empty = Array.from({ length: rows - 1 - body.length }, () => '');
    this.screen.draw([...body, ...empty, this.#foot(view, canvas)]);
  }

  /** What just happened, or else which keys mean something: as many as fit, and always how to learn of the others. */
  #foot(view: View, canvas: Canvas): string {
    if (this.#notice !== undefined) return drawSpans([this.#notice], canvas);
    const last: readonly KeyHelp[] = [
      ['?', 'help'],
      ['q', this.#views.length > 1 ? 'back' : 'leave'],
    ];
    let left = canvas.columns - widthOf(last) + gap.length;
    const fitting: KeyHelp[] = [];
    for (const key of view.keys()) {
      left -= widthOf([key]);
      if (left < 0) break;
      fitting.push(key);
    }
    const spans = [...fitting, ...last].flatMap(([key, does]) => [
      { text: key, tone: 'bold' as const },
      { text: ` ${does}${gap}`, tone: 'dim' as const },
    ]);
    return drawSpans(spans, canvas);
  }

  #suspend(): void {
    this.screen.close();
    process.once('SIGCONT', () => {
      this.screen.open();
      this.redraw();
    });
    process.kill(process.pid, 'SIGTSTP');
  }
}

const gap = '   ';

function widthOf(keys: readonly KeyHelp[]): number {
  return keys.reduce((sum, [key, does]) => sum + displayWidth(`${key} ${does}${gap}`), 0);
}

export function messageOf(error: unknown): string {
  if (error instanceof ForgeError) return [error.message, error.hint ?? ''].filter(Boolean).join('. ');
  return error instanceof Error ? error.message : String(error);
}
