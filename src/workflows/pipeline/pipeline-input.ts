/** What a `pipeline` run is started with. Settings and defaults are resolved before: a run never reads them again. */
import { z } from 'zod';
import { pipelineSettingsSchema } from '../../policy/pipeline-settings.ts';
import { optionsSchema, runInputSchema } from '../run-input.ts';
import { pipelineOptions } from './definition.ts';

export const pipelineInputSchema = runInputSchema.extend({
  options: optionsSchema(pipelineOptions).prefault({} as never),
  pipelines: pipelineSettingsSchema,
  parallel: z.number().int().min(1).max(64).default(3),
});
export type PipelineInput = z.infer<typeof pipelineInputSchema>;

/** Ids as a person types them: with spaces or commas between. */
export function readIds(text: string): readonly string[] {
  return [...new Set(text.split(/[\s,]+/).filter((id) => id !== ''))];
}
