/**
 * Did a command fail because something is not installed? Only what shells, launchers and interpreters say themselves,
 * whole lines, together with the exit code they use for it. Pure. It decides whether a run stops before agents are
 * paid; it never turns a failure into anything better.
 */
export interface FailedRun {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The program or module that is missing, or undefined where the failure is about something else. */
export function missingProgram(run: FailedRun): string | undefined {
  const fits = patterns.filter((pattern) => pattern.exits.includes(run.exit));
  // What a launcher says comes last, after whatever the command printed before.
  const lines = `${run.stdout}\n${run.stderr}`.slice(-65_536).split(/\r?\n/).toReversed();
  for (const line of lines) {
    for (const { text } of fits) {
      const name = text.exec(line)?.[1];
      if (name !== undefined) return name;
    }
  }
  return undefined;
}

const patterns: readonly { readonly exits: readonly number[]; readonly text: RegExp }[] = [
  // sh, dash, bash, zsh: `sh: 1: vitest: not found`, `bash: line 1: vitest: command not found`.
  { exits: [126, 127], text: /^\S*sh: (?:(?:line )?\d+: )?([^\s:]+): (?:command )?not found$/ },
  { exits: [126, 127], text: /^zsh:(?:\d+:)? command not found: ([^\s:]+)$/ },
  {
    exits: [126, 127],
    text: /^(?:\/usr\/bin\/)?env: [‘'"]?([^’'":]+)[’'"]?: (?:No such file or directory|Permission denied)$/,
  },
  { exits: [126, 127], text: /^\S*sh: (?:(?:line )?\d+: )?([^\s:]+): Permission denied$/ },
  // make: `make: vitest: No such file or directory`, and exit 2 of make itself.
  { exits: [2, 127], text: /^make(?:\[\d+\])?: ([^\s:*]+): (?:No such file or directory|not found)$/ },
  // python -m pytest, without pytest.
  { exits: [1], text: /^\S*python[\d.]*: No module named ([\w.]+)$/ },
  // npx without the package, and without a network to get it from.
  { exits: [1], text: /^npm (?:error|ERR!) npx canceled due to missing packages and no YES option: \["([^"@]+)/ },
  { exits: [1], text: /^npm (?:error|ERR!) request to \S+?\/([^/\s]+) failed: cache mode is 'only-if-cached'/ },
  { exits: [101], text: /^error: no such command: `([^`]+)`$/ },
];
