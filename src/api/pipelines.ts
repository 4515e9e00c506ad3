/** Pipelines of a project: which there are, what each does, and what is wrong with them. Changes nothing. */
import { z } from 'zod';
import { checkPipeline } from '../pipelines/check-pipeline.ts';
import { phaseRole } from '../pipelines/phase-roles.ts';
import { isJudging } from '../pipelines/record-states.ts';
import { resolvePipeline } from '../pipelines/resolve-pipeline.ts';
import { pipelinePhaseSchema } from '../policy/pipeline-settings.ts';
import { didYouMean } from '../records/suggest-words.ts';
import type { JsonOf, Operation } from './operation.ts';
import { issueSchema } from './output-shapes.ts';
import { gatesText, openPipelines, type PipelineProject } from './pipeline-place.ts';
import { recordError } from './store-place.ts';

const fieldRule = z.union([
  z.strictObject({ field: z.string(), op: z.enum(['==', '!=']), value: z.string() }),
  z.strictObject({ field: z.string(), op: z.literal('in'), value: z.array(z.string()) }),
]);
const phaseOutputs = z.strictObject({
  artifacts: z.array(z.strictObject({ path: z.string(), minBytes: z.number() })),
  require: z.array(fieldRule),
});
const pipelineShape = z.strictObject({
  name: z.string(),
  source: z.enum(['record', 'settings', 'built in']),
  description: z.string(),
  phases: z.array(
    pipelinePhaseSchema.extend({
      persona: z.string(),
      tier: z.string(),
      /** Its verdict decides where the record goes. */
      judges: z.boolean(),
      gate: phaseOutputs
        .extend({
          forbid: z.array(fieldRule),
          after: z.array(z.strictObject({ phase: z.string(), verdict: z.string() })),
        })
        .optional(),
      outputs: phaseOutputs.optional(),
    }),
  ),
  errors: z.array(issueSchema),
  notes: z.array(issueSchema),
});
const output = z.array(pipelineShape);
export type ShownPipeline = JsonOf<typeof pipelineShape>;

const input = z.strictObject({
  /** Without it, all. */
  name: z.string().optional(),
});

export const showPipelines: Operation<typeof input, typeof output> = {
  name: 'show-pipelines',
  kind: 'query',
  description: 'The pipelines of this project, with their phases, gates and mistakes.',
  input,
  output,
  async run(context, { name }) {
    const project = await openPipelines(context);
    const names = [...new Set(['default', 'bug', ...Object.keys(project.settings)])];
    if (name !== undefined && !names.includes(name)) {
      const hint = didYouMean(name, names) || `There are ${names.join(', ')}.`;
      throw recordError(`There is no pipeline ${JSON.stringify(name)}`, [], hint);
    }
    return names.filter((one) => name === undefined || one === name).map((one) => shownPipeline(project, one));
  },
};

function shownPipeline({ top, settings, roles }: PipelineProject, key: string): ShownPipeline {
  const kind = key === 'bug' ? 'bug' : 'task';
  const pipeline = resolvePipeline(settings, { kind, key });
  const { name, phases, description } = pipeline;
  const { gates, outputs, errors, notes } = checkPipeline(phases, gatesText(top, pipeline, kind), roles);
  // Its own key is how a task names it; for those that everything falls back to, the settings say it.
  const source = pipeline.source === 'record' && (key === 'default' || key === 'bug') ? 'settings' : pipeline.source;
  const shown = phases.map((phase) => {
    const { persona, tier } = phaseRole(phase.role);
    return {
      ...phase,
      persona,
      tier,
      judges: isJudging(phase.role),
      gate: gates[phase.role],
      outputs: outputs[phase.role],
    };
  });
  // Built-in gates of phases that a pipeline of the project leaves out are nobody's mistake.
  return { name, source, description, phases: shown, errors, notes: pipeline.gates === undefined ? [] : notes };
}
