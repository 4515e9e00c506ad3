/**
 * Untrusted program output as plain lines: colours, carriage returns and over-long lines are gone before a
 * reader's patterns see it. Everything here is linear in the length of the text; the readers' patterns are
 * anchored and run on lines of bounded length, so no output can make them slow.
 */
import { isTestFile } from '../test-files.ts';

const maxLine = 8192;
const maxName = 400;

const escape = String.fromCharCode(27);
const bell = String.fromCharCode(7);
const ansi = new RegExp(
  `${escape}(?:\\[[0-9;:?]*[ -/]*[@-~]?|\\][^${bell}${escape}]*(?:${bell}|${escape}\\\\)?|[()][0-9A-Za-z]|[=>78cDEHMNOZ])?`,
  'g',
);

export function plainText(text: string): string {
  return text.includes(escape) ? text.replace(ansi, '') : text;
}

export function plainLines(text: string): string[] {
  const lines = plainText(text).split(/\r\n|\n|\r/);
  return lines.map((line) => (line.length > maxLine ? line.slice(0, maxLine) : line));
}

export function indentOf(line: string): number {
  let indent = 0;
  while (line.charCodeAt(indent) === 32) indent += 1;
  return indent;
}

/** A name that is the same in the next run: no absolute path, no control characters, bounded. */
export function stableName(name: string, root: string | undefined): string {
  const cut = name.length > 4 * maxName ? name.slice(0, 4 * maxName) : name;
  const words = plainText(cut)
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => stablePath(word, root));
  const text = words.join(' ');
  return text.length > maxName ? `${text.slice(0, maxName - 1)}…` : text;
}

/** Below the root: relative. Elsewhere: its last part, since a temporary directory differs every time. */
export function stablePath(path: string, root: string | undefined): string {
  const bare = path.startsWith('file://') ? path.slice('file://'.length) : path;
  if (!/^(?:\/|[A-Za-z]:[\\/])/.test(bare)) return path.startsWith('./') ? path.slice(2) : path;
  const base = root === undefined ? undefined : root.replace(/[\\/]+$/, '');
  if (base !== undefined && base !== '' && bare.startsWith(base) && /^[\\/]/.test(bare.slice(base.length))) {
    return bare.slice(base.length + 1);
  }
  // A route or a fraction in a test's title ("GET /users") is not a path of this machine.
  return /^\/(?:tmp|var|private|home|root|Users|work|workspace|build|builds|mnt|opt|srv|run|dev|proc|github|data)\//.test(
    bare,
  ) || /^[A-Za-z]:/.test(bare)
    ? (bare.split(/[\\/]/).findLast((part) => part !== '') ?? path)
    : path;
}

/** Whether an error's first line says that a module was not there to be loaded, in any of the runners' words. */
export function saysNotLoaded(message: string): boolean {
  const line = (message.split('\n', 1)[0] ?? '').slice(0, 1000).trim();
  return (
    /^(?:[A-Za-z]*Error(?: \[[A-Z_]+\])?: )?(?:Cannot find (?:module|package) |Failed to (?:load url |resolve import |resolve entry )|Could not resolve |No test suite found in |Transform failed with |Your test suite must contain |Jest encountered an unexpected token)/.test(
      line,
    ) ||
    /^(?:ModuleNotFoundError|ImportError)\b/.test(line) ||
    /^SyntaxError: .*(?:does not provide an export named|Cannot use import statement|Unexpected token 'export')/.test(
      line,
    ) ||
    /^(?:IndentationError|TabError): /.test(line)
  );
}

/** Whether a runner used a file's name as a test's name: the file itself passed or failed, no test in it. */
export function namesFile(name: string): boolean {
  if (/^(?:\/|[A-Za-z]:\\).*\.[cm]?[jt]sx?$/.test(name)) return true;
  // Newer versions of Node write the path as it was given, and run whatever lies in `test/`.
  return !/\s/.test(name) && (isTestFile(name) || /^(?:[^/]+\/)*tests?\/.+\.[cm]?[jt]s$/.test(name));
}
