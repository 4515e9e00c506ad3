/** The words after a command's name, read strictly: what is not in the table is refused, with what was probably meant. */
import { parseArgs } from 'node:util';
import { ForgeError } from '../errors.ts';
import { builtinDefinitions } from '../workflows/registry.ts';
import type { CommandCall, CommandEntry } from './commands.ts';

export async function parseCall(command: CommandEntry, argv: readonly string[]): Promise<CommandCall> {
  const options = Object.fromEntries(
    Object.entries(command.flags).map(([name, { value, short }]) => [
      name,
      {
        type: value === undefined ? ('boolean' as const) : ('string' as const),
        ...(short === undefined ? {} : { short }),
      },
    ]),
  );
  let parsed: ReturnType<typeof parseArgs>;
  try {
    parsed = parseArgs({ args: [...argv], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw await explain(command, error);
  }
  const { positionals, values } = parsed;
  requireWords(command, positionals);
  const entries = Object.entries(values);
  return {
    words: positionals,
    values: {
      ...Object.fromEntries(entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))),
      ...command.fixed,
    },
    switches: new Set(entries.flatMap(([name, value]) => (value === true ? [name] : []))),
  };
}

async function explain(command: CommandEntry, error: unknown): Promise<unknown> {
  const { code, message } = error as NodeJS.ErrnoException;
  if (!code?.startsWith('ERR_PARSE_ARGS')) return error;
  const known = Object.entries(command.flags).filter(([, flag]) => flag.hidden !== true);
  const see = `See forge ${command.name} --help.`;
  if (code !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const [first = message] = message.split(/\.\s|\n/, 1);
    return new ForgeError('bad-input', `${command.name}: ${first}`, { hint: see });
  }
  const option = /'(-[^']*)'/.exec(message)?.[1] ?? '';
  const { suggestWord } = await import('../api/suggest.ts');
  const other = workflowWith(option.replace(/^-+/, ''));
  const hint =
    other === undefined || command.flags['workflow'] === undefined
      ? suggestWord(
          option,
          known.map(([name]) => `--${name}`),
          command.whenUnknown ?? see,
        )
      : `It is an option of the workflow ${other}: forge ${other}, or add --workflow ${other}.`;
  return new ForgeError('bad-input', `${command.name} has no option ${option}`, { hint });
}

function workflowWith(option: string): string | undefined {
  return builtinDefinitions.find(({ options }) => Object.hasOwn(options, option))?.name;
}

function requireWords({ name, words, fixed }: CommandEntry, given: readonly string[]): void {
  const takesText = name === 'run' || fixed !== undefined;
  const needed = words.filter((word) => !word.endsWith('?') && !word.endsWith('...'));
  if (given.length < needed.length) {
    throw new ForgeError('bad-input', `${name} needs <${needed[given.length]}>`, { hint: `See forge ${name} --help.` });
  }
  if (given.length > words.length && words.at(-1)?.endsWith('...') !== true) {
    throw new ForgeError('bad-input', `${name}: unexpected argument ${JSON.stringify(given[words.length])}`, {
      hint: takesText ? 'Put the requirement in quotes.' : `See forge ${name} --help.`,
    });
  }
}
