/** Help from the table of commands. Pure, and light: it is what people wait for first. */
import type { CommandEntry, Flag } from './commands.ts';

export function help(commands: readonly CommandEntry[]): string {
  return [
    'Forge turns a requirement into a branch whose every commit was verified.',
    '',
    'forge <command> [--help]',
    '',
    ...columns(commands.map(({ name, summary }) => [name, summary])),
    '',
    '  --help, --version',
    '',
    'A run may be named by the beginning of its name, or left out where only one comes into question.',
    'Exit codes: 0 done, 1 the work failed or was not accepted, 2 bad input, 3 waiting for a person, 4 stopped by a',
    'limit, 5 the environment, 70 a bug in Forge, 130 interrupted.',
  ].join('\n');
}

export function commandHelp({ name, summary, words, flags }: CommandEntry): string {
  const shown = Object.entries(flags).filter(([, flag]) => flag.hidden !== true);
  return [
    `${['forge', name, ...words.map(wordText)].join(' ')}${shown.length === 0 ? '' : ' [options]'}`,
    '',
    `  ${summary}`,
    ...(shown.length === 0
      ? []
      : ['', ...columns(shown.map(([flag, about]) => [flagText(flag, about), about.summary]))]),
  ].join('\n');
}

function wordText(word: string): string {
  return word.endsWith('?') ? `[${word.slice(0, -1)}]` : `<${word}>`;
}

function flagText(name: string, { short, value }: Flag): string {
  return `--${name}${value === undefined ? '' : ` <${value}>`}${short === undefined ? '' : `, -${short}`}`;
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
