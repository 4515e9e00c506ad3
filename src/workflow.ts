/**
 * `forge/workflow`: what a workflow of one's own is written with. A workflow is an object with a name, a version
 * and an async `run(bench)`; the moves are the pieces that Forge's own workflows are made of. Re-exports only.
 */
export type { Bench, RunInfo, ScheduleOptions, Workflow, WorkflowResult } from './engine/bench.ts';
export type { EffectInput, EffectKind, EffectOutput } from './engine/effect-map.ts';
export type { Answer, Question, TaskOutcome } from './engine/facts.ts';
export { ForgeError } from './errors.ts';
export { stages } from './plan/graph.ts';
export { type Plan, planSchema, type Task, taskSchema } from './plan/plan.ts';
export { validatePlan } from './plan/validate-plan.ts';
export { type ScopeSettings, scopeSettingsSchema } from './policy/receipt.ts';
export { developerResult, testerResult } from './policy/role-results.ts';
export { renderSections, type Section } from './policy/sections.ts';
export { type AgentAnswer, type AgentRequest, askAgent } from './workflows/moves/ask-agent.ts';
export { confirmResult } from './workflows/moves/confirm-result.ts';
export { deliver, type DeliverRequest } from './workflows/moves/deliver.ts';
export { develop, type Developed, type DevelopRequest, type Situation } from './workflows/moves/develop.ts';
export { integrate, type Integrated, type IntegrateRequest } from './workflows/moves/integrate.ts';
export { addPlanned, type OwnChecks, readyChecks } from './workflows/moves/ready-checks.ts';
export { type Checks, verify, type VerifyRequest } from './workflows/moves/verify.ts';
