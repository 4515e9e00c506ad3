/** The head of the workflow `design`: plain data, loaded by help and completion. The run is in design.ts. */
import type { WorkflowDefinition } from '../definition.ts';
import type { OptionSpecs } from '../workflow-options.ts';

export const designOptions = {
  execute: { type: 'text', placeholder: 'plan-dir', summary: 'build the plans of a plan directory' },
  evolve: { type: 'boolean', summary: 'build only what a changed design touches; --fresh plans everything anew' },
  from: { type: 'text', placeholder: 'plan-dir', summary: 'with --evolve: the plan directory of the last delivery' },
  plans: {
    type: 'text',
    placeholder: 'directory',
    summary: 'where plan directories are kept',
    default: 'docs/raw/plans',
  },
  threshold: {
    type: 'number',
    placeholder: 'percent',
    summary: 'how many criteria have to pass; 80, or what the plan directory says',
    min: 0,
    max: 100,
  },
  barriers: { type: 'boolean', summary: 'finish a phase before the next one starts' },
} as const satisfies OptionSpecs;

export const designDefinition: WorkflowDefinition = {
  name: 'design',
  version: 2,
  summary: 'Build a finished design, prove its criteria, and deliver its next version',
  argument: {
    name: 'design-dir',
    kind: 'directory',
    summary: 'the directory of the design',
    orOption: 'execute',
  },
  options: designOptions,
  actionFlags: {
    status: { placeholder: 'plan-dir', summary: 'show where a delivery stands; changes nothing' },
    cleanup: { placeholder: 'plan-dir', summary: 'give a delivery up: remove its workspaces and branches' },
  },
  demo: 'design-demo',
  examples: [
    ['forge design docs/raw/design/2026-05-04-shop', 'plan, build, accept and publish'],
    ['forge design docs/raw/design/2026-05-04-shop --plan-only', 'stop when the plans are ready'],
    ['forge design --execute docs/raw/plans/2026-05-04-shop-1a2b', 'build plans that exist already'],
    ['forge design docs/raw/design/2026-05-04-shop --evolve', 'build what changed since the last delivery'],
  ],
  load: () => import('./program.ts'),
};
