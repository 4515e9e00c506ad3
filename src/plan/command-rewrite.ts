/**
 * What to write instead of a command line that needs a shell: one entry per command, `cd` as `cwd`,
 * assignments as `env`, redirections gone. It only builds the text of a refusal; nothing rewritten here
 * is ever run without a person or a planner having written it down.
 */
import type { VerifyEntry } from './plan.ts';
import { clipText, makeRefusal, type Refusal } from './refusal.ts';
import type { ShellPiece, ShellWord } from './shell-words.ts';

/** For lines with an operator or with a leading assignment. */
export function rewriteOperators(pieces: readonly ShellPiece[]): Refusal {
  const operators = pieces.filter((piece) => piece.type === 'operator').map((piece) => piece.value);
  const first = operators[0];
  const entries = rewritten(pieces);
  const shown =
    entries.length === 0 ? '"verify": ["npm test"]' : clipText(JSON.stringify({ verify: entries }).slice(1, -1));
  if (first === undefined) {
    return makeRefusal('The command sets variables as a shell would, and no shell runs it.', `Write ${shown}.`);
  }
  const name = first === '\n' ? 'a line break' : `the shell operator ${first}`;
  return makeRefusal(`The command contains ${name}, and no shell runs it.`, `${advice(first)} Write ${shown}.`);
}

function advice(operator: string): string {
  if (operator === '||') return 'The exit code of the command alone decides.';
  if (operator.startsWith('|'))
    return 'Run the command without the pipe, or put the pipeline into a script of the repository.';
  if (operator.startsWith('<'))
    return 'Give the file as an argument, or put the command into a script of the repository.';
  if (operator.includes('>')) return 'The output is kept anyway; leave the redirection out.';
  if (operator === '&') return 'Nothing runs in the background; let the test start what it needs.';
  return 'Each entry is one command.';
}

function rewritten(pieces: readonly ShellPiece[]): VerifyEntry[] {
  const entries: VerifyEntry[] = [];
  let cwd: string | undefined;
  let exported: Record<string, string> = {};
  for (const words of commandsOf(pieces)) {
    const start = words.findIndex((word) => assignment(word) === undefined);
    const assigned = words.slice(0, start === -1 ? words.length : start);
    const [program, ...rest] = words.slice(assigned.length);
    if (program?.value === 'cd') cwd = [cwd, rest[0]?.value].filter((part) => part !== undefined).join('/');
    else if (program === undefined || program.value === 'export') {
      exported = { ...exported, ...variables([...assigned, ...rest]) };
    } else {
      const run = [program, ...rest].map((word) => word.raw).join(' ');
      const env = { ...exported, ...variables(assigned) };
      const needsEnv = Object.keys(env).length > 0;
      const entry = { run, ...(cwd === undefined ? {} : { cwd }), ...(needsEnv ? { env } : {}) };
      entries.push(cwd === undefined && !needsEnv ? run : entry);
    }
  }
  return entries;
}

/** The commands of a sequence, without redirections and without what follows `|` and `||`. */
function commandsOf(pieces: readonly ShellPiece[]): ShellWord[][] {
  const commands: ShellWord[][] = [[]];
  let skipsWord = false;
  let skipsCommand = false;
  for (const piece of pieces) {
    const current = commands.at(-1) ?? [];
    if (piece.type === 'word') {
      if (!skipsWord && !skipsCommand) current.push(piece);
      skipsWord = false;
    } else if (/[<>]/.test(piece.value)) {
      skipsWord = true;
      // The 2 of `2>&1`.
      if (/^\d$/.test(current.at(-1)?.raw ?? '')) current.pop();
    } else {
      skipsCommand = piece.value.startsWith('|');
      if (!skipsCommand) commands.push([]);
    }
  }
  return commands.filter((words) => words.length > 0);
}

function assignment(word: ShellWord): readonly [string, string] | undefined {
  const name = /^([A-Za-z_]\w*)\+?=/.exec(word.bare);
  return name?.[1] === undefined ? undefined : [name[1], word.value.slice(name[0].length)];
}

function variables(words: readonly ShellWord[]): Record<string, string> {
  return Object.fromEntries(words.flatMap((word) => [assignment(word) ?? []]).filter((pair) => pair.length === 2));
}
