/**
 * A person's accounts: add one, list them, choose the one that is tried first, remove one. Tokens go into the vault and
 * never come out of an operation.
 */
import { z } from 'zod';
import {
  type Account,
  accountKey,
  accountLabel,
  type AccountList,
  accountName,
  daysLeft,
} from '../accounts/account.ts';
import { changeAccounts, readAccounts } from '../accounts/account-book.ts';
import { readToken, removeToken, storeToken, type VaultPlace } from '../accounts/token-vault.ts';
import { openUsageBook } from '../accounts/usage-book.ts';
import { ForgeError } from '../errors.ts';
import { defaultStateDir } from '../git/state-dir.ts';
import { consentDirectory } from '../trust/consent.ts';
import type { ApiContext } from './context.ts';
import type { Operation } from './operation.ts';
import { suggestWord } from './suggest.ts';

const listInput = z.strictObject({});
const listOutput = z.array(
  z.strictObject({
    name: z.string(),
    key: z.string(),
    vault: z.enum(['keyring', 'file']),
    /** The token can be read. */
    hasToken: z.boolean(),
    isInUse: z.boolean(),
    expiresAt: z.string().optional(),
    daysLeft: z.number().optional(),
    windows: z.array(z.strictObject({ window: z.string(), used: z.number(), resetsAt: z.string().optional() })),
  }),
);

export const listAccounts: Operation<typeof listInput, typeof listOutput> = {
  name: 'list-accounts',
  kind: 'query',
  description: 'Lists your accounts, with how many days their tokens are valid and how much of them is used.',
  input: listInput,
  output: listOutput,
  async run({ env }) {
    const place = vaultOf(env);
    const book = openUsageBook(defaultStateDir(env));
    const now = Date.now();
    const { accounts, inUse } = readAccounts(place.directory);
    return Promise.all(
      accounts.map(async (account) => {
        const left = daysLeft(account, now);
        return {
          name: account.name,
          key: account.key,
          vault: account.vault,
          hasToken: (await readToken(place, account).catch(() => undefined)) !== undefined,
          isInUse: inUse[account.key] === account.name,
          ...(account.expiresAt === undefined ? {} : { expiresAt: account.expiresAt }),
          ...(left === undefined ? {} : { daysLeft: left }),
          windows: book.windows(accountLabel(account.name), now).map(({ window, used, resetsAt }) => ({
            window,
            used,
            ...(resetsAt === undefined ? {} : { resetsAt: new Date(resetsAt).toISOString() }),
          })),
        };
      }),
    );
  },
};

const addInput = z.strictObject({
  name: accountName,
  token: z.string(),
  /** The variable whose place the token takes; found by the shape of the token when left out. */
  key: accountKey.optional(),
  /** A date, or a number of days such as `365d`. */
  expires: z.string().optional(),
  store: z.enum(['keyring', 'file']).optional(),
});
const addOutput = z.strictObject({
  name: z.string(),
  key: z.string(),
  vault: z.enum(['keyring', 'file']),
  replaced: z.boolean(),
});

export const addAccount: Operation<typeof addInput, typeof addOutput> = {
  name: 'add-account',
  kind: 'command',
  description: 'Adds an account: its token goes into the keyring, or into a file that only you can read.',
  input: addInput,
  output: addOutput,
  async run({ env }, { name, token: given, key: wanted, expires, store }) {
    const token = given.trim();
    requireToken(token);
    const key = wanted ?? keyFor(token);
    const expiresAt = expires === undefined ? usualExpiry(token) : readExpiry(expires);
    const place = vaultOf(env);
    let added: z.infer<typeof addOutput> | undefined;
    await changeAccounts(place.directory, async (list) => {
      const before = list.accounts.find((account) => account.name === name);
      const vault = await storeToken(place, { name, token, vault: store });
      if (before !== undefined && before.vault !== vault) await removeToken(place, before);
      added = { name, key, vault, replaced: before !== undefined };
      const account: Account = {
        name,
        key,
        vault,
        addedAt: new Date().toISOString(),
        ...(expiresAt === undefined ? {} : { expiresAt }),
      };
      return { ...list, accounts: [...list.accounts.filter((one) => one.name !== name), account] };
    });
    if (added === undefined) throw new Error('the account was not added');
    return added;
  },
};

