/**
 * One command line, from its words to its exit code: finds the command, reads the words strictly, and turns whatever it
 * ends with into a sentence, a hint and a code. The binary performs one; the demo performs several.
 */
import { ForgeError } from '../errors.ts';
import { forgeVersion } from '../version.ts';
import { actionsOf, commands, groupSummaries } from './commands.ts';
import { commandHelp, groupHelp, overviewHelp } from './help.ts';
import { findCommand, workflowCommands } from './workflow-command.ts';

/** Whether a command works on a run, which goes on when nobody reads any more. */
export function worksOnRun(name: string): boolean {
  return working.has(name) || workflowCommands.some((command) => command.name === name);
}

const working: ReadonlySet<string> = new Set([
  'run',
  'resume',
  'retry',
  'answer',
  'rehearse',
  'demo',
  'mcp',
  'ui',
  'task',
  'bug',
  'sprint',
]);

export async function performCommandLine(argv: readonly string[]): Promise<number> {
  const [name, ...args] = argv;
  if (name === undefined || name === '--help' || name === '-h') return say(overviewHelp(commands, workflowCommands));
  if (name === '--version' || name === '-v') return say(forgeVersion);
  try {
    if (name !== 'help') return await perform(argv, asksForHelp(args));
    return args[0] === undefined ? say(overviewHelp(commands, workflowCommands)) : await perform(args, true);
  } catch (error) {
    return await report(error);
  }
}

async function perform(argv: readonly string[], wantsHelp: boolean): Promise<number> {
  const found = await findCommand(argv);
  if (found === undefined) return await performGroup(argv, wantsHelp);
  const { command, args } = found;
  if (wantsHelp) {
    const { helpTextOf } = await import('./examples.ts');
    return say(commandHelp(command, helpTextOf(command), actionsOf(command.name)));
  }
  const { parseCall } = await import('./parse-call.ts');
  const call = await parseCall(command, args);
  const { run } = await command.load();
  return await run(call);
}

function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return (end === -1 ? args : args.slice(0, end)).some((arg) => arg === '--help' || arg === '-h');
}

/** `forge <group>` lists its actions; anything else that was found nowhere is refused, with what was probably meant. */
async function performGroup([name = '', action]: readonly string[], wantsHelp: boolean): Promise<number> {
  const actions = actionsOf(name);
  if (actions.length > 0 && (action === undefined || (wantsHelp && action.startsWith('-'))))
    return say(groupHelp(name, groupSummaries[name] ?? '', actions));
  const { suggestWord } = await import('../api/suggest.ts');
  if (actions.length > 0) {
    throw new ForgeError('bad-input', `${name} has no action ${JSON.stringify(action)}`, {
      hint: suggestWord(
        `${name} ${action}`,
        actions.map((entry) => entry.name),
        `See forge ${name} --help.`,
      ),
    });
  }
  const known = [...commands, ...workflowCommands].map((command) => command.name.split(' ')[0] ?? '');
  throw new ForgeError('bad-input', `There is no command ${JSON.stringify(name)}`, {
    hint: suggestWord(name, known, 'See forge --help.'),
  });
}

async function report(error: unknown): Promise<number> {
  const { explainError } = await import('./explain-error.ts');
  const { lines, code } = explainError(error);
  for (const line of lines) console.error(line);
  return code;
}

function say(text: string): number {
  console.log(text);
  return 0;
}
