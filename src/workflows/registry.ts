/**
 * The workflows that come with Forge: an import and a line each. Nothing but heads is loaded here, so that help and
 * completion stay cheap. This file and the folders are the only places that know a workflow by name.
 */
import type { WorkflowDefinition } from './definition.ts';
import { designDefinition } from './design/definition.ts';
import { milestoneDefinition } from './milestone/definition.ts';
import { modulesDefinition } from './modules/definition.ts';
import { pipelineDefinition } from './pipeline/definition.ts';
import { wavesDefinition } from './waves/definition.ts';

/** The first one is what `forge run`, MCP and every other skin start when nobody names a workflow. */
export const builtinDefinitions: readonly WorkflowDefinition[] = [
  // One line each.
  wavesDefinition,
  modulesDefinition,
  pipelineDefinition,
  milestoneDefinition,
  designDefinition,
];

export const defaultWorkflow = builtinDefinitions[0]?.name ?? '';

export function findDefinition(name: string): WorkflowDefinition | undefined {
  return builtinDefinitions.find((definition) => definition.name === name);
}

/** The workflow whose runs continue what is kept in a folder of the checkout. */
export function workflowKeeping(folder: NonNullable<WorkflowDefinition['keeps']>): WorkflowDefinition {
  const found = builtinDefinitions.find(({ keeps }) => keeps === folder);
  if (found === undefined) throw new Error(`no workflow keeps ${folder}`);
  return found;
}

/** The folder of `examples/` that shows a workflow, by the workflow's name. */
export const demoFolders: Readonly<Record<string, string>> = Object.fromEntries(
  builtinDefinitions.flatMap(({ name, demo }) => (demo === undefined ? [] : [[name, demo]])),
);
