/** The public surface of the library: what a skin or a program needs to run Forge. Workflows: see workflow.ts. Re-exports only. */
export { examineMachine, type Forge, type ForgeOptions, openForge } from './compose.ts';
export type { Engine, RunHandle, RunListing, StartRequest } from './engine/engine.ts';
export type { Fact } from './engine/facts.ts';
export { parseSettings, type Settings, settingsSchema } from './policy/settings.ts';
export { forgeVersion } from './version.ts';
export * from './workflow.ts';
export { builtinDefinitions } from './workflows/registry.ts';