const nameInput = z.strictObject({ name: z.string() });
const nameOutput = z.strictObject({ name: z.string(), key: z.string() });

export const useAccount: Operation<typeof nameInput, typeof nameOutput> = {
  name: 'use-account',
  kind: 'command',
  description: 'Chooses the account that runs try first. Runs at work use it from their next unit on.',
  input: nameInput,
  output: nameOutput,
  run: ({ env }, { name }) =>
    changeOne(env, name, async (list, { key }) => ({ ...list, inUse: { ...list.inUse, [key]: name } })),
};

export const removeAccount: Operation<typeof nameInput, typeof nameOutput> = {
  name: 'remove-account',
  kind: 'command',
  description: 'Removes an account and its token from this machine.',
  input: nameInput,
  output: nameOutput,
  run: ({ env }, { name }) =>
    changeOne(env, name, async (list, account) => {
      await removeToken(vaultOf(env), account);
      return {
        accounts: list.accounts.filter((one) => one.name !== name),
        inUse: Object.fromEntries(Object.entries(list.inUse).filter(([, used]) => used !== name)),
      };
    }),
};

async function changeOne(
  env: ApiContext['env'],
  name: string,
  change: (list: AccountList, account: Account) => Promise<AccountList>,
): Promise<z.infer<typeof nameOutput>> {
  let key = '';
  await changeAccounts(vaultOf(env).directory, (list) => {
    const account = list.accounts.find((one) => one.name === name);
    if (account === undefined) {
      const names = list.accounts.map((one) => one.name);
      throw new ForgeError('bad-input', `There is no account ${JSON.stringify(name)}`, {
        hint: suggestWord(
          name,
          names,
          names.length === 0 ? 'Add one: forge accounts add <name>' : `Known: ${names.join(', ')}.`,
        ),
      });
    }
    ({ key } = account);
    return change(list, account);
  });
  return { name, key };
}

function vaultOf(env: ApiContext['env']): VaultPlace {
  return { directory: consentDirectory(env), env, platform: process.platform };
}

/** One line of printable characters: anything else was pasted wrong. */
function requireToken(token: string): void {
  if (token.length >= 8 && token.length <= 16_384 && /^[\u0021-\u007E]+$/.test(token)) return;
  throw new ForgeError('bad-input', token === '' ? 'There is no token' : 'That does not look like a token', {
    hint: 'Paste it when Forge asks, or pipe it in: forge accounts add work < token.txt',
  });
}

const shapes: readonly (readonly [shape: RegExp, key: string])[] = [
  [/^sk-ant-oat/, 'CLAUDE_CODE_OAUTH_TOKEN'],
  [/^sk-ant-/, 'ANTHROPIC_API_KEY'],
  [/^sk-/, 'OPENAI_API_KEY'],
  [/^AIza/, 'GEMINI_API_KEY'],
];

function keyFor(token: string): string {
  const key = shapes.find(([shape]) => shape.test(token))?.[1];
  if (key !== undefined) return key;
  throw new ForgeError('bad-input', 'Forge cannot tell whose token this is', {
    hint: 'Name the variable that agents expect it in: --key ANTHROPIC_API_KEY',
  });
}

const yearMs = 365 * 86_400_000;

/** Tokens that `claude setup-token` makes are valid for a year. */
function usualExpiry(token: string): string | undefined {
  return token.startsWith('sk-ant-oat') ? new Date(Date.now() + yearMs).toISOString() : undefined;
}

function readExpiry(text: string): string {
  const days = /^(\d{1,5})d?$/.exec(text)?.[1];
  const at = days === undefined ? Date.parse(text) : Date.now() + Number(days) * 86_400_000;
  if (!Number.isFinite(at) || at <= Date.now()) {
    throw new ForgeError('bad-input', `${JSON.stringify(text)} is not a day in the future`, {
      hint: 'Write it as 2027-06-30 or 90d.',
    });
  }
  return new Date(at).toISOString();
}
