/**
 * How an effect kind is carried out. Performers live in `effects/`, one file per kind; the engine only
 * knows this interface. A performer decides nothing: it acts and reports.
 */
import type { Clock } from './clock.ts';
import type { EffectKind, EffectOutput, EffectRequest } from './effect-map.ts';
import type { FactInput } from './facts.ts';
import type { RunInfo } from './bench.ts';
import type { RunState } from './run-state.ts';

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
  readonly generation: number;
  readonly state: Readonly<RunState>;
  /** The run's directory: transcripts and logs go below it. */
  readonly directory: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Written before it returns, so that a process is on record before it is let go. */
  progress(data: Omit<FactInput<'effect.progressed'>, 'attempt'>): void;
}
