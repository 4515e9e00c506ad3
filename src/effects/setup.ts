/** The project's setup command as the git room takes it. */
import type { Setup } from '../git/setup-cache.ts';
import type { Settings } from '../policy/settings.ts';
import type { Jail } from '../process/jail.ts';

export function setupOf({ workspace }: Settings, jail: Jail): { setup: Setup; jail: Jail } | undefined {
  if (workspace.setup === undefined) return undefined;
  const { run, inputs, outputs, network, timeout } = workspace.setup;
  return { setup: { run, inputs, outputs, network, timeMs: timeout * 1000 }, jail };
}
