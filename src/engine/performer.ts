/**
 * How an effect kind is carried out. Performers live in `effects/`, one file per kind; the engine only
 * knows this interface. A performer decides nothing: it acts and reports. It gets all it needs by value: its request,
 * and what it may know of the run when the attempt starts.
 */
import type { RunInfo } from './bench.ts';
import type { Clock } from './clock.ts';
import type { EffectKind, EffectOutput, EffectRequest } from './effect-map.ts';
import type { Fact, FactInput } from './facts.ts';
import type { RunArtifacts } from './run-artifacts.ts';
import type { RunSnapshot } from './run-snapshot.ts';

export interface Performer<K extends EffectKind> {
  /** Rejects with the signal's reason when interrupted; what it returns is recorded and final. */
  perform(request: EffectRequest<K>, context: EffectContext): Promise<EffectOutput<K>>;
  /** After an attempt was cut off: finds out whether it had in fact been done. Undefined: perform again. */
  recover?(request: EffectRequest<K>, context: EffectContext): Promise<EffectOutput<K> | undefined>;
}

export type Performers = { readonly [K in EffectKind]: Performer<K> };

export interface EffectContext {
  readonly run: RunInfo;
  readonly key: string;
  readonly attempt: number;
  /** What earlier attempts of this key left: how many were cut off, and the agent session they were in. */
  readonly earlier: { readonly interruptions: number; readonly session: string | undefined };
  /** Which try at its task this is of: 2 after a person had it tried again. Such a try meets nothing of the one before. */
  readonly tryNumber: number;
  readonly snapshot: RunSnapshot;
  /** What the run wrote down so far, for tools that an agent may ask while it works. */
  facts(): Promise<readonly Fact[]>;
  /** Transcripts and logs go there. */
  readonly artifacts: RunArtifacts;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Written before it returns, so that a process is on record before it is let go. */
  progress(data: Omit<FactInput<'effect.progressed'>, 'attempt'>): void;
}
