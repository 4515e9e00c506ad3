/** The workflow `pipeline` as Forge runs it: its input and where it comes from, its roles and its run. */
import type { WorkflowProgram, WorkflowRequest } from '../definition.ts';
import type { pipelineOptions } from './definition.ts';
import { pipelineDocuments } from './documents.ts';
import { runPipeline } from './pipeline.ts';
import { type PipelineInput, pipelineInputSchema } from './pipeline-input.ts';
import { refuseRequest } from './refuse-request.ts';
import { pipelineRoles } from './roles.ts';

export const program: WorkflowProgram<PipelineInput> = {
  input: pipelineInputSchema,
  roles: pipelineRoles,
  prepare: (request: WorkflowRequest<typeof pipelineOptions>) => {
    refuseRequest(request);
    return { parallel: request.settings.parallel, pipelines: request.settings.pipelines };
  },
  run: runPipeline,
  presentation: { documents: pipelineDocuments },
};
