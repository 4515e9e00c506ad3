/**
 * The commands as data. Help, completion and argument parsing use this table, and a command's code is loaded only when
 * it runs. Every workflow is a command too (workflow-command.ts). Nothing is imported here, so `--help` costs no more
 * than Node itself. A summary fits an 80-column terminal.
 */

export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** Names of what may follow, in order; one that ends with `?` may be left out, one with `...` may come any number of times. */
  readonly words: readonly string[];
  /** What the first word can be, where that is known beforehand. */
  readonly choices?: readonly string[];
  readonly flags: Readonly<Record<string, Flag>>;
  /** Values that the command's name stands for, such as the workflow. */
  readonly fixed?: Readonly<Record<string, string>>;
  /** Command lines, each with what it does; those of Forge's own commands are in examples.ts. */
  readonly examples?: readonly (readonly [command: string, about: string])[];
  /** What to try when a flag is not in this table. */
  readonly whenUnknown?: string;
  readonly load: () => Promise<{ readonly run: (call: Call) => Promise<number> }>;
}

export interface Flag {
  /** What the value is, for help; without it the flag takes none. */
  readonly value?: string;
  readonly short?: string;
  readonly summary: string;
  /** For Forge itself. */
  readonly hidden?: true;
}

/** A command line that was understood. */
export interface Call {
  readonly words: readonly string[];
  readonly values: Readonly<Record<string, string>>;
  readonly switches: ReadonlySet<string>;
}

const json: Flag = { summary: 'print data for scripts' };
const facts: Flag = { summary: 'print one fact per line' };
const into: Flag = { value: 'branch', summary: 'move this branch of yours to the result at the end' };
const agent: Flag = { value: 'name', summary: 'let this agent do all the work from now on' };
const yes: Flag = { short: 'y', summary: 'take the recommended answers' };
const newest: Flag = { short: 'y', summary: 'do not ask; without a name, take the newest run that fits' };
const takeOver: Flag = { summary: 'take it from a process on a host that is gone for good' };
const detach: Flag = { short: 'd', summary: 'run in the background' };
const parallel: Flag = { value: 'n', summary: 'how many tasks may run at once' };

