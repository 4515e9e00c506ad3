/** The types of facts and signals, for skins: they see operations and views, never the engine itself. */
export type { ExecutionEnd } from '../engine/execution.ts';
export type { Answer, Fact } from '../engine/facts.ts';
export type { RunHandle, RunSummary } from '../engine/engine.ts';
