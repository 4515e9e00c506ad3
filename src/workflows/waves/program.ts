/** The workflow `waves` as Forge runs it: its input, its roles and its run. */
import type { WorkflowProgram } from '../definition.ts';
import { waveRoles } from './roles.ts';
import { runWaves } from './waves.ts';
import { type WavesInput, wavesInputSchema } from './waves-input.ts';

export const program: WorkflowProgram<WavesInput> = { input: wavesInputSchema, roles: waveRoles, run: runWaves };
