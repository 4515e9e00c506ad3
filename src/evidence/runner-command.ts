/**
 * Which test runner a command line starts, seen through launchers (`npx`, `uv run`, `python -m`) and
 * package scripts. Works on words only and guesses nothing: a flag it does not know, followed by a word that
 * may be its value, makes the command unknown, because a caller will leave positional words out.
 */

export type RunnerName =
  | 'node-test'
  | 'vitest'
  | 'jest'
  | 'mocha'
  | 'ava'
  | 'tap'
  | 'playwright'
  | 'bun-test'
  | 'deno-test'
  | 'pytest'
  | 'go-test'
  | 'cargo-test';

export interface RunnerCommand {
  readonly runner: RunnerName;
  /** Launchers, program and subcommand. */
  readonly start: readonly string[];
  readonly flags: readonly string[];
  /** Files, directories, patterns: what to run. */
  readonly positionals: readonly string[];
  /** False where a word may be a flag's value or a thing to run. */
  readonly certain: boolean;
}

export function runnerCommand(argv: readonly string[]): RunnerCommand | undefined {
  const at = programIndex(argv);
  const found = at === undefined ? undefined : runnerAt(argv, at);
  if (found === undefined) return undefined;
  return {
    runner: found.runner,
    start: argv.slice(0, found.next),
    ...splitWords(found.runner, argv.slice(found.next)),
  };
}

/** The name of a package script that a command runs, and the words it hands on to it. */
export function scriptCommand(
  argv: readonly string[],
): { readonly manager: string; readonly script: string; readonly extra: readonly string[] } | undefined {
  const [program, ...words] = argv;
  const manager = baseName(program ?? '');
  if (!['npm', 'pnpm', 'yarn', 'bun'].includes(manager)) return undefined;
  const rest = words.filter((word) => word !== '--silent' && word !== '-s');
  const first = rest[0] ?? '';
  const run = first === 'run' || first === 'run-script' || (first === 'rum' && manager === 'npm');
  const shorthand = manager === 'bun' ? [] : ['test', 't', 'tst', 'start'];
  const script = run
    ? rest[1]
    : manager === 'yarn' && /^[\w:.-]+$/.test(first)
      ? first
      : shorthand.includes(first)
        ? first
        : undefined;
  if (script === undefined || script.startsWith('-')) return undefined;
  const extra = rest.slice(run ? 2 : 1);
  return {
    manager,
    script: script === 't' || script === 'tst' ? 'test' : script,
    extra: extra[0] === '--' ? extra.slice(1) : extra,
  };
}

/** A package script as the words of its commands, joined by `&&` only; undefined where a shell is needed. */
export function scriptWords(script: string): readonly (readonly string[])[] | undefined {
  const commands: string[][] = [[]];
  const token = /\s*(?:(&&)|"([^"\\$`]*)"|'([^']*)'|([^\s"'|&;<>()$`\\]+))/y;
  const text = script.trim();
  if (text.length > 4000) return undefined;
  while (token.lastIndex < text.length) {
    const start = token.lastIndex;
    const match = token.exec(text);
    if (match === null) return undefined;
    const glued = start > 0 && match[1] === undefined && !/^\s/.test(match[0]) && text.slice(start - 2, start) !== '&&';
    const word = match[2] ?? match[3] ?? match[4] ?? '';
    const current = commands.at(-1) ?? [];
    if (match[1] !== undefined) commands.push([]);
    else if (glued && current.length > 0) current.push((current.pop() ?? '') + word);
    else current.push(word);
  }
  return commands.every((words) => words.length > 0) ? commands : undefined;
}

const launchers: Readonly<Record<string, readonly string[]>> = {
  npx: [''],
  bunx: [''],
  pnpm: ['exec', 'dlx'],
  npm: ['exec', 'x'],
  yarn: ['exec', 'dlx'],
  uv: ['run'],
  poetry: ['run'],
  pipenv: ['run'],
  hatch: ['run'],
  rye: ['run'],
  'cross-env': [''],
  'dotenv-run': [''],
  dotenv: [''],
  env: [''],
  c8: [''],
  nyc: [''],
};

function programIndex(argv: readonly string[]): number | undefined {
  let at = 0;
  for (let hops = 0; hops < 6; hops += 1) {
    while (/^[A-Za-z_]\w*=/.test(argv[at] ?? '')) at += 1;
    const subcommands = launchers[baseName(argv[at] ?? '')];
    if (subcommands === undefined || !Object.hasOwn(launchers, baseName(argv[at] ?? ''))) {
      return at < argv.length ? at : undefined;
    }
    if (subcommands[0] !== '') {
      // `yarn vitest` and `pnpm vitest` start a binary of the project without saying `exec`.
      if (!subcommands.includes(argv[at + 1] ?? '')) return at + 1 < argv.length ? at + 1 : undefined;
      at += 1;
    }
    at += 1;
    while ((argv[at] ?? '').startsWith('-')) at += 1;
  }
  return undefined;
}

