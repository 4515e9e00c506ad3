/** The workflow `modules` as Forge runs it: its input and where it comes from, its roles and its run. */
import {
  debuggerResult,
  modulePlanResult,
  overseerResult,
  reviewerResult,
  workerResult,
} from '../../policy/module-results.ts';
import { learnerResult } from '../../policy/role-results.ts';
import type { WorkflowProgram, WorkflowRequest } from '../definition.ts';
import type { modulesOptions } from './definition.ts';
import { modules } from './modules.ts';
import { type ModulesInput, modulesInputSchema } from './modules-input.ts';

export const program: WorkflowProgram<ModulesInput> = {
  input: modulesInputSchema,
  roles: {
    architect: { result: modulePlanResult, access: 'read' },
    worker: { result: workerResult, access: 'write' },
    reviewer: { result: reviewerResult, access: 'read' },
    overseer: { result: overseerResult, access: 'read' },
    debugger: { result: debuggerResult, access: 'write' },
    auditor: { result: reviewerResult, access: 'read' },
    learner: { result: learnerResult, access: 'read' },
  },
  prepare: ({ options, settings, repository }: WorkflowRequest<typeof modulesOptions>) => ({
    parallel: settings.parallel,
    history: settings.history,
    barriers: options.barriers,
    lite: options.lite,
    dirty: repository.dirty,
  }),
  run: (bench) => modules.run(bench),
  rehearsal: {
    worker: 'worker',
    done: (work) => ({ status: 'done', ...work }),
    replies: (tasks) => ({
      architect: { tasks, techStack: {} },
      reviewer: { findings: [] },
      auditor: { findings: [] },
      learner: { lessons: [] },
    }),
    input: { contracts: false },
  },
};
