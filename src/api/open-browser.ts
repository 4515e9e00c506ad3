/** Opens an address in the person's browser, with the program their system has for that. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDetached } from '../process/detach.ts';
import type { ApiContext } from './context.ts';

/** False when there is no such program, or no screen to show anything on. */
export async function openBrowser(address: string, env: ApiContext['env']): Promise<boolean> {
  const isMac = process.platform === 'darwin';
  if (!isMac && !env['DISPLAY'] && !env['WAYLAND_DISPLAY'] && !env['WSL_DISTRO_NAME']) return false;
  try {
    const program = isMac ? 'open' : 'xdg-open';
    await startDetached({
      program,
      args: [address],
      cwd: tmpdir(),
      env,
      logFile: join(tmpdir(), `forge-open-${process.pid}.log`),
    });
    return true;
  } catch {
    return false;
  }
}
