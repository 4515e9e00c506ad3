/**
 * An effect with a key happens once. Invariants: K1 the attempt is a fact before anything is spawned, the
 * output is a fact before anyone sees it. K2 a finished key answers from the journal, and only for the same
 * work. K3 the orphans of attempts that were cut off are stopped before anything runs again; then the kind's
 * rule is applied before such a key is performed anew, with the input that was recorded first. K4 commits that an output
 * names are kept from garbage collection before it is a fact.
 * The journal holds redacted text: what is asked and what is recorded are the same if their redacted forms are.
 */
import { isDeepStrictEqual } from 'node:util';
import { ForgeError, messageOf } from '../errors.ts';
import { explainSchema } from '../plan/explain-schema.ts';
import type { RunInfo } from './bench.ts';
import type { Clock } from './clock.ts';
import {
  type EffectInput,
  type EffectKind,
  type EffectOutput,
  type EffectRequest,
  effectMap,
  refMovingKinds,
} from './effect-map.ts';
import { isJournalFailure } from './fact-log.ts';
import { asJson } from './json-value.ts';
import type { Fact, Place } from './facts.ts';
import type { Host } from './host.ts';
import { commitsIn } from './named-commits.ts';
import type { EffectContext, Performer, Performers } from './performer.ts';
import type { RunArtifacts } from './run-artifacts.ts';
import { takeSnapshot } from './run-snapshot.ts';
import type { EffectRecord, OpenAttempt } from './run-state.ts';
import type { Writer } from './writer.ts';

export interface KeyedEffectsDeps {
  readonly info: RunInfo;
  readonly writer: Writer;
  readonly performers: Performers;
  readonly host: Host;
  readonly clock: Clock;
  readonly artifacts: RunArtifacts;
  /** What the run wrote down so far. */
  readonly facts: () => Promise<readonly Fact[]>;
  readonly signal: AbortSignal;
  readonly commits?: RunCommits | undefined;
  /** The step or task that asks. */
  readonly place: () => Place | undefined;
}

/** The commits of one run, in the repository it is about. */
export interface RunCommits {
  /** On return they are reachable, and stay so until the run is cleaned up. */
  keep(ids: readonly string[]): Promise<void>;
  /** Those that are not there any more. */
  missing(ids: readonly string[]): Promise<readonly string[]>;
}

export type Performed<K extends EffectKind> =
  | { readonly status: 'finished'; readonly output: EffectOutput<K> }
  | { readonly status: 'interrupted' }
  | { readonly status: 'failed'; readonly error: unknown };

/** An effect as somebody asked for it: checked. */
export interface AskedEffect<K extends EffectKind> {
  readonly kind: K;
  readonly key: string;
  readonly request: EffectRequest<K>;
}

export class KeyedEffects {
  readonly #deps: KeyedEffectsDeps;
  readonly #kept = new Set<string>();

  constructor(deps: KeyedEffectsDeps) {
    this.#deps = deps;
  }

  /** The attempts that are open; before anything was performed, those that a dead process left. */
  get cutOff(): readonly { readonly key: string; readonly open: OpenAttempt }[] {
    const { effects } = this.#deps.writer.state;
    return [...effects].flatMap(([key, { open }]) => (open === undefined ? [] : [{ key, open }]));
  }

  /** K3, first half. What runs on another host is out of reach. */
  async settle(): Promise<void> {
    const { writer, host } = this.#deps;
    const { cutOff } = this;
    const orphans = cutOff.flatMap(({ open }) => open.processes).filter(({ host: on }) => on === host.self.host);
    await Promise.all(orphans.map((orphan) => host.stop(orphan)));
    for (const { key, open } of cutOff) {
      writer.append('effect.interrupted', key, { attempt: open.attempt, reason: 'crash' });
    }
  }

  /** What is asked for, read once; throws when it is not an effect. */
  ask<K extends EffectKind>(kind: K, key: string, input: EffectInput<K>): AskedEffect<K> {
    const request = readInput(kind, input);
    return { kind, key, request: request as EffectRequest<K> };
  }

  /** What the journal already knows of this key; throws when the key was used for other work. */
  recall<K extends EffectKind>(asked: AskedEffect<K>): EffectOutput<K> | undefined {
    const record = this.#deps.writer.state.effects.get(asked.key);
    if (record === undefined) return undefined;
    this.#assertSameWork(record, asked);
    return record.result === undefined ? undefined : readOutput(asked.kind, record.result.output);
  }

  /** Never rejects. */
  async perform<K extends EffectKind>(asked: AskedEffect<K>): Promise<Performed<K>> {
    const { writer, performers, signal } = this.#deps;
    const { kind, key } = asked;
    let attempt = 0;
    try {
      const record = writer.state.effects.get(key);
      const request = record === undefined ? asked.request : this.#recordedRequest(asked, record);
      attempt = (record?.attempts ?? 0) + 1;
      const within = record === undefined ? this.#deps.place() : record.within;
      const started = { kind, attempt, input: asJson(request) };
      writer.append('effect.started', key, within === undefined ? started : { ...started, within });
      const context = this.#context(kind, request, { key, attempt, record });
      const performer = performers[kind] as Performer<K>;
      const settled = context.earlier.interruptions > 0 ? await performer.recover?.(request, context) : undefined;
      if (settled === undefined) signal.throwIfAborted();
      const performed = settled ?? (await performer.perform(request, context));
      const output = asJson(effectMap[kind].output.parse(performed));
      await this.#keep(output);
      writer.append('effect.finished', key, { attempt, output });
      // What the workflow gets is what was written, so that a replay hands it the same.
      return { status: 'finished', output: readOutput(kind, writer.state.effects.get(key)?.result?.output) };
    } catch (error) {
      return this.#cutShort(key, attempt, error);
    }
  }

