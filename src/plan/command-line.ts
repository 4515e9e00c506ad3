/**
 * An untrusted verify entry becomes an argument list, or is refused with the rewrite. Nothing is ever
 * trimmed, dropped or expanded: a line is taken only if it means the same without a shell. So unquoted
 * `*`, `?`, `~` and `{a,b}` are refused too: no shell would expand them, and the command would quietly
 * do something else; quoted they go to the program as they are. Brackets are passed as written.
 * This keeps the exit code honest (`|| true`, `sh -c`); what a command may touch is the jail's business.
 */

import { rewriteOperators } from './command-rewrite.ts';
import { isLikelyCommand } from './likely-command.ts';
import type { VerifyEntry } from './plan.ts';
import { quoteCommand } from './quote-command.ts';
import { makeRefusal, quoteUntrusted, type Refusal } from './refusal.ts';
import { readShellLine, type ShellFault } from './shell-words.ts';
import { argvProblem, cwdProblem, envProblem } from './verify-rules.ts';

export const defaultVerifyTimeoutMs = 120_000;

export interface VerifyCommand {
  readonly status: 'resolved';
  readonly argv: readonly [string, ...string[]];
  /** Relative to the repository's root, `.` for the root itself. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

export function resolveVerify(entry: VerifyEntry, timeoutMs = defaultVerifyTimeoutMs): VerifyCommand | Refusal {
  const { run, cwd = '.', env = {}, timeout } = typeof entry === 'string' ? { run: entry } : entry;
  const parsed = typeof run === 'string' ? parseProse(run) : argvOf(run);
  if (parsed.status === 'refused') return parsed;
  const problem = argvProblem(parsed.argv) ?? cwdProblem(cwd) ?? envProblem(env);
  if (problem !== undefined) return problem;
  return {
    status: 'resolved',
    argv: parsed.argv,
    cwd:
      cwd
        .split(/[\\/]/)
        .filter((name) => name !== '' && name !== '.')
        .join('/') || '.',
    env,
    timeoutMs: timeout === undefined ? timeoutMs : Math.ceil(timeout * 1000),
  };
}

interface Parsed {
  readonly status: 'parsed';
  readonly argv: readonly [string, ...string[]];
}

export function parseCommandLine(line: string): Parsed | Refusal {
  if (line.length > maxLength) {
    return makeRefusal(
      `The command has ${line.length} characters.`,
      'Put it into a script of the repository and run that.',
    );
  }
  const { pieces, faults } = readShellLine(line);
  const broken = faults.find((fault) => unreadable.has(fault.kind));
  if (broken !== undefined) return refuseFault(broken, []);
  // What stands within `$(…)` is not a command of the line, so it must not turn up in a rewrite.
  const nested = faults.find((fault) => fault.kind === 'substitution' && /^(?:\$\(|`)/.test(fault.text));
  if (nested !== undefined) {
    return makeRefusal(
      `The command contains a substitution, ${quoteUntrusted(nested.text)}, and no shell runs it.`,
      'Write the value itself, put it into single quotes if it is meant as it is, or run a script of the repository.',
    );
  }
  if (pieces.some((piece) => piece.type === 'operator')) return rewriteOperators(pieces);
  const words = pieces.filter((piece) => piece.type === 'word');
  const values = words.map((word) => word.value);
  if (faults[0] !== undefined) return refuseFault(faults[0], values);
  if (words[0] !== undefined && isAssignment(words[0].bare)) return rewriteOperators(pieces);
  return argvOf(values);
}

const maxLength = 4000;

/** Only written lines are looked at as prose: whoever gives an argument list means a program. */
function parseProse(line: string): Parsed | Refusal {
  if (line.length > maxLength || line.trim() === '' || isLikelyCommand(line)) return parseCommandLine(line);
  return makeRefusal(
    `${quoteUntrusted(line)} reads like prose, not like a command.`,
    `Move it to "doneWhen" and give a command such as "npm test" here; a program of that name is written {"run": ["name", "argument"]}.`,
  );
}

function argvOf(values: readonly string[]): Parsed | Refusal {
  const [program, ...rest] = values;
  if (program === undefined) return makeRefusal('The command is empty.', 'Give a command such as "npm test".');
  return { status: 'parsed', argv: [program, ...rest] };
}

function isAssignment(bare: string): boolean {
  return /^[A-Za-z_]\w*\+?=/.test(bare);
}

/** Faults after which the rest of the line cannot be read. */
const unreadable: ReadonlySet<ShellFault['kind']> = new Set(['open-quote', 'open-escape', 'control']);

function refuseFault({ kind, text }: ShellFault, argv: readonly string[]): Refusal {
  return faultTexts[kind](text, quoteUntrusted(quoteCommand(argv), 300));
}

/** Per fault, from the offending text and the line with every argument quoted. */
const faultTexts: Readonly<Record<ShellFault['kind'], (text: string, quoted: string) => Refusal>> = {
  'open-quote': (text) =>
    makeRefusal(
      `The command has a quote (${text}) that is never closed.`,
      `Close it, or write \\${text} for the character itself.`,
    ),
  'open-escape': () => makeRefusal('The command ends in a backslash.', 'Remove it: a command is one line.'),
  control: (text) =>
    makeRefusal(`The command contains the control character ${text}.`, 'Remove it: a command is one line of text.'),
  substitution: (text, quoted) =>
    makeRefusal(
      `The command contains a substitution, ${quoteUntrusted(text)}, and no shell runs it.`,
      `Write the value itself; if the text is meant as it is, put it into single quotes: ${quoted}.`,
    ),
  comment: (text, quoted) =>
    makeRefusal(
      `The command contains a comment, ${quoteUntrusted(text)}.`,
      `Remove it; if the text is meant as it is, put it into quotes: ${quoted}.`,
    ),
  tilde: (text, quoted) =>
    makeRefusal(
      `No shell expands ${quoteUntrusted(text)}.`,
      `Write a path relative to the repository, or put it into quotes if it is meant as it is: ${quoted}.`,
    ),
  glob: unexpanded,
  brace: unexpanded,
};

function unexpanded(text: string, quoted: string): Refusal {
  return makeRefusal(
    `No shell expands ${quoteUntrusted(text)}.`,
    `If the program expands it itself, put it into quotes: ${quoted}; if not, name the files.`,
  );
}
