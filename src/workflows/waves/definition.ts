/** The head of the workflow `waves`: plain data, loaded by help and completion. The run is in waves.ts. */
import { requirementArgument, type WorkflowDefinition } from '../definition.ts';

export const wavesDefinition: WorkflowDefinition = {
  name: 'waves',
  version: 2,
  summary: 'Develop and test in a few waves, one after the other',
  argument: requirementArgument,
  demo: 'demo',
  sequential: true,
  options: {},
  examples: [['forge waves "Add a login page"', 'plan, ask, then develop and test wave by wave']],
  load: () => import('./program.ts'),
};