  /** Ends what was begun and would be forgotten while a ref may have moved for it; the reason when that fails. */
  async finishMoves(keys: readonly string[]): Promise<{ readonly error: unknown } | undefined> {
    for (const key of keys) {
      const record = this.#deps.writer.state.effects.get(key);
      const kind = refMovingKinds.find((moving) => moving === record?.kind);
      if (kind === undefined || record === undefined || record.result !== undefined) continue;
      const performed = await this.perform(this.ask(kind, key, record.input as EffectInput<typeof kind>));
      if (performed.status === 'failed') return { error: performed.error };
      if (performed.status === 'interrupted') return { error: new Error('the run was suspended') };
    }
    return undefined;
  }

  /** K4: a commit is kept before the fact that names it is written. Those of this process are remembered. */
  async #keep(output: unknown): Promise<void> {
    const news = commitsIn(output).filter((id) => !this.#kept.has(id));
    if (news.length === 0) return;
    await this.#deps.commits?.keep(news);
    for (const id of news) this.#kept.add(id);
  }

  /** What was recorded first counts, but for text that only redaction sets apart from what is asked now. */
  #recordedRequest<K extends EffectKind>({ kind, request }: AskedEffect<K>, record: EffectRecord): EffectRequest<K> {
    const asked = request as Readonly<Record<string, unknown>>;
    const fields = Object.entries(record.input as Readonly<Record<string, unknown>>);
    const recorded = fields.map(([name, value]) => [name, this.#same(value, asked[name]) ? asked[name] : value]);
    return effectMap[kind].input.parse(Object.fromEntries(recorded)) as EffectRequest<K>;
  }

  #context(
    kind: EffectKind,
    request: unknown,
    { key, attempt, record }: { key: string; attempt: number; record: EffectRecord | undefined },
  ): EffectContext {
    const { info: run, writer, artifacts, facts, clock, signal } = this.#deps;
    return {
      run,
      key,
      attempt,
      earlier: { interruptions: record?.interruptions ?? 0, session: record?.session },
      tryNumber: writer.state.effects.get(key)?.generation ?? 1,
      snapshot: takeSnapshot(writer.state, kind, request),
      facts,
      artifacts,
      clock,
      signal,
      progress: (data) => writer.append('effect.progressed', key, { attempt, ...data }),
    };
  }

  #cutShort(key: string, attempt: number, error: unknown): Performed<never> {
    const { writer, signal } = this.#deps;
    // Where the journal itself failed there is nothing to write to; recovery finds the attempt open.
    if (isJournalFailure(error)) return { status: 'failed', error };
    const suspended = signal.aborted;
    const why = suspended ? { reason: 'suspended' as const } : { reason: 'error' as const, detail: messageOf(error) };
    try {
      const open = writer.state.effects.get(key)?.open;
      if (open?.attempt === attempt) writer.append('effect.interrupted', key, { attempt, ...why });
    } catch (failure) {
      return { status: 'failed', error: failure };
    }
    return suspended ? { status: 'interrupted' } : { status: 'failed', error };
  }

  #assertSameWork(before: EffectRecord, now: AskedEffect<EffectKind>): void {
    const asked = identityOf(now.kind, now.request);
    const recorded = identityOf(before.kind, before.input);
    if (before.kind === now.kind && this.#same(recorded, asked)) return;
    const was = `${before.kind} ${JSON.stringify(recorded)}`;
    const is = `${now.kind} ${JSON.stringify(asked)}`;
    throw new ForgeError('replay-diverged', `${now.key} was recorded as ${was} and is now asked to be ${is}`, {
      hint: 'The workflow changed in a way this run cannot follow. Resume it with the version that began it, or start afresh.',
    });
  }

  /** Redacting both also bridges processes that did not know the same secrets. */
  #same(recorded: unknown, asked: unknown): boolean {
    const { writer } = this.#deps;
    const [before, now] = [asJson([recorded]), asJson([asked])];
    return isDeepStrictEqual(before, now) || isDeepStrictEqual(writer.redacted(before), writer.redacted(now));
  }
}

/** The part of the input that says which work this is; absent fields do not count. */
function identityOf(kind: string, input: unknown): unknown {
  const fields: readonly string[] = Object.hasOwn(effectMap, kind) ? effectMap[kind as EffectKind].identity : [];
  const given = input as Readonly<Record<string, unknown>>;
  return asJson(Object.fromEntries(fields.map((field) => [field, given[field]])));
}

function readOutput<K extends EffectKind>(kind: K, output: unknown): EffectOutput<K> {
  return effectMap[kind].output.parse(output) as EffectOutput<K>;
}

/** What a workflow asks for is checked here: a workflow written in JavaScript may ask for anything. */
function readInput(kind: EffectKind, input: unknown): Readonly<Record<string, unknown>> {
  const read = Object.hasOwn(effectMap, kind) ? effectMap[kind].input.safeParse(input) : undefined;
  if (read?.success === true) return read.data;
  const [first] = read === undefined ? [] : explainSchema(read.error.issues, input);
  const problem = first === undefined ? 'there is no effect of this kind' : `${first.where}: ${first.problem}`;
  throw new ForgeError('bad-effect', `The effect ${kind} cannot be performed: ${problem}`, {
    hint: 'See docs/workflows.md for the effects and what they take.',
  });
}
