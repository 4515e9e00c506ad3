/** The workflow `waves` as Forge runs it: its input, its roles, its run and its documents. */
import type { WorkflowProgram } from '../definition.ts';
import { waveDocuments } from './documents/documents.ts';
import { editProblems } from './edited-plan.ts';
import { waveRoles } from './roles.ts';
import { runWaves } from './waves.ts';
import { type WavesInput, wavesInputSchema } from './waves-input.ts';

export const program: WorkflowProgram<WavesInput> = {
  input: wavesInputSchema,
  roles: waveRoles,
  run: runWaves,
  presentation: { documents: waveDocuments, editProblems },
};
