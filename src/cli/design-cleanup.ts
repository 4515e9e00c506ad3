/** `forge design cleanup <plan-dir>`: shows where the delivery stands and what would go, asks, and removes it. */
import { cleanupDelivery, type DeliveryCleaned } from '../api/cleanup-delivery.ts';
import { deliveryStatus } from '../api/design-status.ts';
import { type ApiContext, openContext } from '../api/context.ts';
import { performOperation } from '../api/operation.ts';
import { ForgeError } from '../errors.ts';
import { countText } from '../views/figures.ts';
import { plainLine } from '../views/terminal-text.ts';
import { chooseFrom } from './choose.ts';
import type { CommandCall } from './commands.ts';
import { statusLines } from './design-lines.ts';
import { printJson } from './print.ts';
import { openTerminal } from './terminal.ts';

export async function run({ words: [directory = ''], switches }: CommandCall): Promise<number> {
  const context = openContext({ cwd: process.cwd() });
  const json = switches.has('json');
  const plans = switches.has('plans');
  const status = await performOperation(deliveryStatus, context, { directory });
  const found = await performOperation(cleanupDelivery, context, { directory, plans });
  if (!json) for (const line of [...statusLines(status), '', ...foundLines(found, plans)]) console.log(line);
  const agreed = switches.has('yes') ? { plans } : await ask(found, { plans, json });
  if (agreed === undefined) return 130;
  const cleaned = await remove(context, directory, agreed.plans);
  if (json) printJson(cleaned);
  else console.log(removedLine(cleaned));
  return 0;
}

function remove(context: ApiContext, directory: string, plans: boolean): Promise<DeliveryCleaned> {
  return performOperation(cleanupDelivery, context, { directory, plans, agree: true });
}

function foundLines({ runs, branches, worktrees, checkedOut, directory, history }: DeliveryCleaned, plans: boolean) {
  const list = (name: string, values: readonly string[]): string[] =>
    values.length === 0 ? [] : [`  ${name}: ${plainLine(values.join(', '))}`];
  return [
    'This would be removed:',
    ...list('runs with their workspaces', runs),
    ...list('branches', branches),
    ...list('worktrees', worktrees),
    ...(plans ? list('plans', [directory]) : []),
    ...list('stays, because it is checked out', checkedOut),
    ...(plans ? [] : list('stays', [history.length === 0 ? directory : `${directory}, which has delivery history`])),
  ];
}

async function ask(
  { plans: state }: DeliveryCleaned,
  { plans, json }: { readonly plans: boolean; readonly json: boolean },
): Promise<{ readonly plans: boolean } | undefined> {
  const terminal = openTerminal();
  if (!terminal.isInteractive || json)
    throw new ForgeError('bad-input', 'Nothing was removed: nobody agreed to it', {
      hint: 'Agree to it with --yes. Add --plans to remove the plan directory too.',
    });
  if ((await chooseFrom(terminal, 'Remove it?', ['No, keep it', 'Yes, remove it'])) !== 1) {
    terminal.say('Nothing was changed.');
    return undefined;
  }
  if (plans || state !== 'removable') return { plans };
  const also = await chooseFrom(terminal, 'Keep the plan directory?', ['Yes, keep it', 'No, remove it in a commit']);
  return { plans: also === 1 };
}

function removedLine({ runs, branches, worktrees, plans, directory }: DeliveryCleaned): string {
  const rest = plans === 'removed' ? `, and ${plainLine(directory)}` : '';
  return `Removed ${countText(runs.length, 'run')}, ${countText(branches.length, 'branch', 'branches')}, ${countText(worktrees.length, 'worktree')}${rest}.`;
}
