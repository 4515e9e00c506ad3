/** The commands `forge milestone …` as data; code is loaded when a command runs. */
import { workflowKeeping } from '../workflows/registry.ts';
import type { CommandEntry, CommandFlag } from './commands.ts';
import { detachFlag, factsFlag, intoFlag, jsonFlag, optionFlags, parallelFlag, yesFlag } from './shared-flags.ts';

const budget: CommandFlag = { value: 'limit', summary: 'limits, such as "5, 200k tokens, 2h"' };
const depends: CommandFlag = { value: 'ids', summary: 'what has to be done before it, with commas' };
const file: CommandFlag = { value: 'file', short: 'f', summary: 'read the text from a file (- for standard input)' };
const work = {
  ...optionFlags(workflowKeeping('.gsd').options),
  yes: yesFlag,
  budget,
  parallel: parallelFlag,
  into: intoFlag,
  detach: detachFlag,
  json: factsFlag,
};

export const milestoneCommands: readonly CommandEntry[] = [
  {
    name: 'milestone new',
    summary: 'Add a milestone, to be built later',
    words: ['title?'],
    flags: { file, json: jsonFlag },
    load: async () => ({ run: (await import('./milestone.ts')).runNew }),
  },
  {
    name: 'milestone discuss',
    summary: 'Write down what was agreed about it',
    words: ['id', 'text'],
    flags: { json: jsonFlag },
    load: async () => ({ run: (await import('./milestone.ts')).runDiscuss }),
  },
  {
    name: 'milestone run',
    summary: 'Work on it until it is done',
    words: ['id?'],
    flags: work,
    load: async () => ({ run: (await import('./milestone.ts')).runAutopilot }),
  },
  {
    name: 'milestone next',
    summary: 'Do one unit of work, then stop',
    words: ['id?'],
    flags: { ...work, units: { value: 'n', summary: 'how many units, by default 1' } },
    load: async () => ({ run: (await import('./milestone.ts')).runNext }),
  },
  {
    name: 'milestone status',
    summary: 'Show where a .gsd project stands',
    words: ['id?'],
    flags: { verbose: { summary: 'show every remark about the files' }, json: jsonFlag },
    load: async () => ({ run: (await import('./milestone.ts')).runStatus }),
  },
  {
    name: 'milestone add-slice',
    summary: 'Add a slice to a milestone',
    words: ['id', 'title'],
    flags: {
      risk: { value: 'low|medium|high', summary: 'how much would break by a mistake' },
      demo: { value: 'text', summary: 'what can be seen when it is done' },
      depends,
      json: jsonFlag,
    },
    load: async () => ({ run: (await import('./milestone.ts')).runAddSlice }),
  },
  {
    name: 'milestone add-task',
    summary: 'Add a task to a slice',
    words: ['id', 'slice', 'title'],
    flags: {
      writes: { value: 'paths', summary: 'files and globs it may change, with commas' },
      depends,
      file,
      json: jsonFlag,
    },
    load: async () => ({ run: (await import('./milestone.ts')).runAddTask }),
  },
  {
    name: 'milestone pause',
    summary: 'Pause the run of a milestone',
    words: ['id?'],
    flags: { json: jsonFlag },
    load: async () => ({ run: (await import('./milestone.ts')).runPause }),
  },
  {
    name: 'milestone report',
    summary: 'Show what came of it and its cost',
    words: ['id?'],
    flags: { json: jsonFlag },
    load: async () => ({ run: (await import('./milestone.ts')).runReport }),
  },
  {
    name: 'milestone reverse',
    summary: 'Reverse a decision of a run',
    words: ['decision', 'id?'],
    flags: { 'dry-run': { summary: 'only say what it would redo' }, json: jsonFlag },
    load: async () => ({ run: (await import('./milestone.ts')).runReverse }),
  },
  {
    name: 'dashboard',
    summary: 'Write the overview document of a .gsd project again',
    words: [],
    flags: { json: jsonFlag },
    load: () => import('./dashboard.ts'),
  },
];
