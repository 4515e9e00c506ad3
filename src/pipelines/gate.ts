/**
 * What a gate is, as data: files that have to be there, fields that must or must not have a value, and verdicts of
 * earlier phases. Before a phase its gate is evaluated, after it its outputs.
 */
import type { recordVerdicts } from '../records/schemas.ts';

export type PhaseVerdict = (typeof recordVerdicts)[number];

export interface ArtifactRule {
  /** May hold `{names}` that are filled in, such as `{task}`. */
  readonly path: string;
  readonly minBytes: number;
}

export type FieldRule =
  | { readonly field: string; readonly op: '==' | '!='; readonly value: string }
  | { readonly field: string; readonly op: 'in'; readonly value: readonly string[] };

export interface PhaseOutputs {
  readonly artifacts: readonly ArtifactRule[];
  readonly require: readonly FieldRule[];
}

export interface PhaseGate extends PhaseOutputs {
  readonly forbid: readonly FieldRule[];
  readonly after: readonly { readonly phase: string; readonly verdict: PhaseVerdict }[];
}

/** By the role of the phase. */
export type GateTable = Readonly<Record<string, PhaseGate>>;
export type OutputTable = Readonly<Record<string, PhaseOutputs>>;

/** Where a gate cannot be read. A misconfigured gate is never an open one. */
export interface GateMistake {
  /** From 1; 0 for the document as a whole. */
  readonly line: number;
  readonly problem: string;
  readonly fix: string;
}

export type ParsedTable<T> =
  | { readonly ok: true; readonly table: Readonly<Record<string, T>> }
  | { readonly ok: false; readonly mistakes: readonly GateMistake[] };
