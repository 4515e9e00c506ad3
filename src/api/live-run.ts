/**
 * A run as it goes on, folded once for everybody who looks at it: its chronicle, and what displays show of it as things
 * that change. Only what was appended is read again. A few are kept, those that were looked at last; a run of many facts
 * counts as several.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FactTail, RunReader, RunSummary } from '../engine/engine.ts';
import { advanceChronicle, type Chronicle, emptyChronicle } from '../views/chronicle.ts';
import { type FlatNode, flattenTree } from '../views/flat-tree.ts';
import { type RunPage, runPage } from '../views/run-page.ts';
import { runView } from '../views/run-view.ts';
import { agentActivity } from './agent-activity.ts';
import type { ApiContext } from './context.ts';
import { findSummary } from './find-run.ts';
import { type OpenQuestion, openQuestionsOf } from './open-questions.ts';
import { VersionedItems } from './versioned-items.ts';

/** What changes of a run: its head, its questions, and the nodes of its tree. */
export type RunItem =
  | { readonly type: 'page'; readonly page: RunPage }
  | { readonly type: 'questions'; readonly questions: readonly OpenQuestion[] }
  | { readonly type: 'node'; readonly node: FlatNode };

export class LiveRun {
  readonly run: string;
  readonly items = new VersionedItems<RunItem>();
  chronicle: Chronicle = emptyChronicle();
  page: RunPage | undefined;
  questions: readonly OpenQuestion[] = [];
  readonly #engine: RunReader;
  readonly #tail: FactTail;
  #busy: Promise<void> | undefined;
  readonly #listeners = new Set<() => void>();
  #unwatch: (() => void) | undefined;
  /** How long the last drawing took: a long run is drawn less often. */
  #costMs = 0;

  constructor(engine: RunReader, run: string) {
    this.#engine = engine;
    this.run = run;
    this.#tail = engine.tail(run);
  }

  /** Brings it up to date. Those who ask at the same time share the work. */
  refresh(): Promise<void> {
    this.#busy ??= this.#read().finally(() => {
      this.#busy = undefined;
    });
    return this.#busy;
  }

  /** Resolves when there may be something new, and not before the last drawing has paid for itself. */
  async changed(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const done = (): void => {
        this.#listeners.delete(done);
        signal.removeEventListener('abort', done);
        if (this.#listeners.size === 0) {
          this.#unwatch?.();
          this.#unwatch = undefined;
        }
        resolve();
      };
      this.#listeners.add(done);
      signal.addEventListener('abort', done);
      this.#unwatch ??= this.#tail.onChange(() => {
        // Each takes itself off the list.
        const waiting = Array.from(this.#listeners);
        for (const listener of waiting) listener();
      });
      if (signal.aborted) done();
    });
    await sleep(Math.max(shortestMs, 4 * this.#costMs), undefined, { signal }).catch(() => undefined);
  }

  async #read(): Promise<void> {
    const begun = performance.now();
    const facts = await this.#tail.next();
    for (const fact of facts) {
      // Another file after a take-over begins anew.
      if (fact.seq === 1 && this.chronicle.state.seq > 0) this.chronicle = emptyChronicle();
      if (fact.seq === this.chronicle.state.seq + 1) advanceChronicle(this.chronicle, fact);
    }
    const listing = await this.#engine.summarize(this.run);
    const { state } = this.chronicle;
    const isHeld = listing.status === 'running' || listing.status === 'created';
    const activity = isHeld ? await agentActivity(this.#engine.artifacts(this.run), state) : new Map<string, string>();
    this.questions = openQuestionsOf(this.chronicle, listing, await this.#engine.messages(this.run));
    this.page = runPage(this.chronicle, { status: listing.status, activity });
    this.#draw(listing, activity);
    this.#costMs = facts.length > 10_000 ? 0 : performance.now() - begun;
  }

  #draw({ status }: RunSummary, activity: ReadonlyMap<string, string>): void {
    const { timeline } = this.chronicle;
    const isHeld = status === 'running' || status === 'created';
    // As of the newest fact: a display adds the time since then, and nothing changes while nothing happens.
    const { root } = runView(this.chronicle, { now: new Date(timeline.seen || 0), activity, isHeld });
    const items: (readonly [string, RunItem])[] = [
      ['questions', { type: 'questions', questions: this.questions }],
      ...(this.page === undefined ? [] : [['page', { type: 'page', page: this.page }] as const]),
      ...flattenTree(root).map((node) => [node.path, { type: 'node', node }] as const),
    ];
    this.items.update(items);
  }
}

const shortestMs = 150;
const mostFacts = 400_000;
const mostRuns = 32;
const kept = new WeakMap<object, Map<string, LiveRun>>();

/** The run that is meant, up to date. */
export async function liveRun(context: ApiContext, run: string | undefined): Promise<LiveRun> {
  const { engine } = await context.runs();
  const { run: name } = await findSummary(context, { run, what: 'here', fits: () => true });
  return liveRunOf(context, engine, name);
}

/** The same for a run whose whole name is known, also of another repository's reader. */
export async function liveRunOf(context: ApiContext, engine: RunReader, run: string): Promise<LiveRun> {
  const runs = kept.get(context.scope) ?? new Map<string, LiveRun>();
  kept.set(context.scope, runs);
  const id = engine.describePlace(run);
  const live = runs.get(id) ?? new LiveRun(engine, run);
  runs.delete(id);
  runs.set(id, live);
  try {
    await live.refresh();
  } catch (error) {
    runs.delete(id);
    throw error;
  }
  dropOldest(runs);
  return live;
}

function dropOldest(runs: Map<string, LiveRun>): void {
  const facts = (): number => [...runs.values()].reduce((sum, { chronicle }) => sum + chronicle.state.seq, 0);
  for (const id of runs.keys()) {
    if (runs.size <= 1 || (runs.size <= mostRuns && facts() <= mostFacts)) return;
    runs.delete(id);
  }
}
