/**
 * `forge/workflow`: what a workflow of one's own is written with. A workflow is one object (`OwnWorkflow`): a head, roles,
 * and an async `run(bench, input)`. The moves are the pieces that Forge's own workflows are made of. Re-exports only.
 */
export type { Bench, RunInfo, ScheduleLane, ScheduleOptions, Workflow, WorkflowResult } from './engine/bench.ts';
export type { EffectInput, EffectKind, EffectOutput } from './engine/effect-map.ts';
export type { Answer, Question, StepEndInput, TaskOutcome } from './engine/facts.ts';
export { ForgeError } from './errors.ts';
export { planStages } from './plan/graph.ts';
export { type Plan, planSchema, type Task, taskSchema } from './plan/plan.ts';
export { validatePlan } from './plan/validate-plan.ts';
export { verifyOf } from './plan/verify-entries.ts';
export type { Page, PageInput } from './policy/page.ts';
export { nextMove, type ProgressEvent, type ProgressPolicy } from './policy/progress.ts';
export { type ScopeSettings, scopeSettingsSchema } from './policy/receipt.ts';
export { renderSections, type Section } from './policy/sections.ts';
export {
  defineRole,
  type OwnWorkflow,
  type RoleSpec,
  type WorkflowDocument,
  type WorkflowPresentation,
  type WorkflowRequest,
} from './workflows/definition.ts';
export { type AgentAnswer, type AgentRequest, askAgent } from './workflows/moves/ask-agent.ts';
export { askRolesOf, type RoleReply, type RoleRequest } from './workflows/moves/ask-role.ts';
export {
  type BuildRequest,
  type Built,
  buildUntilPassed,
  type Passed,
  type WorkDone,
} from './workflows/moves/build-until-passed.ts';
export { type DeliverRequest, deliver } from './workflows/moves/deliver.ts';
export { type Developed, type DevelopRequest, develop, type Situation } from './workflows/moves/develop.ts';
export { readEditedPlan } from './workflows/moves/edited-plan.ts';
export { forecastTasks } from './workflows/moves/forecast-tasks.ts';
export { type Integrated, type IntegrateRequest, integrate } from './workflows/moves/integrate.ts';
export { type Learning, learn, learnerRole } from './workflows/moves/learn.ts';
export { editableText, fieldSection, listSection, planTitle, taskTable } from './workflows/moves/plan-page.ts';
export { type PlanNote, type Planning, planWithPerson } from './workflows/moves/plan-with-person.ts';
export {
  confirmResult,
  type PublishedResult,
  type PublishRequest,
  publishResult,
} from './workflows/moves/publish-result.ts';
export { addPlanned, type OwnChecks, readyChecks } from './workflows/moves/ready-checks.ts';
export {
  type RoundEnd,
  type RoundStart,
  type Rounds,
  type RoundsEnd,
  repeatUntilPassed,
} from './workflows/moves/repeat-until-passed.ts';
export {
  type ReadersVerdict,
  type ReviewReader,
  type ReviewRequest,
  reviewWithReaders,
} from './workflows/moves/review-with-readers.ts';
export { type Checks, type VerifyRequest, verify } from './workflows/moves/verify.ts';
export { inputWithOptions, type RunInput, runInputSchema } from './workflows/run-input.ts';
export type { OptionSpecs, OptionValues } from './workflows/workflow-options.ts';