function runnerAt(
  argv: readonly string[],
  at: number,
): { readonly runner: RunnerName; readonly next: number } | undefined {
  const program = baseName(argv[at] ?? '');
  const second = argv[at + 1] ?? '';
  if (program === 'vitest') return { runner: 'vitest', next: second === 'run' || second === 'watch' ? at + 2 : at + 1 };
  if (program === 'jest' || program === 'mocha' || program === 'ava' || program === 'tap')
    return { runner: program, next: at + 1 };
  if (program === 'pytest' || program === 'py.test') return { runner: 'pytest', next: at + 1 };
  if (/^python[\d.]*$/.test(program) && second === '-m' && argv[at + 2] === 'pytest')
    return { runner: 'pytest', next: at + 3 };
  if (program === 'go' && second === 'test') return { runner: 'go-test', next: at + 2 };
  if (program === 'cargo' && (second === 'test' || second === 't')) return { runner: 'cargo-test', next: at + 2 };
  if (program === 'bun' && second === 'test') return { runner: 'bun-test', next: at + 2 };
  if (program === 'deno' && second === 'test') return { runner: 'deno-test', next: at + 2 };
  if (program === 'playwright' && second === 'test') return { runner: 'playwright', next: at + 2 };
  if (program === 'node' || program === 'tsx') {
    if (argv.slice(at + 1).some((word) => word === '--test')) return { runner: 'node-test', next: at + 1 };
    const entry = argv.findIndex((word, index) => index > at && !word.startsWith('-'));
    const name = /(?:^|[\\/])(vitest|jest|mocha|ava|playwright)(?:\.m?js)?$/.exec(argv[entry] ?? '')?.[1];
    return entry === -1 || name === undefined
      ? undefined
      : runnerAt([...argv.slice(0, entry), name, ...argv.slice(entry + 1)], entry);
  }
  return undefined;
}

const withValue: Readonly<Record<RunnerName, string>> = {
  'node-test':
    '--import -r --require --loader --experimental-loader --test-reporter --test-reporter-destination --test-name-pattern --test-skip-pattern --test-concurrency --test-timeout --test-shard -C --conditions',
  vitest:
    '-c --config -r --root --dir --project --reporter --outputFile -t --testNamePattern --environment --pool --mode --maxWorkers --minWorkers --testTimeout --hookTimeout --retry --shard --workspace',
  jest: '-c --config -t --testNamePattern -w --maxWorkers --testTimeout --env --outputFile --rootDir --shard --coverageDirectory --reporters',
  mocha:
    '-r --require --config -R --reporter -t --timeout -g --grep -f --fgrep -u --ui --extension --file -O --reporter-option --retries -s --slow',
  ava: '-c --concurrency -T --timeout -m --match --config --node-arguments',
  tap: '-R --reporter -j --jobs -t --timeout',
  playwright: '-c --config -g --grep --project --reporter --retries --workers -j --timeout --output --shard',
  'bun-test': '-t --test-name-pattern --timeout --preload -r --bail --rerun-each',
  'deno-test': '-c --config --import-map --filter --reporter',
  pytest:
    '-k -m -c -p -o -W -n -r --rootdir --ignore --ignore-glob --deselect --maxfail --tb --junitxml --junit-xml --cov --cov-report --cov-config --timeout --durations --import-mode --log-level --confcutdir',
  'go-test':
    '-run -skip -timeout -tags -count -p -parallel -coverprofile -coverpkg -cpu -mod -o -vet -exec -bench -benchtime -shuffle -fuzz -fuzztime',
  'cargo-test':
    '-p --package --exclude -j --jobs --bin --example --test --bench -F --features --target --target-dir --manifest-path --profile --color --message-format',
};

const alone =
  /^(?:--test|--coverage|--run|--silent|--verbose|--ci|--runInBand|-i|--passWithNoTests|--forceExit|--detectOpenHandles|--exit|--bail|-b|--recursive|--no-[\w-]+|-q|-qq|-v|-vv|-vvv|-x|-s|-l|-race|-short|-json|-cover|-failfast|--all|--workspace|--lib|--release|--locked|--offline|--all-features|--all-targets|--experimental-[\w-]+|--enable-source-maps|--colors?|--allow-[\w-]+|-A)$/;

function splitWords(
  runner: RunnerName,
  words: readonly string[],
): Pick<RunnerCommand, 'flags' | 'positionals' | 'certain'> {
  const valued = new Set((withValue[runner] ?? '').split(' '));
  const flags: string[] = [];
  const positionals: string[] = [];
  let certain = true;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (word === '--') {
      // What follows goes to the program under test, not to the runner: not ours to take apart.
      certain = false;
      break;
    }
    const next = words[index + 1];
    if (!word.startsWith('-') || word === '-') positionals.push(word);
    else if (valued.has(word) && next !== undefined) {
      flags.push(word, next);
      index += 1;
    } else {
      flags.push(word);
      if (!word.includes('=') && !alone.test(word) && next !== undefined && !next.startsWith('-')) certain = false;
    }
  }
  return { flags, positionals, certain };
}

function baseName(program: string): string {
  return (program.split(/[\\/]/).at(-1) ?? '').replace(/\.(?:exe|cmd|ps1)$/i, '');
}
