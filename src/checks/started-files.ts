/**
 * Which files of the repository a check starts: `./scripts/verify.sh`, `node tools/run-tests.js`, the same inside a
 * package script. Pure. The judge's version of such a file is the one that runs, whatever its name: a script may be
 * called like a test. A program may as well be the product (`./bin/tool --help`), so the change is always shown, and once
 * it was accepted the commit's own version runs. Files that a test runner is given are tests, not programs.
 * `python -m name` means what is installed wherever the judge has no such module: one that a commit brings along
 * would take its place.
 */
import { posix } from 'node:path';
import { moduleFiles } from '../evidence/judge/runner-modules.ts';
import { runnerCommand, scriptCommand, scriptWords } from '../evidence/runner-command.ts';
import { type VerifyCommand } from '../plan/command-line.ts';
import { quoteCommand } from '../plan/quote-command.ts';

export interface StartedFile {
  /** Relative to the repository's root. */
  readonly path: string;
  /** Of the check that starts it. */
  readonly label: string;
  /** The file that mentions it, where it is not the command itself. */
  readonly via?: string | undefined;
  /** Where the judge has no such file, something installed is meant, and the commit's must not be there. */
  readonly installed: boolean;
}

/** Where Python looks for the modules of a command, relative to the repository's root. */
export function importDirectories({ cwd, env }: Pick<VerifyCommand, 'cwd' | 'env'>): readonly string[] {
  const listed = (env['PYTHONPATH'] ?? '').split(':').filter((entry) => entry !== '' && !posix.isAbsolute(entry));
  return [cwd, ...listed.map((entry) => posix.join(cwd, entry))];
}

export type PackageScripts = (cwd: string) => Readonly<Record<string, string>>;

export function startedFiles(commands: readonly VerifyCommand[], scripts: PackageScripts): readonly StartedFile[] {
  return commands.flatMap((command) => {
    const label = quoteCommand(command.argv);
    const words = [command.argv, ...scriptLines(command.argv, scripts(command.cwd), maxHops)];
    const files = words.flatMap((line) => [...startedBy(line, command.cwd), ...modulesOf(line, command)]);
    return files.map((file) => ({ ...file, label }));
  });
}

const maxHops = 5;

/** What a package script, and the scripts around and below it, run. */
function scriptLines(
  argv: readonly string[],
  scripts: Readonly<Record<string, string>>,
  hops: number,
): readonly (readonly string[])[] {
  const script = hops === 0 ? undefined : scriptCommand(argv)?.script;
  if (script === undefined) return [];
  const texts = [`pre${script}`, script, `post${script}`].flatMap((name) =>
    Object.hasOwn(scripts, name) ? (scripts[name] ?? []) : [],
  );
  const lines = texts.flatMap((text) => scriptWords(text) ?? []);
  return lines.flatMap((line) => [line, ...scriptLines(line, scripts, hops - 1)]);
}

/** The text of every package script that a command leads to, by name, however it is called (`run-s`, `concurrently`). */
export function scriptTexts(argv: readonly string[], scripts: Readonly<Record<string, string>>): readonly string[] {
  const manager = /^(?:npm|pnpm|yarn|bun|npx|run-s|run-p|npm-run-all|turbo|nx|lerna|wireit|make)$/;
  if (!argv.some((word) => manager.test(word.split('/').at(-1) ?? ''))) return [];
  const names = Object.keys(scripts).slice(0, 500);
  const reached = new Set<string>();
  const texts: string[] = [];
  const queue = [argv.join(' '), ...(argv.includes('t') || argv.includes('tst') ? ['test'] : [])];
  for (let text = queue.pop(); text !== undefined; text = queue.pop()) {
    for (const name of names.filter((each) => !reached.has(each) && says(text ?? '', each))) {
      for (const each of [`pre${name}`, name, `post${name}`]) {
        if (reached.has(each) || !Object.hasOwn(scripts, each)) continue;
        reached.add(each);
        texts.push(scripts[each] ?? '');
        queue.push(scripts[each] ?? '');
      }
    }
  }
  return texts;
}

function says(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const [before = ' ', after = ' '] = [text[at - 1], text[at + name.length]];
    if (/[\s"':]/.test(before) && /[\s"'&;|]/.test(after)) return true;
  }
  return false;
}

const shells = /^(?:ba|da|z|k|a)?sh$/;
const interpreters = /^(?:node|tsx|ts-node|deno|bun|python[\d.]*|ruby|perl|php)$/;

function startedBy(words: readonly string[], cwd: string): readonly Omit<StartedFile, 'label'>[] {
  if (runnerCommand(words) !== undefined) return [];
  const [said = '', ...rest] = words;
  // A program of the machine is known by its name, wherever it lies.
  const program = posix.isAbsolute(said) ? posix.basename(said) : said;
  const file = rest.find((word) => !word.startsWith('-'));
  if (program.includes('/')) return inRepository(program, cwd);
  if (file === undefined) return [];
  if (shells.test(program)) return inRepository(file, cwd);
  return interpreters.test(program) && /[./]/.test(file) ? inRepository(file, cwd) : [];
}

/** `python -m name`, `coverage run -m name`, behind any launcher. */
function modulesOf(words: readonly string[], command: VerifyCommand): readonly Omit<StartedFile, 'label'>[] {
  const at = words.indexOf('-m');
  const name = words[at + 1] ?? '';
  const starts = words.slice(0, Math.max(at, 0)).some((word) => /(?:^|\/)(?:python|pypy|coverage)[\d.]*$/.test(word));
  if (!starts || !/^[A-Za-z_][\w.]*$/.test(name)) return [];
  return moduleFiles(name, importDirectories(command)).map((path) => ({ path, installed: true }));
}

function inRepository(file: string, cwd: string): readonly Omit<StartedFile, 'label'>[] {
  const path = posix.normalize(posix.join(cwd, file));
  return posix.isAbsolute(file) || path === '..' || path.startsWith('../') ? [] : [{ path, installed: false }];
}
