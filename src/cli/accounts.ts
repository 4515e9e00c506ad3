/** `forge accounts`: the accounts that runs take turns with. A token is read from standard input or asked for, hidden. */
import type { z } from 'zod';
import { addAccount, listAccounts, removeAccount, useAccount } from '../api/accounts.ts';
import { openContext } from '../api/context.ts';
import { performOperation } from '../api/operation.ts';
import { suggestWord } from '../api/suggest.ts';
import { ForgeError } from '../errors.ts';
import { plainLine } from '../views/terminal-text.ts';
import type { CommandCall } from './commands.ts';
import { printJson } from './print.ts';
import { readSecret } from './read-secret.ts';

const actions = ['list', 'add', 'use', 'remove'];

export async function run({ words: [action = 'list', name], values, switches }: CommandCall): Promise<number> {
  const context = openContext({ cwd: process.cwd() });
  const json = switches.has('json');
  if (!actions.includes(action)) {
    throw new ForgeError('bad-input', `accounts has no action ${JSON.stringify(action)}`, {
      hint: suggestWord(action, actions, `It knows: ${actions.join(', ')}.`),
    });
  }
  if (action === 'list') {
    const accounts = await performOperation(listAccounts, context, {});
    if (json) printJson(accounts);
    else print(accounts);
    return 0;
  }
  if (name === undefined) {
    throw new ForgeError('bad-input', `accounts ${action} needs the name of an account`, {
      hint: `For example: forge accounts ${action} work`,
    });
  }
  if (action === 'add') {
    const token = await readSecret(`Token of the account ${name} (not shown): `);
    const { key, expires, store } = values;
    const added = await performOperation(addAccount, context, {
      name,
      token,
      ...(key === undefined ? {} : { key }),
      ...(expires === undefined ? {} : { expires }),
      ...(store === undefined ? {} : { store: store as 'keyring' | 'file' }),
    });
    const place = added.vault === 'keyring' ? 'your keyring' : 'a file that only you can read';
    if (json) printJson(added);
    else console.log(`${added.replaced ? 'Replaced' : 'Added'} ${name} for ${added.key}. The token is in ${place}.`);
    return 0;
  }
  const changed = await performOperation(action === 'use' ? useAccount : removeAccount, context, { name });
  if (json) printJson(changed);
  else if (action === 'use') console.log(`Runs try ${name} first for ${changed.key}.`);
  else console.log(`Removed ${name} and its token.`);
  return 0;
}

function print(accounts: z.infer<(typeof listAccounts)['output']>): void {
  if (accounts.length === 0) {
    console.log('You have no accounts yet. Agents use the keys of your environment and their own logins.');
    console.log('\nAdd one: forge accounts add work');
    return;
  }
  const rows = accounts.map((account) => [
    account.name,
    account.key,
    account.hasToken ? account.vault : 'token missing',
    account.daysLeft === undefined ? 'no end known' : `${account.daysLeft} days left`,
    account.windows.map(({ window, used }) => `${window} ${Math.round(used)} %`).join(', '),
  ]);
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  for (const [at, row] of rows.entries()) {
    const cells = row.map((cell, column) => plainLine(cell).padEnd(widths[column] ?? 0));
    console.log(`${accounts[at]?.isInUse === true ? '▸' : ' '} ${cells.join('  ')}`.trimEnd());
  }
  if (accounts.some(({ isInUse }) => isInUse))
    console.log('\n▸ is tried first. The others follow by the days their tokens have left.');
}
