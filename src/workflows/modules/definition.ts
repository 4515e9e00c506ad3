/** The head of the workflow `modules`: plain data, loaded by help and completion. The run is in modules.ts. */
import { requirementArgument, type WorkflowDefinition } from '../definition.ts';
import type { OptionSpecs } from '../workflow-options.ts';

export const modulesOptions = {
  barriers: { type: 'boolean', summary: 'finish a stage before the next one starts' },
  lite: { type: 'boolean', summary: 'build one module after the other, in one workspace' },
} as const satisfies OptionSpecs;

export const modulesDefinition: WorkflowDefinition = {
  name: 'modules',
  version: 4,
  summary: 'Build modules in parallel, each reviewed and merged when it passes',
  argument: requirementArgument,
  options: modulesOptions,
  examples: [
    ['forge modules "Add a shop" --detach', 'build modules in parallel, in the background'],
    ['forge modules -f issue.md --lite', 'one module after the other'],
  ],
  load: () => import('./program.ts'),
};
