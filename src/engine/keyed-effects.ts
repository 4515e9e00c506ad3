/**
 * An effect with a key happens once. Invariants: K1 the attempt is a fact before anything is spawned, the
 * output is a fact before anyone sees it. K2 a finished key answers from the journal, and only for the same
 * work. K3 an attempt that was cut off has its orphans stopped, then its kind's rule applied, before the
 * key is performed again, with the input that was recorded first.
 */
import { isDeepStrictEqual } from 'node:util';
import { ForgeError, messageOf } from '../errors.ts';
import type { RunInfo } from './bench.ts';
import type { Clock } from './clock.ts';
import { type EffectInput, type EffectKind, type EffectOutput, type EffectRequest, effectMap } from './effect-map.ts';
import type { Host } from './host.ts';
import { isJournalFailure } from './journal.ts';
import type { EffectContext, Performer, Performers } from './performer.ts';
import type { EffectRecord } from './run-state.ts';
import type { Writer } from './writer.ts';

export interface KeyedEffectsDeps {
  readonly info: RunInfo;
  readonly writer: Writer;
  readonly performers: Performers;
  readonly host: Host;
  readonly clock: Clock;
  readonly directory: string;
  readonly signal: AbortSignal;
}

export type Performed<K extends EffectKind> =
  | { readonly status: 'finished'; readonly output: EffectOutput<K> }
  | { readonly status: 'interrupted' }
  | { readonly status: 'failed'; readonly error: unknown };

export class KeyedEffects {
  readonly #deps: KeyedEffectsDeps;

  constructor(deps: KeyedEffectsDeps) {
    this.#deps = deps;
  }

  /** What the journal already knows of this key; throws when the key was used for other work. */
  recall<K extends EffectKind>(kind: K, key: string, input: EffectInput<K>): EffectOutput<K> | undefined {
    const record = this.#deps.writer.state.effects.get(key);
    if (record === undefined) return undefined;
    assertSameWork(key, record, { kind, identity: identityOf(kind, input) });
    if (record.result === undefined) return undefined;
    return effectMap[kind].output.parse(record.result.output) as EffectOutput<K>;
  }

  async perform<K extends EffectKind>(kind: K, key: string, input: EffectInput<K>): Promise<Performed<K>> {
    const { writer, performers, signal } = this.#deps;
    let attempt = 0;
    try {
      const cutOff = await this.#settle(key);
      const record = writer.state.effects.get(key);
      const request = (record?.input ?? effectMap[kind].input.parse(input)) as EffectRequest<K>;
      attempt = (record?.attempts ?? 0) + 1;
      const identity = identityOf(kind, input) as null;
      writer.append('effect.started', key, { kind, attempt, identity, input: toJson(request) });
      const context = this.#context(key, attempt, record);
      const performer = performers[kind] as Performer<K>;
      const settled = cutOff ? await performer.recover?.(request, context) : undefined;
      const output = settled ?? (await performer.perform(request, context));
      writer.append('effect.finished', key, { attempt, output: toJson(effectMap[kind].output.parse(output)) });
      // What the workflow gets is what was written, so that a replay hands it the same.
      return { status: 'finished', output: this.recall(kind, key, input) as EffectOutput<K> };
    } catch (error) {
      const interrupted = signal.aborted && !isJournalFailure(error);
      this.#recordInterruption(key, { attempt, error, interrupted });
      return interrupted ? { status: 'interrupted' } : { status: 'failed', error };
    }
  }

  /** K3, first half. True when an earlier attempt was cut off, whether its process died or was told to stop. */
  async #settle(key: string): Promise<boolean> {
    const { writer, host } = this.#deps;
    const record = writer.state.effects.get(key);
    if (record?.open === undefined) return (record?.interruptions ?? 0) > 0;
    for (const identity of record.open.processes) await host.stop(identity);
    writer.append('effect.interrupted', key, { attempt: record.open.attempt, reason: 'crash' });
    return true;
  }

  #context(key: string, attempt: number, record: EffectRecord | undefined): EffectContext {
    const { info: run, writer, directory, clock, signal } = this.#deps;
    return {
      run,
      key,
      attempt,
      earlier: { interruptions: record?.interruptions ?? 0, session: record?.session },
      state: writer.state,
      directory,
      clock,
      signal,
      progress: (data) => writer.append('effect.progressed', key, { attempt, ...data }),
    };
  }

  #recordInterruption(key: string, work: { attempt: number; error: unknown; interrupted: boolean }): void {
    const open = this.#deps.writer.state.effects.get(key)?.open;
    // Where the journal itself failed there is nothing to write to; recovery finds the attempt open.
    if (open?.attempt !== work.attempt || isJournalFailure(work.error)) return;
    this.#deps.writer.append('effect.interrupted', key, {
      attempt: work.attempt,
      reason: work.interrupted ? 'suspended' : 'error',
      detail: work.interrupted ? '' : messageOf(work.error),
    });
  }
}

/** The part of the input that says which work this is; absent fields do not count. */
function identityOf<K extends EffectKind>(kind: K, input: EffectInput<K>): unknown {
  const request = effectMap[kind].input.parse(input) as Readonly<Record<string, unknown>>;
  const fields: readonly string[] = effectMap[kind].identity;
  return toJson(Object.fromEntries(fields.map((field) => [field, request[field]])));
}

function assertSameWork(key: string, before: EffectRecord, now: { kind: string; identity: unknown }): void {
  if (before.kind === now.kind && isDeepStrictEqual(before.identity, now.identity)) return;
  const was = `${before.kind} ${JSON.stringify(before.identity)}`;
  const is = `${now.kind} ${JSON.stringify(now.identity)}`;
  throw new ForgeError('replay-diverged', `${key} was recorded as ${was} and is now asked to be ${is}`, {
    hint: 'The workflow changed in a way this run can not follow. Resume it with the version that began it, or start afresh.',
  });
}

function toJson(value: unknown): null {
  return JSON.parse(JSON.stringify(value)) as null;
}
