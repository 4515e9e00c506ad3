/** Which account is tried when, where tokens are kept, and what is remembered of usage windows. */
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Account, accountsInOrder, daysLeft } from '../../src/accounts/account.ts';
import { changeAccounts, readAccounts } from '../../src/accounts/account-book.ts';
import { readToken, removeToken, storeToken } from '../../src/accounts/token-vault.ts';
import { openUsageBook } from '../../src/accounts/usage-book.ts';
import { readRateLimits } from '../../src/policy/rate-limits.ts';
import { tempDir } from '../support/temp.ts';

const now = Date.parse('2026-11-18T00:00:00Z');
const account = (name: string, expiresAt?: string): Account => ({
  name,
  key: 'KEY',
  vault: 'file',
  addedAt: '2026-01-01T00:00:00Z',
  ...(expiresAt === undefined ? {} : { expiresAt }),
});

describe('the order of accounts', () => {
  const list = {
    accounts: [
      account('short', '2026-11-20T00:00:00Z'),
      account('long', '2027-11-20T00:00:00Z'),
      account('over', '2026-11-17T00:00:00Z'),
      account('b-open'),
      account('a-open'),
      { ...account('other'), key: 'OTHER' },
    ],
    inUse: {},
  };
  const names = (inUse: Record<string, string>, isInEnvironment: boolean) =>
    accountsInOrder({ ...list, inUse }, { key: 'KEY', isInEnvironment, now }).map((one) =>
      one.from === 'account' ? one.account.name : '(environment)',
    );

  it('is by the days that are left, after the one in use, without those that expired', () => {
    expect(names({}, true)).toEqual(['(environment)', 'a-open', 'b-open', 'long', 'short']);
    expect(names({ KEY: 'short' }, true)).toEqual(['short', 'a-open', 'b-open', 'long', '(environment)']);
    expect(names({ KEY: 'over' }, false)).toEqual(['a-open', 'b-open', 'long', 'short']);
    expect(daysLeft(account('x', '2026-11-20T23:00:00Z'), now)).toBe(3);
    expect(daysLeft(account('x', '2020-01-01T00:00:00Z'), now)).toBe(0);
    expect(daysLeft(account('x'), now)).toBeUndefined();
  });
});

describe('the list', () => {
  it('takes changes of several at once, and is nobody else’s', async () => {
    const directory = tempDir('accounts');
    await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        changeAccounts(directory, (list) => ({ ...list, accounts: [...list.accounts, account(`n${at}`)] })),
      ),
    );
    expect(
      readAccounts(directory)
        .accounts.map(({ name }) => name)
        .toSorted(),
    ).toEqual(Array.from({ length: 10 }, (_, at) => `n${at}`));
    expect(statSync(join(directory, 'accounts.json')).mode & 0o777).toBe(0o600);
  });

  it('that cannot be read is named with what to do', () => {
    const directory = tempDir('accounts');
    writeFileSync(join(directory, 'accounts.json'), '{"accounts": 5}');
    expect(() => readAccounts(directory)).toThrow('is not a list of accounts');
  });
});

describe('a token', () => {
  const secret = 'sk-test "quoted" $HOME 0123456789';

  it('is in a file of the person alone where there is no keyring', async () => {
    const place = { directory: tempDir('vault'), env: { PATH: '/nowhere' }, platform: 'linux' } as const;
    expect(await storeToken(place, { name: 'work', token: secret, vault: undefined })).toBe('file');
    const file = join(place.directory, 'accounts', 'work');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await readToken(place, { name: 'work', vault: 'file' })).toBe(secret);
    chmodSync(file, 0o644);
    await expect(readToken(place, { name: 'work', vault: 'file' })).rejects.toThrow('Others can read the token');
    await removeToken(place, { name: 'work', vault: 'file' });
    expect(await readToken(place, { name: 'work', vault: 'file' })).toBeUndefined();
    await expect(storeToken(place, { name: 'work', token: secret, vault: 'keyring' })).rejects.toThrow(
      'secret-tool is not installed',
    );
  });

  it.each(['linux', 'darwin'] as const)('is in the keyring of %s, and never an argument', async (platform) => {
    const directory = tempDir('vault');
    const bin = join(directory, 'bin');
    mkdirSync(bin);
    // A keyring that keeps what it is given in files and writes its arguments down.
    const program = `#!/bin/sh
echo "$0 $*" >> ${directory}/calls
case "$*" in
  store*|-i) cat > ${directory}/kept;;
  lookup*|find*) [ -f ${directory}/kept ] && cat ${directory}/kept || exit 1;;
  clear*|delete*) rm ${directory}/kept;;
esac
`;
    for (const name of ['secret-tool', 'security']) writeFileSync(join(bin, name), program, { mode: 0o755 });
    const place = { directory, env: { PATH: `${bin}:/usr/bin:/bin` }, platform };
    if (platform === 'darwin') {
      // Its interactive mode is a command line: what it keeps is the command.
      await expect(storeToken(place, { name: 'work', token: secret, vault: 'keyring' })).rejects.toThrow('gives back');
      expect(readFileSync(join(directory, 'kept'), 'utf8')).toBe(
        String.raw`add-generic-password -U -s forge -a work -w "sk-test \"quoted\" $HOME 0123456789"` + '\n',
      );
    } else {
      expect(await storeToken(place, { name: 'work', token: secret, vault: undefined })).toBe('keyring');
      expect(await readToken(place, { name: 'work', vault: 'keyring' })).toBe(secret);
      await removeToken(place, { name: 'work', vault: 'keyring' });
      expect(await readToken(place, { name: 'work', vault: 'keyring' })).toBeUndefined();
    }
    expect(readFileSync(join(directory, 'calls'), 'utf8')).not.toContain('sk-test');
  });
});

describe('figures of usage', () => {
  it('count until their window resets, and are shared by account', () => {
    const directory = tempDir('usage');
    const book = openUsageBook(directory);
    book.note(
      'account work',
      [
        { window: '5h', used: 50, resetsAt: now + 1000 },
        { window: 'tokens', used: 20 },
      ],
      now,
    );
    book.note('account work', [{ window: '5h', used: 91, resetsAt: now + 1000 }], now);
    const other = openUsageBook(directory);
    expect(other.windows('account work', now)).toEqual([
      { window: 'tokens', used: 20 },
      { window: '5h', used: 91, resetsAt: now + 1000 },
    ]);
    expect(other.windows('account work', now + 1000)).toEqual([{ window: 'tokens', used: 20 }]);
    expect(other.windows('account work', now + 600_000)).toEqual([]);
    expect(other.windows('account home', now)).toEqual([]);
  });

  it('are read from what a status line or an agent is given, and nothing else is', () => {
    expect(
      readRateLimits({
        five_hour: { used_percentage: 92.5, resets_at: 1_763_424_000 },
        seven_day: { utilization: 0.4, resetsAt: '2026-11-20T00:00:00Z' },
        spend: { used_percentage: 'a lot' },
        note: 'text',
        old: null,
      }),
    ).toEqual([
      { window: '5h', used: 92.5, resetsAt: 1_763_424_000_000 },
      { window: '7d', used: 40, resetsAt: Date.parse('2026-11-20T00:00:00Z') },
    ]);
    for (const value of [undefined, null, 'x', 5, []]) expect(readRateLimits(value)).toEqual([]);
  });
});
