/** `forge completion bash|zsh|fish`: completion scripts from the table of commands. Run names come from `forge list --names`. */
import { ForgeError } from '../errors.ts';
import { actionsOf, type CommandCall, type CommandEntry, groupSummaries, commands as ownCommands } from './commands.ts';
import { workflowCommands } from './workflow-command.ts';

export async function run({ words: [shell = ''] }: CommandCall): Promise<number> {
  const write = Object.hasOwn(shells, shell) ? shells[shell as keyof typeof shells] : undefined;
  if (write === undefined) {
    throw new ForgeError('bad-input', `There is no completion for ${JSON.stringify(shell)}`, {
      hint: `Known shells: ${Object.keys(shells).join(', ')}.`,
    });
  }
  console.log(write());
  return 0;
}

/** By first word: a command, a workflow or a group, with the actions that may follow. */
const commands: readonly CommandEntry[] = [...new Set([...ownCommands, ...workflowCommands].map(firstWord))].map(
  completedWord,
);

function firstWord({ name }: CommandEntry): string {
  return name.split(' ')[0] ?? '';
}

function completedWord(word: string): CommandEntry {
  const own = [...ownCommands, ...workflowCommands].find(({ name }) => name === word);
  const actions = actionsOf(word);
  const summary = own?.summary ?? groupSummaries[word] ?? '';
  const choices = [...(own?.choices ?? []), ...actions.map(({ name }) => name.slice(word.length + 1))];
  const flags = Object.assign({}, ...actions.map((action) => action.flags), own?.flags) as CommandEntry['flags'];
  const load = own?.load ?? actions[0]?.load;
  if (load === undefined) throw new Error(`${word} is no command`);
  return { name: word, summary, words: own?.words ?? [], choices, flags, load };
}

const runNames = 'forge list --names 2>/dev/null';
const shells = { bash, zsh, fish } as const;

function bash(): string {
  const cases = commands.map((command) => {
    const runs = takesRun(command) ? ` $(${runNames})` : '';
    return `    ${command.name}) words="${[...flagsOf(command), ...(command.choices ?? [])].join(' ')}${runs}" ;;`;
  });
  return [
    '# forge completion bash >> ~/.bashrc, or source <(forge completion bash)',
    '_forge() {',
    '  local words current="${COMP_WORDS[COMP_CWORD]}"',
    '  case "${COMP_CWORD}:${COMP_WORDS[1]}" in',
    `    1:*) words="${commands.map((command) => command.name).join(' ')} --help --version" ;;`,
    '    *) case "${COMP_WORDS[1]}" in',
    ...cases,
    '    esac ;;',
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '}',
    'complete -o default -F _forge forge',
  ].join('\n');
}

function zsh(): string {
  const cases = commands.map((command) => {
    const runs = takesRun(command) ? ` \${(f)"$(${runNames})"}` : '';
    return `    ${command.name}) compadd -- ${[...flagsOf(command), ...(command.choices ?? [])].join(' ')}${runs} ;;`;
  });
  const names = commands.map((command) => `    '${command.name}:${quoted(command.summary)}'`);
  return [
    '#compdef forge',
    '_forge() {',
    '  local -a names',
    '  names=(',
    ...names,
    '  )',
    '  if (( CURRENT == 2 )); then _describe command names; return; fi',
    '  case "${words[2]}" in',
    ...cases,
    '  esac',
    '}',
    'compdef _forge forge',
  ].join('\n');
}

function fish(): string {
  const each = commands.flatMap((command) => {
    const within = `complete -c forge -n '__fish_seen_subcommand_from ${command.name}'`;
    const flags = Object.entries(command.flags)
      .filter(([, flag]) => flag.hidden !== true)
      .map(([name, { short, value, summary }]) => {
        const letter = short === undefined ? '' : ` -s ${short}`;
        return `${within} -l ${name}${letter}${value === undefined ? '' : ' -r'} -d '${quoted(summary)}'`;
      });
    return [
      `complete -c forge -n __fish_use_subcommand -f -a ${command.name} -d '${quoted(command.summary)}'`,
      ...flags,
      ...(takesRun(command) ? [`${within} -f -a '(${runNames})'`] : []),
      ...(command.choices ?? []).map((name) => `${within} -f -a ${name}`),
    ];
  });
  return ['# forge completion fish > ~/.config/fish/completions/forge.fish', ...each].join('\n');
}

function flagsOf({ flags }: CommandEntry): readonly string[] {
  const shown = Object.entries(flags).filter(([, flag]) => flag.hidden !== true);
  return [...shown.map(([name]) => `--${name}`), '--help'];
}

function takesRun({ words }: CommandEntry): boolean {
  return words[0] === 'run?' || words[0] === 'run';
}

/** Inside single quotes of a shell. */
function quoted(text: string): string {
  return text.replaceAll("'", '’').replaceAll(':', ' –');
}
