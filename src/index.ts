/** The public surface of the library: what a workflow of one's own and a skin need. Re-exports only. */
export { examine, type Forge, type ForgeOptions, openForge } from './compose.ts';
export type { Bench, RunInfo, ScheduleOptions, Workflow, WorkflowResult } from './engine/bench.ts';
export type { EffectInput, EffectKind, EffectOutput } from './engine/effect-map.ts';
export type { Engine, RunHandle, RunListing, StartRequest } from './engine/engine.ts';
export type { Answer, Fact, Question, TaskOutcome } from './engine/facts.ts';
export { ForgeError } from './errors.ts';
export { type Plan, planSchema, type Task, taskSchema } from './plan/plan.ts';
export { validatePlan } from './plan/validate-plan.ts';
export { parseSettings, type Settings, settingsSchema } from './policy/settings.ts';
export { forgeVersion } from './version.ts';
export { type AgentRequest, askAgent } from './workflows/moves/ask-agent.ts';
export { deliver, type DeliverRequest } from './workflows/moves/deliver.ts';
export { develop, type Developed, type DevelopRequest, type Situation } from './workflows/moves/develop.ts';
export { integrate, type Integrated } from './workflows/moves/integrate.ts';
