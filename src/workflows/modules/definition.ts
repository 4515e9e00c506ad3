/** The head of the workflow `modules`: plain data, loaded by help and completion. The run is in modules.ts. */
import type { WorkflowDefinition } from '../definition.ts';

export const modulesDefinition = {
  name: 'modules',
  version: 3,
  summary: 'Build a requirement as modules in parallel, each reviewed and merged as it passes',
  argument: { name: 'requirement', kind: 'text', summary: 'what should be built' },
  options: {
    barriers: { type: 'boolean', summary: 'finish a stage before the next one starts' },
    lite: { type: 'boolean', summary: 'one module after the other, in one workspace' },
  },
  load: () => import('./program.ts'),
} as const satisfies WorkflowDefinition;

export type ModulesOptions = (typeof modulesDefinition)['options'];
