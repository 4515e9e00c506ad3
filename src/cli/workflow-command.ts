/**
 * Workflows on the command line: `forge run` with the options of the workflow it names, and `forge <workflow>` for each
 * workflow. Flags come from the workflow's definition. Those that come with Forge cost nothing to look up; a workflow of
 * the repository is loaded, and only after a person has agreed to it.
 */
import { ForgeError } from '../errors.ts';
import type { WorkflowHead } from '../workflows/definition.ts';
import { builtinDefinitions, defaultWorkflow, findDefinition } from '../workflows/registry.ts';
import type { OptionSpecs } from '../workflows/workflow-options.ts';
import { actionsOf, type CommandEntry, commands } from './commands.ts';
import { optionFlags } from './shared-flags.ts';

const runCommand = commands.find(({ name }) => name === 'run') as CommandEntry;

export interface FoundCommand {
  readonly command: CommandEntry;
  /** What follows the command's name. */
  readonly args: readonly string[];
}

/** The command that a person typed, with the flags it has in this call; undefined when there is none of that name. */
export async function findCommand(argv: readonly string[]): Promise<FoundCommand | undefined> {
  const [name = '', action = '', ...rest] = argv;
  const pair = commands.find((entry) => entry.name === `${name} ${action}`);
  if (pair !== undefined) return { command: pair, args: rest };
  const args = argv.slice(1);
  const asAction = flaggedAction(name, args);
  if (asAction !== undefined) return asAction;
  const command = await findByWord(name, args);
  if (command === undefined) return undefined;
  const meant = command.fixed === undefined ? undefined : await actionMeant(name, args);
  if (meant === undefined) return { command, args };
  throw new ForgeError('bad-input', `${name} has no action ${JSON.stringify(action)}`, {
    hint: meant,
  });
}

/** `forge design --status <plan-dir>` is the action `forge design status <plan-dir>`. */
function flaggedAction(name: string, args: readonly string[]): FoundCommand | undefined {
  for (const flag of Object.keys(findDefinition(name)?.actionFlags ?? {})) {
    const at = args.findIndex((arg) => arg === `--${flag}` || arg.startsWith(`--${flag}=`));
    const command = commands.find((entry) => entry.name === `${name} ${flag}`);
    if (at === -1 || command === undefined) continue;
    const [, value] = /^--[a-z-]+=(.*)$/s.exec(args[at] ?? '') ?? [];
    return { command, args: [...args.slice(0, at), ...(value === undefined ? [] : [value]), ...args.slice(at + 1)] };
  }
  return undefined;
}

/** A workflow must not start a run because somebody mistyped one of the actions beside it. */
async function actionMeant(name: string, args: readonly string[]): Promise<string | undefined> {
  const actions = actionsOf(name).map((entry) => entry.name);
  const [word = ''] = args;
  if (actions.length === 0 || !/^[a-z-]+$/.test(word)) return undefined;
  const { suggestWord } = await import('../api/suggest.ts');
  return suggestWord(`${name} ${word}`, actions, '') || undefined;
}

async function findByWord(name: string, args: readonly string[]): Promise<CommandEntry | undefined> {
  const command = commands.find((entry) => entry.name === name);
  if (command !== undefined && command !== runCommand) return command;
  const workflow = command === undefined ? name : (workflowIn(args) ?? defaultWorkflow);
  const head = findDefinition(workflow);
  if (head !== undefined) return command === undefined ? workflowCommand(head) : withOptions(command, head.options);
  const own = await describeOwn(workflow);
  if (own === undefined) return command;
  const found = command === undefined ? workflowCommand(own.head) : withOptions(command, own.head.options);
  const whenUnknown = `Forge knows the options of the workflow ${workflow} once you agree to it: forge trust`;
  return own.isTrusted ? found : { ...found, whenUnknown };
}

/** One command per workflow that comes with Forge, for help and completion. */
export const workflowCommands: readonly CommandEntry[] = builtinDefinitions.map(workflowCommand);

function workflowCommand({
  name,
  summary,
  argument,
  options,
  examples = [],
  actionFlags = {},
  sequential,
}: WorkflowHead): CommandEntry {
  const { workflow: _, parallel, ...others } = runCommand.flags;
  const rest = sequential === true ? others : { parallel, ...others };
  const actions = Object.entries(actionFlags).map(([flag, { placeholder, summary: about }]) => [
    flag,
    { value: placeholder, summary: about },
  ]);
  const flags = { ...Object.fromEntries(actions), ...rest } as CommandEntry['flags'];
  const words = [`${argument.name}?`];
  const command = { ...runCommand, name, summary, words, flags, examples, fixed: { workflow: name } };
  return withOptions(command, options);
}

/** The workflow's own flags stand first. */
function withOptions(command: CommandEntry, options: OptionSpecs): CommandEntry {
  return { ...command, flags: { ...optionFlags(options), ...command.flags } };
}

/** The last one counts, as for any flag; nothing after `--` is a flag. */
function workflowIn(args: readonly string[]): string | undefined {
  const end = args.indexOf('--');
  const flags = end === -1 ? args : args.slice(0, end);
  const at = flags.findLastIndex((arg) => arg === '--workflow' || arg.startsWith('--workflow='));
  const flag = flags[at];
  return flag === '--workflow' ? flags[at + 1] : flag?.slice('--workflow='.length);
}

async function describeOwn(name: string) {
  const { describeOwnWorkflow } = await import('../api/own-workflow.ts');
  return describeOwnWorkflow(process.cwd(), name);
}
