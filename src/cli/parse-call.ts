/** The words after a command's name, read strictly: what is not in the table is refused, with what was probably meant. */
import { parseArgs } from 'node:util';
import { ForgeError } from '../errors.ts';
import type { Call, CommandEntry } from './commands.ts';

export async function parseCall(command: CommandEntry, argv: readonly string[]): Promise<Call> {
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
    values: Object.fromEntries(entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))),
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
  const { suggest } = await import('../api/suggest.ts');
  const hint = suggest(
    option,
    known.map(([name]) => `--${name}`),
    see,
  );
  return new ForgeError('bad-input', `${command.name} does not know ${option}`, { hint });
}

function requireWords({ name, words }: CommandEntry, given: readonly string[]): void {
  const needed = words.filter((word) => !word.endsWith('?'));
  if (given.length < needed.length) {
    throw new ForgeError('bad-input', `${name} needs <${needed[given.length]}>`, { hint: `See forge ${name} --help.` });
  }
  if (given.length > words.length) {
    throw new ForgeError('bad-input', `${name} does not know what to do with ${JSON.stringify(given[words.length])}`, {
      hint: name === 'run' ? 'Put the requirement in quotes.' : `See forge ${name} --help.`,
    });
  }
}
