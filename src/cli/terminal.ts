/** What this process is connected to, looked at once: a person at a terminal, a pipe, how wide, in colour or not. */
import { wrapText } from '../views/terminal-text.ts';

export interface Terminal {
  /** Questions can be asked: both ends are a person's. */
  readonly isInteractive: boolean;
  /** Lines can be drawn over. */
  readonly isLive: boolean;
  readonly color: boolean;
  readonly ascii: boolean;
  columns(): number;
  rows(): number;
  write(text: string): void;
  /** A sentence, broken between words. */
  say(text: string): void;
}

export function openTerminal(env: Readonly<Record<string, string | undefined>> = process.env): Terminal {
  const { stdout } = process;
  const isTerminal = stdout.isTTY && env['TERM'] !== 'dumb';
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '';
  const columns = (): number => {
    // Node learns of a new size through a signal, which can come after the next drawing: its own listener asks anew.
    if (isTerminal) process.emit('SIGWINCH', 'SIGWINCH');
    return stdout.columns ?? 80;
  };
  const write = (text: string): void => {
    stdout.write(text);
  };
  return {
    // Looking at it opens it, which most commands have no use for.
    get isInteractive() {
      return process.stdin.isTTY && stdout.isTTY;
    },
    isLive: isTerminal,
    color: isTerminal && (env['NO_COLOR'] ?? '') === '',
    // The plain C locale shows nothing else.
    ascii: ['C', 'POSIX'].includes(locale),
    columns,
    rows: () => stdout.rows ?? 24,
    write,
    say: (text) => write(`${wrapText(text, Math.max(30, columns())).join('\n')}\n`),
  };
}
