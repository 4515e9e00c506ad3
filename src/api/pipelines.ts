/** Pipelines of a project: which there are, what each does, and what is wrong with them. Changes nothing. */
import { z } from 'zod';
import type { Issue } from '../plan/refusal.ts';
import { checkPipeline } from '../pipelines/check-pipeline.ts';
import type { PhaseGate, PhaseOutputs } from '../pipelines/gate.ts';
import { phaseRole } from '../pipelines/phase-roles.ts';
import { type ResolvedPipeline, resolvePipeline } from '../pipelines/resolve-pipeline.ts';
import type { PipelinePhase } from '../policy/pipeline-settings.ts';
import { didYouMean } from '../records/suggest-words.ts';
import { jsonShaped } from './json-shaped.ts';
import type { Operation } from './operation.ts';
import { gatesText, openPipelines, type PipelineProject } from './pipeline-place.ts';
import { recordError } from './store-place.ts';

export interface ShownPipeline {
  readonly name: string;
  readonly source: ResolvedPipeline['source'];
  readonly description: string;
  readonly phases: readonly (PipelinePhase & {
    readonly persona: string;
    readonly tier: string;
    readonly gate: PhaseGate | undefined;
    readonly outputs: PhaseOutputs | undefined;
  })[];
  readonly errors: readonly Issue[];
  readonly notes: readonly Issue[];
}

const input = z.strictObject({
  /** Without it, all. */
  name: z.string().optional(),
});

export const showPipelines: Operation<typeof input, z.ZodType<readonly ShownPipeline[]>> = {
  name: 'show-pipelines',
  kind: 'query',
  description: 'The pipelines of this project, with their phases, gates and mistakes.',
  input,
  output: jsonShaped<readonly ShownPipeline[]>(),
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

function shownPipeline({ root, settings, roles }: PipelineProject, key: string): ShownPipeline {
  const kind = key === 'bug' ? 'bug' : 'task';
  const pipeline = resolvePipeline(settings, { kind, key });
  const { name, phases, description } = pipeline;
  const { gates, outputs, errors, notes } = checkPipeline(phases, gatesText(root, pipeline, kind), roles);
  // Its own key is how a task names it; for those that everything falls back to, the settings say it.
  const source = pipeline.source === 'record' && (key === 'default' || key === 'bug') ? 'settings' : pipeline.source;
  const shown = phases.map((phase) => {
    const { persona, tier } = phaseRole(phase.role);
    return { ...phase, persona, tier, gate: gates[phase.role], outputs: outputs[phase.role] };
  });
  // Built-in gates of phases that a pipeline of the project leaves out are nobody's mistake.
  return { name, source, description, phases: shown, errors, notes: pipeline.gates === undefined ? [] : notes };
}
