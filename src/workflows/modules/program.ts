/** The workflow `modules` as Forge runs it: its input and where it comes from, its roles and its run. */
import type { WorkflowProgram, WorkflowRequest } from '../definition.ts';
import type { modulesOptions } from './definition.ts';
import { runModules } from './modules.ts';
import { type ModulesInput, modulesInputSchema } from './modules-input.ts';
import { moduleRoles } from './roles.ts';

export const program: WorkflowProgram<ModulesInput> = {
  input: modulesInputSchema,
  roles: moduleRoles,
  prepare: ({ settings, repository }: WorkflowRequest<typeof modulesOptions>) => ({
    parallel: settings.parallel,
    history: settings.history,
    dirty: repository.dirty,
  }),
  run: runModules,
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
