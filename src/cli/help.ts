/** Help from the table of commands. Pure, and light: it is what people wait for first. */
import { type CommandEntry, type CommandFlag, groupSummaries } from './commands.ts';
import type { HelpText } from './examples.ts';

export function overviewHelp(commands: readonly CommandEntry[], workflows: readonly CommandEntry[]): string {
  return [
    'Forge turns a requirement into a branch whose every commit was verified.',
    '',
    'forge <command> [options]      forge <command> --help for examples',
    '',
    ...columns(listed(commands, workflows)),
    '',
    'Workflows, for forge run --workflow <name> or as commands of their own:',
    ...columns(workflows.map(({ name, summary }) => [name, summary])),
    '',
    '  --help, --version',
    '',
    'You can name a run by the beginning or the end of its name, or leave it out:',
    'then the newest run that fits is used. cancel, undo and cleanup ask first.',
    'Exit codes: 0 done, 1 the work failed or was not accepted, 2 bad input,',
    '3 waiting for you, 4 stopped by a limit, 5 the environment, 70 a bug in Forge,',
    '130 interrupted.',
  ].join('\n');
}

/** A group of actions is one line. A group that is a workflow is listed among the workflows. */
function listed(commands: readonly CommandEntry[], workflows: readonly CommandEntry[]): (readonly [string, string])[] {
  const seen = new Set(workflows.map(({ name }) => name));
  return commands.flatMap(({ name, summary }) => {
    const [group = '', action] = name.split(' ');
    if (action === undefined) return [[name, summary] as const];
    if (seen.has(group)) return [];
    seen.add(group);
    return [[group, groupSummaries[group] ?? ''] as const];
  });
}

/** `forge <group> --help`. */
export function groupHelp(group: string, summary: string, actions: readonly CommandEntry[]): string {
  return [`forge ${group} <action> [options]`, '', `  ${summary}.`, '', ...columns(actionRows(actions))].join('\n');
}

function actionRows(actions: readonly CommandEntry[]): (readonly [string, string])[] {
  return actions.map(({ name, words, summary }) => [[name, ...words.map(wordText)].join(' '), summary]);
}

export function commandHelp(
  { name, summary, words, flags }: CommandEntry,
  text?: HelpText,
  actions: readonly CommandEntry[] = [],
): string {
  const shown = Object.entries(flags).filter(([, flag]) => flag.hidden !== true);
  return [
    `${['forge', name, ...words.map(wordText)].join(' ')}${shown.length === 0 ? '' : ' [options]'}`,
    '',
    `  ${summary}.`,
    ...(text?.about ?? []).flatMap((sentence) => fold(sentence)),
    ...(shown.length === 0
      ? []
      : ['', ...columns(shown.map(([flag, about]) => [flagText(flag, about), about.summary]))]),
    ...(text === undefined || text.examples.length === 0 ? [] : ['', 'Examples:', ...exampleLines(text.examples)]),
    ...(actions.length === 0 ? [] : ['', 'Actions:', ...columns(actionRows(actions))]),
  ].join('\n');
}

function wordText(word: string): string {
  if (word.endsWith('...')) return `[${word}]`;
  return word.endsWith('?') ? `[${word.slice(0, -1)}]` : `<${word}>`;
}

function flagText(name: string, { short, value }: CommandFlag): string {
  return `--${name}${value === undefined ? '' : ` <${value}>`}${short === undefined ? '' : `, -${short}`}`;
}

const widest = 80;

/** What does not fit a narrow terminal continues below, in its own column. */
function columns(rows: readonly (readonly [string, string])[], limit = widest): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.flatMap(([left, right]) =>
    foldTo(right, limit - width - 4).map((line, at) => `  ${(at === 0 ? left : '').padEnd(width)}  ${line}`),
  );
}

/** Beside each other where that fits a narrow terminal, otherwise below each other. */
function exampleLines(examples: HelpText['examples']): string[] {
  const beside = columns(
    examples.map(([command, about]) => [command, `# ${about}`]),
    Number.POSITIVE_INFINITY,
  );
  if (beside.every((line) => line.length <= widest)) return beside;
  return examples.flatMap(([command, about]) => [`  # ${about}`, `  ${command}`]);
}

function fold(sentence: string): string[] {
  return foldTo(sentence, widest - 2).map((line) => `  ${line}`);
}

function foldTo(sentence: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of sentence.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length + 1 <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
