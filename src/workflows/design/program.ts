/** The workflow `design` as Forge runs it: its input and where it comes from, its roles and its run. */
import type { WorkflowProgram } from '../definition.ts';
import { runDesign } from './design.ts';
import { type DesignInput, designInputSchema } from './design-input.ts';
import { prepareRun } from './prepare-run.ts';
import { designRoles } from './roles.ts';
import { impactProblems } from './rules/impact-override.ts';

export const program: WorkflowProgram<DesignInput> = {
  input: designInputSchema,
  roles: designRoles,
  prepare: (request) => prepareRun(request as never),
  run: runDesign,
  presentation: { editProblems: impactProblems },
};
