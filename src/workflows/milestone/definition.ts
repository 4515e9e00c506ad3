/** The head of the workflow `milestone`: plain data, loaded by help and completion. The run is in milestone.ts. */
import type { WorkflowDefinition } from '../definition.ts';
import type { OptionSpecs } from '../workflow-options.ts';

export const milestoneOptions = {
  slices: {
    type: 'number',
    placeholder: 'n',
    min: 1,
    max: 8,
    default: 1,
    summary: 'how many independent slices run at once',
  },
  'plan-check': {
    type: 'choice',
    choices: ['advisory', 'blocking', 'disabled'],
    default: 'advisory',
    summary: 'advisory, blocking or disabled: check of slice plans',
  },
  symbols: {
    type: 'choice',
    choices: ['advisory', 'disabled'],
    default: 'advisory',
    summary: 'advisory or disabled: look up names plans build on',
  },
  review: {
    type: 'choice',
    choices: ['auto', 'dialectic', 'flags', 'disabled'],
    default: 'auto',
    summary: 'auto, dialectic, flags or disabled',
  },
  rounds: {
    type: 'number',
    placeholder: 'n',
    min: 0,
    max: 3,
    default: 1,
    summary: 'how often a challenger may answer back',
  },
  'fix-now': {
    type: 'choice',
    choices: ['on', 'off'],
    default: 'on',
    summary: 'fix conceded objections before a slice closes',
  },
  open: {
    type: 'choice',
    choices: ['defer', 'ask'],
    default: 'defer',
    summary: 'leave open objections for the end, or ask at once',
  },
  repairs: {
    type: 'number',
    placeholder: 'n',
    min: 0,
    max: 5,
    default: 2,
    summary: 'how often a task may be repaired',
  },
  reinject: {
    type: 'choice',
    choices: ['auto', 'off'],
    default: 'auto',
    summary: 'put requirements that were not met into the next unit',
  },
  with: {
    type: 'text',
    placeholder: 'dirs',
    summary: 'other repositories to work on too, with commas between them',
  },
  'skip-discuss': { type: 'boolean', summary: 'continue without discussing the milestone' },
  'skip-research': { type: 'boolean', summary: 'continue without research' },
} as const satisfies OptionSpecs;

export const milestoneDefinition: WorkflowDefinition = {
  name: 'milestone',
  version: 1,
  summary: 'Work on a whole milestone by itself: slices, tasks, reviews',
  argument: { name: 'milestone', kind: 'text', summary: 'what the milestone should reach, or the id of one in .gsd' },
  options: milestoneOptions,
  keeps: '.gsd',
  repositoriesOption: 'with',
  demo: 'milestone',
  examples: [
    ['forge milestone "Accounts with login and roles" --detach', 'plan and build a new milestone, in the background'],
    ['forge milestone "One login" --with ../api,../web', 'work on three repositories; each gets a branch'],
    ['forge milestone M003 --plan-check blocking', 'continue a milestone of .gsd; plans have to pass their check'],
  ],
  load: () => import('./program.ts'),
};
