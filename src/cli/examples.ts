/** What a person would type, per command, for `forge <command> --help`. The first lines say what is not obvious. */
import type { CommandEntry } from './commands.ts';

export interface HelpText {
  /** Sentences below the summary. */
  readonly about?: readonly string[];
  /** Command lines, each with what it does. */
  readonly examples: readonly (readonly [command: string, about: string])[];
}

const newestRun = 'Without a name, the newest run that fits is used.';
const asksFirst = 'Without a name, it asks which run you mean; a script has to name the run or pass --yes.';

/** A workflow's command is `forge run` with examples of its own. */
export function helpTextOf({ name, fixed, examples }: CommandEntry): HelpText | undefined {
  if (fixed === undefined) return helpTexts[name];
  return { about: ['Ctrl-C pauses; nothing is lost.'], examples: examples ?? [] };
}

export const helpTexts: Readonly<Record<string, HelpText>> = {
  accounts: {
    about: [
      'Runs take the next account when the one in use is close to its usage limit, and wait for the reset when all are.',
      'Forge asks for the token, or reads it from standard input. It never appears in a log or a command line.',
      'For a Claude subscription, `claude setup-token` makes one.',
    ],
    examples: [
      ['forge accounts', 'list them, with days left and usage'],
      ['forge accounts add work', 'add an account, or replace its token'],
      ['forge accounts use work', 'have runs try it first'],
    ],
  },
  supervise: {
    about: [
      'It continues runs whose process died. It leaves runs alone that you paused or cancelled, that wait for an answer, or that reached a limit of their budget.',
    ],
    examples: [
      ['forge supervise', 'watch the runs of all your repositories'],
      ['forge supervise --install', 'start it with the machine from now on'],
    ],
  },
  statusline: {
    about: ['It prints nothing where no run is open, and never fails.'],
    examples: [['forge statusline', 'for PS1, or as the command of the status line in the settings of Claude Code']],
  },
  config: {
    about: ['Preferences are options of workflows: later files win, and what you type wins over all of them.'],
    examples: [
      ['forge config', 'what differs from the defaults, and which file says so'],
      ['forge config milestone', 'all options of one workflow'],
    ],
  },
  init: {
    about: ['An existing file keeps your changes and comments; agents that are new on this machine are added.'],
    examples: [['forge init', 'find the stack, checks and agents of this project']],
  },
  run: {
    about: ['Forge plans first and asks for your approval. Ctrl-C pauses; nothing is lost.'],
    examples: [
      ['forge run "Add a login page"', 'plan, ask, build, verify'],
      ['forge run -f issue.md --budget 5 --into main', 'from a file, for at most $5, then move main'],
    ],
  },
  attach: {
    about: ['Ctrl-C leaves; the run continues.'],
    examples: [['forge attach', 'watch the newest run that is being worked on']],
  },
  watch: {
    about: ['Runs continue when you leave. Press ? for the keys.'],
    examples: [
      ['forge watch', 'what needs you, what is running, what is finished'],
      ['forge watch x1y2', 'one run: its steps, what its agents say, its changes'],
      ['forge watch --all', 'the runs of all your repositories'],
    ],
  },
  resume: {
    about: [newestRun],
    examples: [
      ['forge resume', 'continue the newest run that can be continued'],
      ['forge resume --agent codex', 'give the remaining work to another agent'],
      ['forge resume x1y2 --budget 20', 'by the end of its name, with a higher limit'],
    ],
  },
  retry: {
    about: [newestRun, 'Without a task, everything that failed is tried again.'],
    examples: [
      ['forge retry', 'try everything that failed in the newest run'],
      ['forge retry x1y2 T2', 'try one task of a run'],
      ['forge retry --agent codex', 'with another agent'],
    ],
  },
  list: { examples: [["forge list --json | jq -r '.[].run'", 'the names alone']] },
  status: {
    about: [newestRun],
    examples: [
      ['forge status', 'the newest run'],
      ['forge status x1y2 --json', 'a run by the end of its name, as data'],
    ],
  },
  show: {
    about: [newestRun],
    examples: [
      ['forge show', 'the result of the newest run'],
      ['forge show T2', 'one task of it'],
      ['forge show x1y2 --plan', 'the plan of a run'],
    ],
  },
  diff: {
    about: [newestRun, 'On a terminal the diff is coloured and goes through your git pager.'],
    examples: [
      ['forge diff', 'everything the newest run changed'],
      ['forge diff W1', 'what one wave changed'],
      ['forge diff x1y2 --stat', 'only which files changed, and how much'],
    ],
  },
  report: {
    about: [newestRun],
    examples: [
      ['forge report', 'Markdown on standard output'],
      ['forge report --html report.html', 'one page that works offline'],
    ],
  },
  logs: {
    about: [newestRun],
    examples: [
      ['forge logs W1', 'one wave of the newest run'],
      ['forge logs --follow', 'follow the work as it happens'],
    ],
  },
  answer: {
    about: ['Without an answer, it shows the question and, on a terminal, asks you.'],
    examples: [
      ['forge answer', 'the newest run that asks something'],
      ['forge answer x1y2 approve --option yes', 'for scripts'],
      ['forge answer --edit', 'change the plan in your editor'],
    ],
  },
  record: { examples: [['forge record x1y2 login.yaml', 'then: forge rehearse login.yaml']] },
  rehearse: {
    examples: [
      ['forge rehearse login.yaml', 'replay a recording'],
      ['forge rehearse --from-history v1.0..v1.1', 'replay commits as if agents had written them'],
    ],
  },
  pause: { about: [newestRun], examples: [['forge pause', 'then: forge resume']] },
  cancel: {
    about: ['A cancelled run cannot be resumed. To stop a run for now, use forge pause.', asksFirst],
    examples: [['forge cancel x1y2 --reason "wrong plan"', 'by the end of its name']],
  },
  land: {
    about: [newestRun],
    examples: [['forge land --into main', 'move main to the newest result; forge undo takes it back']],
  },
  undo: { about: [asksFirst], examples: [['forge undo x1y2', 'the commits stay in the repository']] },
  cleanup: {
    about: ['The published branch stays.', asksFirst],
    examples: [
      ['forge cleanup x1y2', 'one run'],
      ['forge cleanup --all', 'every finished run'],
    ],
  },
  trust: { examples: [['forge trust', 'see what this repository would have Forge do, and agree or not']] },
  doctor: {
    about: ['Exits with 5 when something is missing that Forge needs.'],
    examples: [['forge doctor', 'git, the jail, settings, agents']],
  },
  agents: {
    examples: [
      ['forge agents', 'the agents, and whether each uses a key or a login'],
      ['forge agents test claude', 'start an agent and let it write one file'],
    ],
  },
  notify: {
    about: ['Channels are in notify.yaml in ~/.config/forge: desktop, terminal, webhook, ntfy, or your own program.'],
    examples: [['forge notify test', 'send a test notification through every channel']],
  },
  'milestone status': {
    about: ['Reads the milestones, slices and tasks in .gsd and changes nothing.'],
    examples: [
      ['forge milestone status', 'where each milestone stands, and what comes next'],
      ['forge milestone status M003 --json', 'one milestone, as data'],
    ],
  },
  'milestone new': {
    examples: [['forge milestone new "Accounts" --file scope.md', 'write it down now, build it later']],
  },
  'milestone discuss': {
    about: ['Agents keep to what you write down.'],
    examples: [['forge milestone discuss M003 "No passwords in logs"', 'add to what was agreed']],
  },
  'milestone run': { examples: [['forge milestone run M003', 'start the milestone, or continue its run']] },
  'milestone next': { examples: [['forge milestone next M003', 'one unit of work, then stop']] },
  'milestone add-slice': { examples: [['forge milestone add-slice M003 "Password reset"', 'one more slice']] },
  'milestone add-task': { examples: [['forge milestone add-task M003 S02 "Send the mail"', 'one more task']] },
  'milestone pause': { examples: [['forge milestone pause M003', 'then: forge milestone run M003']] },
  'milestone report': { examples: [['forge milestone report', 'the report of the newest run']] },
  'milestone reverse': {
    about: ['Nothing that is merged is undone: the opposite is added as new work.'],
    examples: [['forge milestone reverse D3 --dry-run', 'show what would be redone']],
  },
  dashboard: { examples: [['forge dashboard', 'write .gsd/STATE.md again']] },
  memory: {
    about: [
      'Lessons of a project stay in its .forge/memory; promote copies one to your own memory, for all projects.',
      'Turn memory off with memory: off in .forge/config.yaml, or for one run with --no-memory.',
    ],
    examples: [
      ['forge memory', 'list all lessons with their ids'],
      ['forge memory edit', 'open the lessons of this project in $EDITOR'],
      ['forge memory edit 3f2a --text "Run npm run build first."', 'change one lesson'],
      ['forge memory remove 3f2a', 'forget one lesson'],
      ['forge memory promote 3f2a', 'use it in all your projects'],
    ],
  },
  'design check': {
    about: ['Every problem is reported with file, line and what to write there. Exits with 1 when there is an error.'],
    examples: [
      ['forge design check docs/raw/design/2026-04-09-tasks', 'read the design and the PRD it names'],
      ['forge design check <directory> --json', 'modules, phases, criteria and problems as data'],
    ],
  },
  'design impact': {
    about: ['Names the modules that a changed design removes, adds, revises or leaves alone, and why.'],
    examples: [['forge design impact <directory> --since v1', 'what has changed since the tag v1']],
  },
  'design status': {
    examples: [
      ['forge design status docs/raw/plans/2026-04-09-tasks-a3f1', 'phases, modules, acceptance, last events'],
    ],
  },
  'design cleanup': {
    about: [
      'Shows where the delivery stands and what would go, and asks. The plan directory stays unless you say --plans.',
      'A plan directory with delivery history (versions/, CHANGELOG.md or a delivery tag) is never removed.',
    ],
    examples: [
      ['forge design cleanup docs/raw/plans/2026-04-09-tasks-a3f1', 'remove its workspaces and branches'],
      ['forge design cleanup <plan-dir> --plans', 'the plan directory too'],
    ],
  },
  why: {
    about: ['Answers from git, from the plan directories of designs, and from the journal of the run if it is here.'],
    examples: [
      ['forge why src/money.js:12', 'which criterion, module, step, agent and test stand behind this line'],
      ['forge why F-001/AC3', 'which tests, modules, commits and lines stand behind this criterion'],
      ['forge why F-001/AC3 --run <run>', 'on the branch of a run that has not landed'],
    ],
  },
  'check-plan': {
    about: [
      'Works without a run and without agents, also in CI. Exits with 0 when nothing is found, 1 when something is, 2 on bad input.',
      'With --gate only errors and critical findings count, and the files that the gate needs must exist.',
    ],
    examples: [
      ['forge check-plan docs/raw/plans/2026-05-04-reading-list-a3f1', 'the plan directory alone'],
      ['forge check-plan --source-root . --sarif findings.sarif', 'only the source, for a code-scanning tool'],
      ['forge check-plan <plan-dir> --source-root . --gate delivery-tag', 'everything, before a delivery is tagged'],
    ],
  },
  collate: { examples: [['forge collate --dry-run', 'which pages do not say what the records say']] },
  health: {
    about: ['Exit code 1: something does not fit.'],
    examples: [['forge health', 'what does not fit, and what to do']],
  },
  'pipeline list': { examples: [['forge pipeline list', 'the pipelines of this project']] },
  'pipeline show': { examples: [['forge pipeline show default', 'phases, roles, rounds and gates']] },
  'pipeline check': { examples: [['forge pipeline check', 'find mistakes in phases and gates']] },
  'pipeline gate': {
    about: ['Exits with 0 when the phase may start, with 1 otherwise.'],
    examples: [['forge pipeline gate ACME-S01-T01 implement', 'why a phase may not start']],
  },
  'pipeline verdict': {
    about: ['Exits with 0 when the phase was approved, with 1 otherwise.'],
    examples: [['forge pipeline verdict ACME-S01-T01 review-code', 'approved, revision, n/a or missing']],
  },
  'task new': {
    about: ['Asks for what is missing when you are at a terminal.'],
    examples: [['forge task new "Discount codes" --estimate S', 'a task of the open sprint']],
  },
  'task plan': { examples: [['forge task plan ACME-S01-T03', 'plan and review, and stop before the code']] },
  'task run': {
    about: ['A task that needs a person says how to continue it. The other tasks continue without it.'],
    examples: [
      ['forge task run ACME-S01-T03', 'from where its record says to its merge'],
      ['forge task run ACME-S01-T03 --again', 'from the start, after it was escalated'],
    ],
  },
  'task status': { examples: [['forge task status ACME-S01-T03', 'state, verdicts, findings, cost']] },
  'bug new': { examples: [['forge bug new "Totals are off by a cent" --severity major', 'report a bug']] },
  'bug triage': { examples: [['forge bug triage BUG-007', 'find the cause and the route']] },
  'bug fix': { examples: [['forge bug fix BUG-007 BUG-008', 'two bugs in one run']] },
  'sprint new': {
    about: ['Questions wait for you: leave with Ctrl-C and continue with forge answer.'],
    examples: [['forge sprint new "Customers pay the right price"', 'questions, then a sprint']],
  },
  'sprint plan': { examples: [['forge sprint plan ACME-S01', 'tasks for you to agree to']] },
  'sprint run': {
    examples: [
      ['forge sprint run ACME-S01', 'all tasks, as many at once as they allow'],
      ['forge sprint run ACME-S01 --with BUG-007', 'with a bug'],
    ],
  },
  'sprint status': { examples: [['forge sprint status ACME-S01', 'tasks, burndown, cost by phase and role']] },
  'sprint review': { examples: [['forge sprint review ACME-S01', 'is every requirement met?']] },
  'sprint retro': { examples: [['forge sprint retro ACME-S01', 'what to keep and what to change']] },
  store: {
    about: [
      'Records are JSON files in .forge/store. What does not fit is refused with the fix, and nothing is changed.',
      'Verbs that read: template, describe, read, list, query, validate, get-summary. Verbs that write: write, update-status, set-summary, emit, merge-sidecar, progress, progress-clear, delete, migrate.',
      'Nothing is printed when a change was made. Exit code 1: refused or not found.',
    ],
    examples: [
      ['forge store template task', 'a task to start from'],
      ['forge store write task "$(cat task.json)"', 'write it, or replace it'],
      ['forge store list task status=draft,planned', 'tasks that have not started'],
      ['forge store update-status task ACME-S01-T01 status planned', 'move it to the next state'],
      ['forge store validate', 'check every record of the store'],
      ['forge store migrate --dry-run', 'what would change in a store of another tool'],
    ],
  },
  rebuild: {
    examples: [
      ['forge rebuild', 'make packs and overlays again from your documents'],
      ['forge rebuild --enrich', 'also show what friction suggests to change'],
    ],
  },
  enhance: {
    examples: [['forge enhance', 'propose changes of roles as a diff; nothing is applied until you ask for it']],
  },
  upgrade: {
    examples: [
      ['forge upgrade --dry-run', 'what would change'],
      ['forge upgrade --back', 'put back what the last upgrade changed'],
    ],
  },
  ui: {
    examples: [
      ['forge ui', 'open the dashboard for this repository'],
      ['forge ui --all --no-open', 'print a link to a dashboard of all your repositories'],
    ],
  },
  mcp: { examples: [['claude mcp add forge -- forge mcp', 'let Claude Code use Forge']] },
  demo: { examples: [['forge demo', 'takes about ten seconds and needs no agent']] },
  completion: {
    examples: [
      ['source <(forge completion bash)', 'for this shell'],
      ['forge completion bash >> ~/.bashrc', 'for every new one'],
    ],
  },
};
