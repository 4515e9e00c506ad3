/** The head of the workflow `waves`: plain data, loaded by help and completion. The run is in waves.ts. */
import type { WorkflowDefinition } from '../definition.ts';

export const wavesDefinition = {
  name: 'waves',
  version: 2,
  summary: 'Plan a requirement in a few waves, each developed and tested in turn',
  argument: { name: 'requirement', kind: 'text', summary: 'what should be built' },
  options: {},
  load: () => import('./program.ts'),
} as const satisfies WorkflowDefinition;
