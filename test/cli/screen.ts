/**
 * A real terminal around the real binary: tmux gives the pseudo-terminal and draws it, keys go in as a person types
 * them, and what is read back is what a person sees. `wrapped` lines are those the terminal itself had to break.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { tempDir } from '../support/temp.ts';
import { type Project, until } from './support.ts';

const binary = resolve(import.meta.dirname, '../../dist/cli/main.js');

export interface Screen {
  /** Names of keys as tmux knows them (`Down`, `Enter`, `C-c`), or text. */
  press(...keys: readonly string[]): void;
  /** As a person who pulls at the corner of the window. */
  resize(columns: number): void;
  /** What is on the screen now. */
  shown(): string;
  /** With what has scrolled away, and lines that the terminal broke put together again. */
  all(): string;
  /** With colours, as escape sequences. */
  coloured(): string;
  /** The screen, once it shows this. */
  shows(what: string | RegExp): Promise<string>;
  /** The exit code, once the program has left. */
  exit(): Promise<number>;
}

export interface ScreenOptions {
  readonly columns: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
}

export function openScreen(project: Project, args: readonly string[], options: ScreenOptions): Screen {
  const { columns, rows = 24, env = {} } = options;
  const area = tempDir('forge-screen');
  const socket = join(area, 's');
  const words = [process.execPath, binary, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  writeFileSync(join(area, 'start.sh'), `trap : INT\n${words}\necho "[left with $?]"\nexec sleep 600\n`);
  writeFileSync(join(area, 'tmux.conf'), 'set -g status off\nset -g history-limit 5000\nset -g escape-time 0\n');
  const size = ['-x', String(columns), '-y', String(rows)];
  execFileSync(
    'tmux',
    ['-S', socket, '-f', join(area, 'tmux.conf'), 'new-session', '-d', ...size, `sh '${join(area, 'start.sh')}'`],
    { cwd: project.root, env: { ...project.env, ...env } },
  );
  onTestFinished(() => {
    try {
      tmux(socket, 'kill-server');
    } catch {
      // It went with its last window.
    }
  });
  const capture = (...flags: string[]): string => tmux(socket, 'capture-pane', '-p', ...flags).replaceAll(/ +$/gm, '');
  const shown = (): string => capture();
  return {
    press: (...keys) => {
      tmux(socket, 'send-keys', ...keys);
    },
    resize: (width) => {
      tmux(socket, 'resize-window', '-x', String(width), '-y', String(rows));
    },
    shown,
    all: () => capture('-J', '-S', '-'),
    coloured: () => capture('-e'),
    shows: async (what) => {
      let last = '';
      const isThere = (): boolean => {
        last = shown();
        return typeof what === 'string' ? last.includes(what) : what.test(last);
      };
      await until(isThere, `a screen that shows ${what}`).catch((error: Error) => {
        throw new Error(`${error.message}, but this:\n${last}`);
      });
      return last;
    },
    exit: async () => Number(await until(() => /\[left with (\d+)\]/.exec(shown())?.[1], 'the end of the program')),
  };
}

function tmux(socket: string, ...args: string[]): string {
  return execFileSync('tmux', ['-S', socket, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
