/**
 * The workflows that come with Forge: one line per folder. Nothing but heads is loaded here, so that help and completion
 * stay cheap. This file and the folders are the only places that know a workflow by name.
 */
import type { WorkflowDefinition } from './definition.ts';
import { modulesDefinition } from './modules/definition.ts';
import { wavesDefinition } from './waves/definition.ts';

export const builtinDefinitions: readonly WorkflowDefinition[] = [wavesDefinition, modulesDefinition];

/** What `forge run`, MCP and every other skin start when nobody names a workflow. */
export const defaultWorkflow = wavesDefinition.name;

export function findDefinition(name: string): WorkflowDefinition | undefined {
  return builtinDefinitions.find((definition) => definition.name === name);
}
