/** The head of the workflow `pipeline`: plain data, loaded by help and completion. The run is in pipeline.ts. */
import type { WorkflowDefinition } from '../definition.ts';
import type { OptionSpecs } from '../workflow-options.ts';

export const pipelineOptions = {
  mode: { type: 'text', placeholder: 'mode', summary: 'sequential, wave-parallel or full-parallel' },
  until: { type: 'text', placeholder: 'phase', summary: 'stop after this phase, such as review-plan' },
  do: { type: 'text', placeholder: 'what', default: 'run', summary: 'run, intake, plan, review, retro or enhance' },
  again: { type: 'boolean', summary: 'start over, including work that is blocked or escalated' },
  finish: { type: 'boolean', summary: 'review a sprint and look back at the end' },
  inline: { type: 'boolean', summary: 'give agents the whole text of their role' },
} as const satisfies OptionSpecs;

export const pipelineDefinition: WorkflowDefinition = {
  name: 'pipeline',
  version: 1,
  summary: 'Take tasks, bugs or a sprint of your records through gated phases',
  argument: { name: 'ids', kind: 'text', summary: 'ids of tasks, bugs or sprints in .forge/store' },
  options: pipelineOptions,
  examples: [
    ['forge pipeline ACME-S01-T03', 'one task, from its plan to its merge'],
    ['forge pipeline "ACME-S01 ACME-BUG-007"', 'a whole sprint and a bug'],
    ['forge pipeline ACME-S01 --mode full-parallel', 'as many tasks at once as possible'],
  ],
  keeps: '.forge/store',
  demo: 'pipeline',
  load: () => import('./program.ts'),
};
