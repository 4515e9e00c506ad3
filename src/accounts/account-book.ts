/**
 * The list of a person's accounts in their own configuration, `accounts.json`. A repository cannot change it. Changes
 * take turns, and the file is always whole.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ForgeError } from '../errors.ts';
import { readConfinedText, writeConfined } from '../files/confined.ts';
import { whileLocked } from '../files/directory-lock.ts';
import { type AccountList, accountListSchema } from './account.ts';

const file = 'accounts.json';

export function readAccounts(directory: string): AccountList {
  const text = readConfinedText(directory, file);
  if (text === undefined) return { accounts: [], inUse: {} };
  try {
    return accountListSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new ForgeError('bad-config', `${join(directory, file)} is not a list of accounts`, {
      hint: 'Remove the file and add your accounts again; the tokens are kept elsewhere.',
      cause,
    });
  }
}

/** `change` gets the list as it is now and gives the new one; nothing is written when it throws. */
export async function changeAccounts(
  directory: string,
  change: (list: AccountList) => AccountList | Promise<AccountList>,
): Promise<void> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  await whileLocked(directory, async () => {
    const list = accountListSchema.parse(await change(readAccounts(directory)));
    writeConfined(directory, file, `${JSON.stringify(list, null, 2)}\n`, { mode: 0o600 });
  });
}
