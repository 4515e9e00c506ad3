/**
 * `forge run`: a requirement becomes a run. At a terminal it says at once that it has begun: what works on runs takes a
 * moment to load, and looking at the repository takes longer.
 */
import type { CommandCall } from './commands.ts';
import { openTerminal } from './terminal.ts';

export async function run(call: CommandCall): Promise<number> {
  const { switches } = call;
  if (openTerminal().isLive && !switches.has('json')) process.stderr.write('Preparing the run…\n');
  const { beginRun } = await import('./begin-run.ts');
  return beginRun(call);
}
