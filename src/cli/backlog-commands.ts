/**
 * What people type about their backlog: tasks, bugs and sprints, from the first wish to the retrospective. Data only; code
 * is loaded when a command runs. Those that start a run take the flags of `forge run` that make sense for them.
 */
import type { CommandEntry, CommandFlag } from './commands.ts';
import { agentFlag, detachFlag, factsFlag, intoFlag, jsonFlag, parallelFlag, yesFlag } from './shared-flags.ts';

const budget: CommandFlag = { value: 'limit', summary: 'limits, such as "5, 200k tokens, 2h"' };
const again: CommandFlag = { summary: 'start over, including work that is blocked or escalated' };
const fresh: CommandFlag = { summary: 'start a new run even if the same one is unfinished' };
const running = { agent: agentFlag, yes: yesFlag, budget, into: intoFlag, fresh, detach: detachFlag, json: factsFlag };
const description: CommandFlag = { value: 'text', short: 't', summary: 'what it is about, at length' };
const feature: CommandFlag = { value: 'id', summary: 'the feature it belongs to' };

export const backlogCommands: readonly CommandEntry[] = [
  {
    name: 'task new',
    summary: 'Write a new task into a sprint',
    words: ['title?'],
    flags: {
      sprint: { value: 'id', summary: 'the sprint; by default the one that is open' },
      description,
      estimate: { value: 'size', summary: 'S, M, L or XL' },
      depends: { value: 'ids', summary: 'tasks that have to be done first, with commas' },
      pipeline: { value: 'name', summary: 'the pipeline it goes through' },
      feature,
      json: jsonFlag,
    },
    load: async () => ({ run: (await import('./backlog.ts')).runTaskNew }),
  },
  {
    name: 'task plan',
    summary: 'Plan a task and have the plan reviewed, then stop',
    words: ['task'],
    flags: { again, ...running },
    load: async () => ({ run: (await import('./backlog.ts')).runTaskPlan }),
  },
  {
    name: 'task run',
    summary: 'Take a task through all its phases',
    words: ['task...'],
    flags: { again, until: { value: 'phase', summary: 'stop after this phase' }, parallel: parallelFlag, ...running },
    load: async () => ({ run: (await import('./backlog.ts')).runRecords }),
  },
  {
    name: 'task status',
    summary: 'Show where a task stands, its verdicts and its cost',
    words: ['task'],
    flags: { json: jsonFlag },
    load: async () => ({ run: (await import('./backlog.ts')).runRecordStatus }),
  },
  {
    name: 'bug new',
    summary: 'Report a bug',
    words: ['title?'],
    flags: {
      severity: { value: 'severity', summary: 'critical, major or minor; major by default' },
      description,
      feature,
      json: jsonFlag,
    },
    load: async () => ({ run: (await import('./backlog.ts')).runBugNew }),
  },
  {
    name: 'bug triage',
    summary: 'Find the cause of a bug and choose its route, then stop',
    words: ['bug'],
    flags: { again, ...running },
    load: async () => ({ run: (await import('./backlog.ts')).runBugTriage }),
  },
  {
    name: 'bug fix',
    summary: 'Take a bug through all its phases',
    words: ['bug...'],
    flags: { again, until: { value: 'phase', summary: 'stop after this phase' }, parallel: parallelFlag, ...running },
    load: async () => ({ run: (await import('./backlog.ts')).runRecords }),
  },
  {
    name: 'sprint new',
    summary: 'Turn a wish into a sprint, with a few questions',
    words: ['wish?'],
    flags: {
      file: { value: 'file', short: 'f', summary: 'read the wish from a file (- for standard input)' },
      ...running,
    },
    load: async () => ({ run: (await import('./backlog.ts')).runSprintNew }),
  },
  {
    name: 'sprint plan',
    summary: 'Cut a sprint into tasks that you agree to',
    words: ['sprint'],
    flags: running,
    load: async () => ({ run: (await import('./backlog.ts')).runSprintPlan }),
  },
  {
    name: 'sprint run',
    summary: 'Take all tasks of a sprint through their phases',
    words: ['sprint'],
    flags: {
      with: { value: 'ids', summary: 'bugs and tasks besides, with commas' },
      mode: { value: 'mode', summary: 'sequential, wave-parallel or full-parallel' },
      finish: { summary: 'review the sprint and look back at the end' },
      again,
      parallel: parallelFlag,
      ...running,
    },
    load: async () => ({ run: (await import('./backlog.ts')).runSprintRun }),
  },
  {
    name: 'sprint status',
    summary: 'Show tasks, burndown, and cost by task, phase and role',
    words: ['sprint?'],
    flags: { json: jsonFlag },
    load: async () => ({ run: (await import('./backlog.ts')).runSprintStatus }),
  },
  {
    name: 'sprint review',
    summary: 'Review a sprint against its requirements',
    words: ['sprint'],
    flags: running,
    load: async () => ({ run: (await import('./backlog.ts')).runSprintReview }),
  },
  {
    name: 'sprint retro',
    summary: 'Look back at a sprint and keep what helps next time',
    words: ['sprint'],
    flags: running,
    load: async () => ({ run: (await import('./backlog.ts')).runSprintRetro }),
  },
  {
    name: 'enhance',
    summary: 'Propose changes of roles as a diff; apply one when asked',
    words: ['wish-or-run...'],
    flags: {
      apply: { summary: 'apply what a run proposed; the newest proposal by default' },
      'dry-run': { summary: 'with --apply: show the diff and write nothing' },
      ...running,
    },
    load: () => import('./enhance.ts'),
  },
];
