/**
 * Commands about plans and records that work without a run: designs, plan directories, the store and pipelines.
 * Data only; code is loaded when a command runs.
 */
import type { CommandEntry } from './commands.ts';
import { jsonFlag } from './shared-flags.ts';

export const recordCommands: readonly CommandEntry[] = [
  {
    name: 'design check',
    summary: 'Read a design and its PRD, and name every gap',
    words: ['directory'],
    flags: { json: jsonFlag },
    load: async () => ({ run: (await import('./design.ts')).runCheck }),
  },
  {
    name: 'design impact',
    summary: 'Show which modules a changed design touches',
    words: ['directory'],
    flags: {
      since: { value: 'commit', summary: 'the tag or commit the design is compared with' },
      plan: { value: 'directory', summary: 'the plan directory of the last delivery' },
      json: jsonFlag,
    },
    load: async () => ({ run: (await import('./design.ts')).runImpact }),
  },
  {
    name: 'design status',
    summary: 'Show where a delivery stands',
    words: ['plan-dir'],
    flags: { json: jsonFlag },
    load: async () => ({ run: (await import('./design.ts')).runStatus }),
  },
  {
    name: 'check-plan',
    summary: 'Check a plan directory and the discipline of its source',
    words: ['plan-dir?'],
    flags: {
      'source-root': { value: 'directory', summary: 'also check the source files there' },
      gate: { value: 'gate', summary: 'plan, execute, accept or delivery-tag' },
      sarif: { value: 'file', summary: 'findings for tools that show them beside the code' },
      json: jsonFlag,
    },
    load: () => import('./check-plan.ts'),
  },
  {
    name: 'store',
    summary: 'Read and write the records of tasks, bugs and sprints',
    words: ['verb', 'words...'],
    choices: [
      'write',
      'read',
      'list',
      'query',
      'validate',
      'describe',
      'template',
      'update-status',
      'set-summary',
      'get-summary',
      'emit',
      'merge-sidecar',
      'progress',
      'progress-clear',
      'delete',
      'migrate',
    ],
    flags: {
      'dry-run': { summary: 'decide and tell, but write nothing' },
      force: { summary: 'set any state, whatever the rules; needs FORGE_ALLOW_FORCE=1' },
      back: { summary: 'migrate: put the files back as they were' },
      sidecar: { summary: 'emit: usage that is merged into the event later' },
      'allow-synthetic': { summary: 'emit: also for a sprint without a record' },
      sort: { value: 'field', summary: 'query: by this field; -field for the other way' },
      limit: { value: 'n', summary: 'query: at most so many' },
      json: { summary: 'print data on one line for scripts' },
    },
    load: () => import('./store.ts'),
  },
  {
    name: 'collate',
    summary: 'Build the index and feature pages from the records',
    words: [],
    flags: { 'dry-run': { summary: 'tell which pages would change' }, json: jsonFlag },
    load: () => import('./collate.ts'),
  },
  {
    name: 'health',
    summary: 'Check that records, documents and pipelines fit together',
    words: [],
    flags: { json: jsonFlag },
    load: () => import('./health.ts'),
  },
  {
    name: 'pipeline list',
    summary: 'List the pipelines with their phases',
    words: [],
    flags: { json: jsonFlag },
    load: async () => ({ run: (await import('./pipeline.ts')).runList }),
  },
  {
    name: 'pipeline show',
    summary: 'Show the phases and gates of a pipeline',
    words: ['name?'],
    flags: { json: jsonFlag },
    load: async () => ({ run: (await import('./pipeline.ts')).runShow }),
  },
  {
    name: 'pipeline check',
    summary: 'Check the pipelines of this project',
    words: ['name?'],
    flags: { json: jsonFlag },
    load: async () => ({ run: (await import('./pipeline.ts')).runCheck }),
  },
  {
    name: 'pipeline gate',
    summary: 'Say whether a phase may start',
    words: ['record', 'phase'],
    flags: { commit: { value: 'commit', summary: 'look files up there instead of HEAD' }, json: jsonFlag },
    load: async () => ({ run: (await import('./pipeline.ts')).runGate }),
  },
  {
    name: 'pipeline verdict',
    summary: 'Show the stored verdict of a phase',
    words: ['record', 'phase'],
    flags: { json: jsonFlag },
    load: async () => ({ run: (await import('./pipeline.ts')).runVerdict }),
  },
];
