/** `forge enhance`: has changes of roles proposed as a diff, and applies such a proposal when that is asked for. */
import { applyEnhancement } from '../api/apply-enhancement.ts';
import { openContext } from '../api/context.ts';
import { performOperation } from '../api/operation.ts';
import { plainLine, plainLines } from '../views/terminal-text.ts';
import { countText } from '../views/figures.ts';
import { workflowKeeping } from '../workflows/registry.ts';
import type { CommandCall } from './commands.ts';
import { printJson } from './print.ts';
import { run as startRun } from './run.ts';

const usualWish = 'Improve the roles by the friction that is still open';

export async function run(call: CommandCall): Promise<number> {
  const { words, values, switches } = call;
  if (switches.has('apply')) return apply(words[0], switches);
  const wish = words.join(' ').trim() || usualWish;
  const wishes = { ...values, do: 'enhance', workflow: workflowKeeping('.forge/store').name };
  return startRun({ ...call, words: [wish], values: wishes });
}

async function apply(wanted: string | undefined, switches: CommandCall['switches']): Promise<number> {
  const dryRun = switches.has('dry-run');
  const done = await performOperation(applyEnhancement, openContext({ cwd: process.cwd() }), { run: wanted, dryRun });
  if (switches.has('json')) {
    printJson(done);
    return 0;
  }
  for (const diff of done.diffs) for (const line of plainLines(diff)) console.log(line);
  for (const path of done.written) console.log(plainLine(`${dryRun ? 'Would write' : 'Wrote'} ${path}`));
  if (dryRun) return 0;
  if (done.resolved.length > 0) console.log(`${countText(done.resolved.length, 'friction event')} resolved.`);
  console.log('Roles are part of what you agree to: forge trust. Then commit them.');
  return 0;
}
