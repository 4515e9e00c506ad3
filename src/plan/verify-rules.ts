/**
 * What a verify command may be once it is an argument list: a program (no shell with a script on its
 * command line, no builtin of a shell), a directory within the repository, and no variable that would
 * change which program or which code judges.
 */
import { directoryProblem } from './path-rules.ts';
import { clipText, makeRefusal, quoteUntrusted, type Refusal } from './refusal.ts';

export function argvProblem(argv: readonly [string, ...string[]]): Refusal | undefined {
  const [program, ...rest] = argv;
  if (argv.some((word) => word.includes('\0'))) {
    return makeRefusal('The command contains a NUL character.', 'Remove it.');
  }
  if (program.trim() === '' || program.startsWith('-')) {
    return makeRefusal(`${quoteUntrusted(program)} is not a program.`, 'Begin with the program, such as "npm test".');
  }
  const name = program.slice(program.lastIndexOf('/') + 1);
  if (builtins.has(program)) {
    return makeRefusal(
      `${quoteUntrusted(program)} belongs to a shell, and no shell runs the command.`,
      'Name a program; a directory is written {"run": "npm test", "cwd": "packages/api"}.',
    );
  }
  if (name === 'env' && rest.length > 0) {
    return makeRefusal('"env" hides what the command runs.', `Write ${withEnv(rest)}.`);
  }
  if (shells.has(name) && takesScript(rest)) {
    return makeRefusal(
      `${quoteUntrusted(program)} would run a script from the command line, with operators nobody checked.`,
      'Write one entry per command, or put the script into the repository: {"run": ["sh", "scripts/verify.sh"]}.',
    );
  }
  return undefined;
}

/** `env A=1 npm test` as an entry; with options of env's own there is only the pattern to show. */
function withEnv(words: readonly string[]): string {
  const start = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
  if (start < 1 || words[start]?.startsWith('-')) return '{"run": "npm test", "env": {"CI": "1"}}';
  const pairs = words
    .slice(0, start)
    .map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]);
  return clipText(JSON.stringify({ run: words.slice(start), env: Object.fromEntries(pairs) }));
}

/** Is there a `-c` among the shell's own options, that is before the first file? */
function takesScript(words: readonly string[]): boolean {
  const file = words.findIndex((word, place) => !/^[-+/]/.test(word) && !/^[-+][oO]$/.test(words[place - 1] ?? ''));
  return words
    .slice(0, file === -1 ? words.length : file)
    .some((word) => /^-[a-z]*c[a-z]*$|^[/-](?:c|command|encodedcommand)$/i.test(word));
}

export function cwdProblem(cwd: string): Refusal | undefined {
  const problem = directoryProblem(cwd);
  if (problem === undefined) return undefined;
  return makeRefusal(
    `The cwd ${quoteUntrusted(cwd)} ${problem}.`,
    'Give a directory of the repository, such as "packages/api".',
  );
}

export function envProblem(env: Readonly<Record<string, string>>): Refusal | undefined {
  for (const [name, value] of Object.entries(env)) {
    if (!/^[A-Za-z_]\w*$/.test(name)) {
      return makeRefusal(
        `${quoteUntrusted(name)} is not the name of a variable.`,
        'Use letters, digits and underscores, such as "CI".',
      );
    }
    if (value.includes('\0')) return makeRefusal(`The value of ${name} contains a NUL character.`, 'Remove it.');
    if (reserved.some((pattern) => pattern.test(name))) {
      return makeRefusal(
        `The variable ${quoteUntrusted(name)} would change which program or code judges, so a plan cannot set it.`,
        /^NODE_OPTIONS$/i.test(name)
          ? 'Pass the options to node: "node --experimental-vm-modules node_modules/.bin/jest".'
          : `Remove ${name}, and name the program and its options in "run".`,
      );
    }
  }
  return undefined;
}

const shells = new Set(
  `sh bash dash ash zsh ksh mksh fish csh tcsh cmd cmd.exe powershell powershell.exe pwsh`.split(/\s+/),
);

/** Words a shell handles itself; programs of the same name (`echo`, `test`, `true`) are left out. */
const builtins = new Set(
  `cd pushd popd export unset set source . eval exec alias trap ulimit umask if for while until case function
  select exit return wait read { } ! [[`.split(/\s+/),
);

/** Loaders, startup files, search paths, and what Forge, git and npm read for themselves. */
const reserved = [
  /^(?:LD|DYLD|GIT|FORGE|BASH_FUNC)_/i,
  /^(?:PATH|HOME|TMPDIR|SHELL|IFS|ENV|BASH_ENV|SHELLOPTS|BASHOPTS|PS4|PROMPT_COMMAND|ZDOTDIR)$/i,
  /^(?:NODE_OPTIONS|NODE_REPL_EXTERNAL_MODULE|NPM_CONFIG_\w+|YARN_\w*PATH)$/i,
  /^(?:PYTHONSTARTUP|PYTHONHOME|PYTHONBREAKPOINT|PERL5OPT|PERL5DB|RUBYOPT|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS)$/i,
  /^(?:JDK_JAVA_OPTIONS|MAVEN_OPTS|GRADLE_OPTS|GOFLAGS|RUSTC_WRAPPER|RUSTC_WORKSPACE_WRAPPER|MAKEFLAGS)$/i,
];
