/**
 * A run as it goes on, folded once for everybody who looks at it: its chronicle, and what displays show of it as things
 * that change. Only what was appended is read again, and only what it changed is drawn again. A long journal is read in
 * pieces, between which others are served; its first piece is drawn at once, so that its beginning is shown while the rest is
 * read. A few runs are kept, those that were looked at last; a run of many facts counts as several.
 */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { FactTail, RunReader, RunSummary } from '../engine/engine.ts';
import type { Fact } from '../engine/facts.ts';
import { advanceChronicle, type Chronicle, emptyChronicle } from '../views/chronicle.ts';
import { DrawnNodes } from '../views/drawn-nodes.ts';
import { type FlatNode, flattenTree } from '../views/flat-tree.ts';
import { type RunPage, runPage } from '../views/run-page.ts';
import { runView } from '../views/run-view.ts';
import type { ViewNode } from '../views/view-node.ts';
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
  /** Only the beginning of a long journal was read so far. */
  isPartial = false;
  chronicle: Chronicle = emptyChronicle();
  page: RunPage | undefined;
  questions: readonly OpenQuestion[] = [];
  readonly #engine: RunReader;
  readonly #tail: FactTail;
  #busy: Promise<void> | undefined;
  /** Called once there is something to show. */
  #onBegun: () => void = () => undefined;
  readonly #begun = new Promise<void>((resolve) => {
    this.#onBegun = resolve;
  });
  readonly #listeners = new Set<() => void>();
  #unwatch: (() => void) | undefined;
  #drawn = new DrawnNodes();
  readonly #flat = new WeakMap<ViewNode, FlatNode>();
  readonly #nodeItems = new WeakMap<FlatNode, RunItem>();
  #wasHeld = false;
  /** Everything a drawing depends on, as it was drawn last. */
  #standing = '';
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

  /** Resolves as soon as there is something to show; `isPartial` then says whether that is all there is. */
  begin(): Promise<void> {
    return Promise.race([this.refresh(), this.#begun]);
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
    const before = this.chronicle.state.seq;
    for (let facts = await this.#tail.next(); facts.length > 0; facts = await this.#tail.next()) {
      this.#take(facts);
      if (this.page === undefined) await this.#drawBeginning();
      await nextTurn();
    }
    const begun = performance.now();
    this.isPartial = false;
    const listing = await this.#engine.summarize(this.run, { withStanding: false });
    const { state } = this.chronicle;
    const isHeld = listing.status === 'running' || listing.status === 'created';
    const activity = isHeld ? await agentActivity(this.#engine.artifacts(this.run), state) : new Map<string, string>();
    const messages = await this.#engine.messages(this.run);
    // Whoever looks looks every second, and most of the time nothing has happened.
    const standing = JSON.stringify([state.seq, listing.status, messages.map(({ id }) => id), [...activity]]);
    if (standing === this.#standing) return;
    this.#standing = standing;
    this.questions = openQuestionsOf(this.chronicle, listing, messages);
    this.page = runPage(this.chronicle, { status: listing.status, activity });
    this.#draw(listing, activity);
    // What is drawn for the first time says nothing about the next.
    this.#costMs = before === 0 ? 0 : performance.now() - begun;
  }

  /** What the first piece of a long journal says, with what is known of the whole without reading it. */
  async #drawBeginning(): Promise<void> {
    const listing = await this.#engine.summarize(this.run, { withStanding: false });
    const { seq, status, reason, usage } = listing;
    if (seq <= this.chronicle.state.seq) return;
    this.isPartial = true;
    const page = runPage(this.chronicle, { status, activity: new Map() });
    this.page = {
      ...page,
      reason,
      usage,
      progress: { done: 0, failed: 0, total: 0 },
      doing: [],
      expectedEnd: undefined,
    };
    this.#draw(listing, new Map());
    this.#onBegun();
  }

  #take(facts: readonly Fact[]): void {
    for (const fact of facts) {
      // Another file after a take-over begins anew.
      if (fact.seq === 1 && this.chronicle.state.seq > 0) {
        this.chronicle = emptyChronicle();
        this.#drawn = new DrawnNodes();
      }
      if (fact.seq !== this.chronicle.state.seq + 1) continue;
      advanceChronicle(this.chronicle, fact);
      this.#drawn.forget(this.chronicle.state, fact);
    }
  }

  #draw({ status }: RunSummary, activity: ReadonlyMap<string, string>): void {
    const { timeline } = this.chronicle;
    const isHeld = status === 'running' || status === 'created';
    if (isHeld !== this.#wasHeld) this.#drawn = new DrawnNodes();
    this.#wasHeld = isHeld;
    // As of the newest fact: a display adds the time since then, and nothing changes while nothing happens.
    const now = new Date(timeline.seen || 0);
    const { root } = runView(this.chronicle, { now, activity, isHeld, drawn: this.#drawn });
    const items: (readonly [string, RunItem])[] = [
      ['questions', { type: 'questions', questions: this.questions }],
      ...(this.page === undefined ? [] : [['page', { type: 'page', page: this.page }] as const]),
      ...flattenTree(root, this.#flat).map((node) => [node.path, this.#itemOf(node)] as const),
    ];
    this.items.update(items);
  }

  /** The same for the same node, so that what did not change is seen at once. */
  #itemOf(node: FlatNode): RunItem {
    const item: RunItem = this.#nodeItems.get(node) ?? { type: 'node', node };
    this.#nodeItems.set(node, item);
    return item;
  }
}

const shortestMs = 150;
const mostFacts = 250_000;
const mostRuns = 32;
const kept = new WeakMap<object, Map<string, LiveRun>>();

/** The run that is meant, up to date. */
export async function liveRun(context: ApiContext, run: string | undefined): Promise<LiveRun> {
  const live = await begunRun(context, run);
  if (live.isPartial) await live.refresh();
  return live;
}

/** The run that is meant. Of a long one that nobody looked at before, only the beginning may be there. */
export async function begunRun(context: ApiContext, run: string | undefined): Promise<LiveRun> {
  const { engine } = await context.runs();
  // A whole name settles it: where the run stands is read below.
  if (run !== undefined && (await engine.has(run))) return begunRunOf(context, engine, run);
  const { run: name } = await findSummary(context, { run, what: 'here', fits: () => true });
  return begunRunOf(context, engine, name);
}

/** The same for a run whose whole name is known, also of another repository's reader. */
export async function begunRunOf(context: ApiContext, engine: RunReader, run: string): Promise<LiveRun> {
  const runs = kept.get(context.cacheOwner) ?? new Map<string, LiveRun>();
  kept.set(context.cacheOwner, runs);
  const id = engine.describePlace(run);
  const live = runs.get(id) ?? new LiveRun(engine, run);
  runs.delete(id);
  runs.set(id, live);
  try {
    await live.begin();
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
