/**
 * Where a process writes the facts of a run it holds. A fact is true once `append` has returned, and never before.
 * Synchronous on purpose: nothing may come between a decision and its record.
 */
import { ForgeError } from '../errors.ts';
import type { FactInput, FactOf, FactType, Signal } from './facts.ts';

export interface FactLog {
  append<T extends FactType>(type: T, key: string, input: FactInput<T>): FactOf<T>;
  /** As it would be written. */
  redacted<D>(data: D): D;
}

/** Called around each append; the crash harness dies here. */
export interface AppendProbe {
  before(seq: number, text: string): void;
  after(seq: number): void;
}

/** What was posted to the run this process holds. */
export interface RunInbox {
  /** In the order of their ids. One that cannot be read is set aside for a person, not dropped. */
  read(): readonly { readonly id: string; readonly signal: Signal }[];
  remove(id: string): void;
  /** Calls back when something may have arrived, until it is closed. */
  watch(onChange: () => void): () => void;
}

/** True when the journal cannot be written any more, so that a failure must not be answered by an append. */
export function isJournalFailure(error: unknown): boolean {
  return error instanceof ForgeError && (error.code === 'lease-lost' || error.code === 'journal-write-failed');
}