export const commands: readonly CommandEntry[] = [
  {
    name: 'init',
    summary: 'Write .forge/config.yaml, or add new agents to it',
    words: [],
    flags: { json },
    load: () => import('./init.ts'),
  },
  {
    name: 'run',
    summary: 'Turn a requirement into a verified branch',
    words: ['requirement?'],
    flags: {
      file: { value: 'file', short: 'f', summary: 'read the requirement from a file (- for standard input)' },
      workflow: { value: 'name', summary: 'use this workflow; forge <workflow> does the same' },
      agent: { value: 'name', summary: 'use one agent for all roles' },
      yes,
      'plan-only': { summary: 'stop when the plan is ready; forge resume continues' },
      budget: { value: 'limit', summary: 'such as 5, 200k tokens, 30 turns, 2h; several with commas' },
      parallel,
      into,
      record: { value: 'file', summary: "record the agents' work for forge rehearse" },
      fresh: { summary: 'start a new run even if the same one is unfinished' },
      'no-memory': { summary: 'neither use nor keep lessons' },
      detach,
      json: facts,
    },
    load: () => import('./run.ts'),
  },
  {
    name: 'attach',
    summary: 'Watch a run that another process works on, and answer it',
    words: ['run?'],
    flags: { json: facts },
    load: () => import('./attach.ts'),
  },
  {
    name: 'resume',
    summary: 'Continue a run that was paused, interrupted or stopped',
    words: ['run?'],
    flags: {
      yes,
      budget: { value: 'limit', summary: 'new limits for the run, such as $20 or 2h' },
      agent,
      into,
      'plan-only': { summary: 'stop when the plan is ready', hidden: true },
      'take-over': takeOver,
      detach,
      json: facts,
    },
    load: () => import('./resume.ts'),
  },
  {
    name: 'retry',
    summary: 'Try again what failed, and continue the run',
    words: ['run?', 'task?'],
    flags: { yes, agent, into, 'take-over': takeOver, detach, json: facts },
    load: () => import('./retry.ts'),
  },
  {
    name: 'list',
    summary: 'List the runs of this repository',
    words: [],
    flags: {
      adopt: { value: 'repository', summary: 'work with the runs of another clone from here' },
      names: { summary: 'only the names', hidden: true },
      json,
    },
    load: () => import('./list.ts'),
  },
  {
    name: 'status',
    summary: 'Show where a run stands and what it asks',
    words: ['run?'],
    flags: { json },
    load: () => import('./status.ts'),
  },
  {
    name: 'show',
    summary: 'Show the result of a run, or of one task',
    words: ['run?', 'task?'],
    flags: { plan: { summary: 'show only the plan' }, json },
    load: () => import('./show.ts'),
  },
  {
    name: 'diff',
    summary: 'Show what a run or a task changed, as git diff does',
    words: ['run?', 'task?'],
    flags: { stat: { summary: 'show only which files changed, and how much' }, json },
    load: () => import('./diff.ts'),
  },
  {
    name: 'report',
    summary: 'Write a report: Markdown, HTML or SARIF',
    words: ['run?'],
    flags: {
      html: { value: 'file', summary: 'a page that works offline (- for standard output)' },
      sarif: { value: 'file', summary: 'findings for tools that show them beside the code' },
      json,
    },
    load: () => import('./report.ts'),
  },
  {
    name: 'logs',
    summary: 'Show what agents said and checks printed',
    words: ['run?', 'task?'],
    flags: { follow: { short: 'f', summary: 'keep printing what comes' }, json: { summary: 'one entry per line' } },
    load: () => import('./logs.ts'),
  },
  {
    name: 'answer',
    summary: 'Answer a question of a run, and continue it',
    words: ['run?', 'question?'],
    flags: {
      option: { value: 'option', short: 'o', summary: 'choose an option by its id or its number' },
      text: { value: 'text', short: 't', summary: 'answer in your own words' },
      edit: { summary: 'change the plan in $EDITOR and use that' },
      yes: { short: 'y', summary: 'take the recommended answers, to later questions too' },
      into,
      'no-resume': { summary: 'only leave the answer; forge resume continues' },
      json: facts,
    },
    load: () => import('./answer.ts'),
  },
  {
    name: 'record',
    summary: "Record the agents' work of a run for forge rehearse",
    words: ['run', 'file'],
    flags: { json },
    load: () => import('./record.ts'),
  },
  {
    name: 'rehearse',
    summary: 'Replay recorded agent work without a model and compare',
    words: ['file?'],
    flags: {
      'from-history': { value: 'A..B', summary: 'replay commits of this repository instead' },
      check: { value: 'run', summary: 'only compare the result of an earlier rehearsal' },
      workflow: { value: 'name', summary: 'of a recording: another workflow than the recorded' },
      parallel,
      barriers: { summary: 'of a history: finish a stage before the next one starts' },
      pace: { value: 'part', summary: 'wait this part of the time agents took, such as 0.1' },
      yes,
      keep: { summary: 'keep the run even if everything is the same' },
      'no-measure': { summary: 'of a history: do not run the checks on each commit' },
      json: { summary: 'one fact per line, then the comparison' },
    },
    load: () => import('./rehearse.ts'),
  },
  {
    name: 'milestone',
    summary: 'Show where the milestones of a .gsd project stand',
    words: ['action?', 'milestone?'],
    choices: ['status'],
    flags: { verbose: { summary: 'show every remark about the files' }, json },
    load: () => import('./milestone.ts'),
  },
  {
    name: 'notify',
    summary: 'Try the notifications that runs send you',
    words: ['action'],
    choices: ['test'],
    flags: { json },
    load: () => import('./notify.ts'),
  },
  {
    name: 'pause',
    summary: 'Stop a run for now; forge resume continues it',
    words: ['run?'],
    flags: { json },
    load: () => import('./pause.ts'),
  },
  {
    name: 'cancel',
    summary: 'End a run for good; what it merged stays',
    words: ['run?'],
    flags: { reason: { value: 'text', summary: 'why, for the journal' }, yes: newest, json },
    load: () => import('./cancel.ts'),
  },
  {
    name: 'land',
    summary: 'Move a branch of yours to the result of a run',
    words: ['run?'],
    flags: {
      into: { value: 'branch', summary: 'the branch to move; by default the one it started on' },
      force: { summary: 'also land what an unfinished or failed run merged' },
      json,
    },
    load: () => import('./land.ts'),
  },
  {
    name: 'undo',
    summary: 'Put back every branch that a run moved',
    words: ['run?'],
    flags: {
      revert: { summary: 'where you built on the result, add a commit that reverts it' },
      yes: newest,
      json,
    },
    load: () => import('./undo.ts'),
  },
  {
    name: 'cleanup',
    summary: 'Remove what a run keeps: workspaces, refs, journal',
    words: ['run?'],
    flags: {
      all: { summary: 'every run that is over' },
      force: { summary: 'even work that exists nowhere else' },
      yes: newest,
      json,
    },
    load: () => import('./cleanup.ts'),
  },
  {
    name: 'trust',
    summary: "Trust this repository's Forge settings",
    words: [],
    flags: { yes: { short: 'y', summary: 'agree without being asked' }, json },
    load: () => import('./trust.ts'),
  },
  {
    name: 'doctor',
    summary: 'Check what Forge needs, here and on this machine',
    words: [],
    flags: { json },
    load: () => import('./doctor.ts'),
  },
  {
    name: 'agents',
    summary: 'List the agents and check that they start',
    words: ['test?', 'name?'],
    choices: ['test'],
    flags: { json },
    load: () => import('./agents.ts'),
  },
  {
    name: 'memory',
    summary: 'List, edit, remove or promote lessons of earlier runs',
    words: ['action?', 'lesson?'],
    choices: ['list', 'show', 'edit', 'remove', 'promote'],
    flags: {
      text: { value: 'text', short: 't', summary: 'edit: the new text of the lesson' },
      user: { summary: 'only lessons of your own memory, for all projects' },
      json,
    },
    load: () => import('./memory.ts'),
  },
  {
    name: 'design',
    summary: 'Check a design, see what a change touches, show a delivery',
    words: ['action', 'directory'],
    choices: ['check', 'impact', 'status'],
    flags: {
      since: { value: 'commit', summary: 'impact: the tag or commit the design is compared with' },
      plan: { value: 'directory', summary: 'impact: the plan directory of the last delivery' },
      json,
    },
    load: () => import('./design.ts'),
  },
  {
    name: 'check-plan',
    summary: 'Check a plan directory and the discipline of its source',
    words: ['plan-dir?'],
    flags: {
      'source-root': { value: 'directory', summary: 'also check the source files there' },
      gate: { value: 'gate', summary: 'plan, execute, accept or delivery-tag' },
      sarif: { value: 'file', summary: 'findings for tools that show them beside the code' },
      json,
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
      force: { summary: 'a state that may not follow; needs FORGE_ALLOW_FORCE=1' },
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
    flags: { 'dry-run': { summary: 'tell which pages would change' }, json },
    load: () => import('./collate.ts'),
  },
  {
    name: 'health',
    summary: 'Check that records, documents and pipelines fit together',
    words: [],
    flags: { json },
    load: () => import('./health.ts'),
  },
  {
    name: 'pipeline',
    summary: 'Show and check the phases and gates that tasks go through',
    words: ['action?', 'name?', 'phase?'],
    choices: ['list', 'show', 'check', 'gate', 'verdict'],
    flags: { commit: { value: 'commit', summary: 'gate: look files up there instead of HEAD' }, json },
    load: () => import('./pipeline.ts'),
  },
  {
    name: 'mcp',
    summary: 'Serve this project to an MCP client over standard input',
    words: [],
    flags: { project: { value: 'directory', summary: 'another project than the current directory' } },
    load: () => import('./mcp.ts'),
  },
  {
    name: 'demo',
    summary: 'Watch a whole run, offline, on a small example',
    words: [],
    flags: { json: facts },
    load: () => import('./demo.ts'),
  },
  {
    name: 'completion',
    summary: 'Print completion for your shell: bash, zsh or fish',
    words: ['shell'],
    choices: ['bash', 'zsh', 'fish'],
    flags: {},
    load: () => import('./completion.ts'),
  },
];
