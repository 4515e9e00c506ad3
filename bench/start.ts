/** How long a person waits before anything is said: `forge --help`, and a command that reads runs, against bare Node. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Figure, sideBySide } from './ratio.ts';

const binary = join(import.meta.dirname, '../src/cli/main.js');

export async function startFigures(quick: boolean): Promise<Figure[]> {
  const rounds = quick ? 7 : 25;
  const area = mkdtempSync(join(tmpdir(), 'forge-bench-start-'));
  const root = join(area, 'repository');
  const env = { ...process.env, HOME: area };
  const node = (...args: string[]): void => {
    execFileSync(process.execPath, args, { cwd: root, env, stdio: 'ignore' });
  };
  const author = ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.org'];
  try {
    execFileSync('git', ['init', '-q', root], { env });
    execFileSync('git', ['-C', root, ...author, 'commit', '-q', '--allow-empty', '-m', 'first'], { env });
    const bare = (): void => node('-e', '0');
    const help = await sideBySide(rounds, () => node(binary, '--help'), bare);
    const list = await sideBySide(rounds, () => node(binary, 'list'), bare);
    return [
      { name: 'forge --help / node -e 0', value: help.ratio, aim: 2, detail: milliseconds(help) },
      { name: 'forge list / node -e 0', value: list.ratio, detail: milliseconds(list) },
    ];
  } finally {
    rmSync(area, { recursive: true, force: true });
  }
}

function milliseconds({ subjectMs, referenceMs }: { subjectMs: number; referenceMs: number }): string {
  return `${subjectMs.toFixed(0)} ms against ${referenceMs.toFixed(0)} ms`;
}
