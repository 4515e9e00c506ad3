/**
 * The agents of a run on the accounts of its person. Tokens are read once per process, given to the agent whose key they
 * are and to nobody else, and made known to the redactor before any agent starts.
 */
import { type Account, accountLabel, accountsInOrder } from '../accounts/account.ts';
import { readAccounts } from '../accounts/account-book.ts';
import { readToken, type VaultPlace } from '../accounts/token-vault.ts';
import { type AgentSurroundings, type ConfiguredAgent, keyVariables, openAgent } from '../agents/open-agent.ts';
import { ForgeError } from '../errors.ts';
import type { Settings } from '../policy/settings.ts';
import type { SeatDeps } from './take-seat.ts';

/** What a process knows of the person's accounts. */
export interface AccountTokens {
  /** As the list is now: accounts may come and go during a run. */
  accountsFor(keys: readonly string[]): readonly (Account | undefined)[];
  /** Undefined: it cannot be read. */
  token(account: Account): Promise<string | undefined>;
  /** Every token that agents with these settings may get, so that it can be redacted. */
  tokensOf(settings: Pick<Settings, 'agents'>): Promise<readonly string[]>;
}

/** `heard` is told every token as soon as it is read. */
export function openAccountTokens(place: VaultPlace & { readonly heard: (token: string) => void }): AccountTokens {
  const tokens = new Map<string, Promise<string | undefined>>();
  const token = (account: Account): Promise<string | undefined> => {
    const id = `${account.name} ${account.addedAt}`;
    const known =
      tokens.get(id) ??
      readToken(place, account).then((text) => {
        if (text !== undefined) place.heard(text);
        return text;
      });
    tokens.set(id, known);
    return known;
  };
  return {
    token,
    accountsFor(keys) {
      const list = readAccounts(place.directory);
      const now = Date.now();
      const isSet = (key: string): boolean => (place.env[key] ?? '') !== '';
      const candidates = keys.flatMap((key) => accountsInOrder(list, { key, isInEnvironment: isSet(key), now }));
      if (candidates.every(({ from }) => from === 'environment')) return [];
      return candidates.map((one) => (one.from === 'account' ? one.account : undefined));
    },
    async tokensOf({ agents }) {
      const keys = await Promise.all(Object.entries(agents).map(([name, agent]) => keyVariables(name, agent)));
      const wanted = new Set(keys.flat());
      const accounts = readAccounts(place.directory).accounts.filter(({ key }) => wanted.has(key));
      return (await Promise.all(accounts.map(token))).filter((one) => one !== undefined);
    },
  };
}

/** Agents by name and account, each opened once. */
export function accountAgents(
  surroundings: AgentSurroundings,
  tokens: AccountTokens,
): Required<Pick<SeatDeps, 'agent' | 'accountsFor'>> {
  const opened = new Map<string, Promise<ConfiguredAgent>>();
  const accountsOf = async (name: string): Promise<readonly (Account | undefined)[]> => {
    const settings = surroundings.agents[name];
    return settings === undefined ? [] : tokens.accountsFor(await keyVariables(name, settings));
  };
  return {
    accountsFor: async (name) => (await accountsOf(name)).map((account) => account?.name),
    agent(name, account) {
      const key = JSON.stringify([name, account]);
      const known =
        opened.get(key) ??
        (account === undefined
          ? openAgent(name, surroundings)
          : openOn(name, account, { surroundings, tokens, accountsOf }));
      opened.set(key, known);
      // One that could not be opened is tried again: its token may be there the next time.
      known.catch(() => opened.delete(key));
      return known;
    },
  };
}

async function openOn(
  name: string,
  wanted: string,
  at: {
    readonly surroundings: AgentSurroundings;
    readonly tokens: AccountTokens;
    readonly accountsOf: (name: string) => Promise<readonly (Account | undefined)[]>;
  },
): Promise<ConfiguredAgent> {
  const account = (await at.accountsOf(name)).find((one) => one?.name === wanted);
  const token = account === undefined ? undefined : await at.tokens.token(account);
  if (account === undefined || token === undefined) {
    throw new ForgeError('agent-unavailable', `the token of the account ${wanted} cannot be read`, {
      hint: `Unlock your keyring, or add the account again: forge accounts add ${wanted}`,
    });
  }
  return openAgent(name, {
    ...at.surroundings,
    account: { label: accountLabel(account.name), key: account.key, token },
  });
}
