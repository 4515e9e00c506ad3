/**
 * The commands as data: help, completion and the parsing of arguments come from this table, and a command's code is
 * loaded when it is run. Nothing is imported here, so that `--help` costs what Node itself costs.
 */

export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** Names of what may follow, in order; one that ends with `?` may be left out. */
  readonly words: readonly string[];
  /** What the first word can be, where that is known beforehand. */
  readonly choices?: readonly string[];
  readonly flags: Readonly<Record<string, Flag>>;
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

const json: Flag = { summary: 'data for scripts' };
const into: Flag = { value: 'branch', summary: 'when all is done, move this branch of yours to the result' };
const yes: Flag = { short: 'y', summary: 'take the recommended answers' };

export const commands: readonly CommandEntry[] = [
  {
    name: 'init',
    summary: 'find out about this project and write .forge/config.yaml',
    words: [],
    flags: { json },
    load: () => import('./init.ts'),
  },
  {
    name: 'run',
    summary: 'turn a requirement into a verified branch',
    words: ['requirement?'],
    flags: {
      file: { value: 'file', short: 'f', summary: 'read the requirement from a file (- for standard input)' },
      workflow: { value: 'name', summary: 'waves (unless you say otherwise), modules, or your own' },
      agent: { value: 'name', summary: 'one agent for all roles' },
      yes,
      'plan-only': { summary: 'leave it when the plan is ready; forge resume goes on' },
      budget: { value: 'limit', summary: 'such as 5, 200k tokens, 30 turns, 2h; several with commas' },
      parallel: { value: 'n', summary: 'how many tasks may be worked on at once' },
      barriers: { summary: 'modules: finish a stage before the next one starts' },
      lite: { summary: 'modules: one after the other in one workspace' },
      into,
      record: { value: 'file', summary: "write down the agents' work, for forge rehearse" },
      fresh: { summary: 'begin anew, whatever is not over' },
      detach: { short: 'd', summary: 'let it go on by itself' },
      json: { summary: 'one fact per line' },
      'as-run': { value: 'name', summary: 'the name of the run', hidden: true },
    },
    load: () => import('./run.ts'),
  },
  {
    name: 'attach',
    summary: 'watch a run that is going on, and answer what it asks',
    words: ['run?'],
    flags: { json: { summary: 'one fact per line' } },
    load: () => import('./attach.ts'),
  },
  {
    name: 'resume',
    summary: 'go on with a run that was paused, interrupted or stopped',
    words: ['run?'],
    flags: {
      yes,
      budget: { value: 'limit', summary: 'new limits for the run, such as $20 or 2h' },
      into,
      'plan-only': { summary: 'leave it when the plan is ready', hidden: true },
      'take-over': { summary: 'take it from a process on another host that is gone for good' },
      detach: { short: 'd', summary: 'let it go on by itself' },
      json: { summary: 'one fact per line' },
    },
    load: () => import('./resume.ts'),
  },
  {
    name: 'retry',
    summary: 'try a wave or task again that was not done, and go on from there',
    words: ['run', 'task'],
    flags: {
      yes,
      into,
      'take-over': { summary: 'take it from a process on another host that is gone for good' },
      detach: { short: 'd', summary: 'let it go on by itself' },
      json: { summary: 'one fact per line' },
    },
    load: () => import('./retry.ts'),
  },
  {
    name: 'list',
    summary: 'list the runs of this repository and where they are kept',
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
    summary: 'where a run stands',
    words: ['run?'],
    flags: { json },
    load: () => import('./status.ts'),
  },
  {
    name: 'show',
    summary: 'what came of a run, or of one of its waves and tasks',
    words: ['run?', 'task?'],
    flags: { plan: { summary: 'only the plan' }, json },
    load: () => import('./show.ts'),
  },
  {
    name: 'report',
    summary: 'a run as a report: Markdown, or HTML and SARIF files',
    words: ['run?'],
    flags: {
      html: { value: 'file', summary: 'one page that needs nothing else (- for standard output)' },
      sarif: { value: 'file', summary: 'findings for tools that show them beside the code' },
      json,
    },
    load: () => import('./report.ts'),
  },
  {
    name: 'logs',
    summary: 'what agents said and checks printed',
    words: ['run?', 'task?'],
    flags: { follow: { short: 'f', summary: 'go on as more comes' }, json: { summary: 'one entry per line' } },
    load: () => import('./logs.ts'),
  },
  {
    name: 'answer',
    summary: 'answer what a run asks, and go on with it',
    words: ['run?', 'question?'],
    flags: {
      option: { value: 'option', short: 'o', summary: 'one of the options, by its id or its number' },
      text: { value: 'text', short: 't', summary: 'an answer in your own words' },
      edit: { summary: 'change the plan in $EDITOR and go ahead with that' },
      yes: { short: 'y', summary: 'take the recommended answers, to later questions too' },
      into,
      'no-resume': { summary: 'only leave the answer there' },
      json: { summary: 'one fact per line' },
    },
    load: () => import('./answer.ts'),
  },
  {
    name: 'record',
    summary: "write down a run's agent work, to be rehearsed",
    words: ['run', 'file'],
    flags: { json },
    load: () => import('./record.ts'),
  },
  {
    name: 'rehearse',
    summary: 'have recorded work again, without a model, and compare',
    words: ['file?'],
    flags: {
      'from-history': { value: 'A..B', summary: 'commits of this repository instead of a recording' },
      check: { value: 'run', summary: 'only compare what came of a rehearsal' },
      workflow: { value: 'name', summary: 'another workflow than the recorded one' },
      parallel: { value: 'n', summary: 'how many tasks may be worked on at once' },
      barriers: { summary: 'history: finish a stage before the next one starts' },
      pace: { value: 'part', summary: 'wait for this part of the time agents took, such as 0.1' },
      yes,
      keep: { summary: 'keep the run even if all is the same' },
      json: { summary: 'one fact per line, then the comparison' },
    },
    load: () => import('./rehearse.ts'),
  },
  {
    name: 'pause',
    summary: 'let a run rest until it is resumed',
    words: ['run?'],
    flags: { json },
    load: () => import('./pause.ts'),
  },
  {
    name: 'cancel',
    summary: 'end a run for good; what it merged stays',
    words: ['run?'],
    flags: { reason: { value: 'text', summary: 'why' }, json },
    load: () => import('./cancel.ts'),
  },
  {
    name: 'land',
    summary: 'move a branch of yours to the result of a run',
    words: ['run?'],
    flags: {
      into: { value: 'branch', summary: 'the branch to move' },
      force: { summary: 'also what a run merged that is not done' },
      json,
    },
    load: () => import('./land.ts'),
  },
  {
    name: 'undo',
    summary: 'put back every branch that a run moved',
    words: ['run?'],
    flags: {
      revert: { summary: 'where you built on the result, add a commit that takes its changes back' },
      json,
    },
    load: () => import('./undo.ts'),
  },
  {
    name: 'cleanup',
    summary: 'remove what a run keeps: workspaces, refs, journal',
    words: ['run?'],
    flags: { force: { summary: 'even work that exists nowhere else' }, json },
    load: () => import('./cleanup.ts'),
  },
  {
    name: 'trust',
    summary: "agree to what this repository's own settings have Forge do",
    words: [],
    flags: { yes: { short: 'y', summary: 'agree' }, json },
    load: () => import('./trust.ts'),
  },
  {
    name: 'doctor',
    summary: 'what Forge needs on this machine, and what is missing',
    words: [],
    flags: { json },
    load: () => import('./doctor.ts'),
  },
  {
    name: 'agents',
    summary: 'agents: whether they start, how they are paid for, what they do; or try one',
    words: ['test?', 'name?'],
    choices: ['test'],
    flags: { json },
    load: () => import('./agents.ts'),
  },
  {
    name: 'memory',
    summary: 'what earlier runs learnt, and where it is kept',
    words: [],
    flags: { json },
    load: () => import('./memory.ts'),
  },
  {
    name: 'mcp',
    summary: 'serve this project to an MCP client, on standard input and output',
    words: [],
    flags: { project: { value: 'directory', summary: 'another project than the one here' } },
    load: () => import('./mcp.ts'),
  },
  {
    name: 'demo',
    summary: 'watch a whole run, offline, on a small example',
    words: [],
    flags: { json: { summary: 'one fact per line' } },
    load: () => import('./demo.ts'),
  },
  {
    name: 'completion',
    summary: 'completion for your shell: bash, zsh or fish',
    words: ['shell'],
    choices: ['bash', 'zsh', 'fish'],
    flags: {},
    load: () => import('./completion.ts'),
  },
];
