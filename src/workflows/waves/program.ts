/** The workflow `waves` as Forge runs it: its input, its roles and its run. */
import { developerResult, learnerResult, plannerResult, testerResult } from '../../policy/role-results.ts';
import type { WorkflowProgram } from '../definition.ts';
import { waves } from './waves.ts';
import { type WavesInput, wavesInputSchema } from './waves-input.ts';

export const program: WorkflowProgram<WavesInput> = {
  input: wavesInputSchema,
  roles: {
    planner: { result: plannerResult, access: 'read' },
    developer: { result: developerResult, access: 'write' },
    tester: { result: testerResult, access: 'write' },
    learner: { result: learnerResult, access: 'read' },
  },
  run: (bench) => waves.run(bench),
};
