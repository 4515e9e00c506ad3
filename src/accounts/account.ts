/**
 * The accounts a person has registered: several keys or tokens for the same provider, of which runs use one after the
 * other. What is here is everything but the tokens. Pure.
 */
import { z } from 'zod';

export const accountName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}$/, 'a name has small letters, digits and dashes, such as work or team-2');
export const accountKey = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'it is the name of a variable, such as ANTHROPIC_API_KEY');

export const accountSchema = z.strictObject({
  name: accountName,
  /** The variable whose place the token takes. */
  key: accountKey,
  /** Where the token is kept. */
  vault: z.enum(['keyring', 'file']),
  addedAt: z.iso.datetime(),
  /** When the token stops working, if anybody said. */
  expiresAt: z.iso.datetime().optional(),
});
export type Account = z.infer<typeof accountSchema>;

export const accountListSchema = z.strictObject({
  accounts: z.array(accountSchema).default([]),
  /** By variable: the account that is tried first. */
  inUse: z.record(accountKey, accountName).default({}),
});
export type AccountList = z.infer<typeof accountListSchema>;

const dayMs = 86_400_000;

/** Days until the token expires, one that has begun counts; undefined when nobody said. Never less than 0. */
export function daysLeft({ expiresAt }: Pick<Account, 'expiresAt'>, now: number): number | undefined {
  if (expiresAt === undefined) return undefined;
  return Math.max(0, Math.ceil((Date.parse(expiresAt) - now) / dayMs));
}

/** One that is tried: an account, or what the person's environment holds. */
export type Candidate = { readonly from: 'account'; readonly account: Account } | { readonly from: 'environment' };

/**
 * The accounts for a variable in the order in which they are tried: the one in use, then by the most days left. The
 * environment's own key comes first as long as no account was chosen, and last otherwise. Expired tokens are left out.
 */
export function accountsInOrder(
  { accounts, inUse }: AccountList,
  { key, isInEnvironment, now }: { readonly key: string; readonly isInEnvironment: boolean; readonly now: number },
): readonly Candidate[] {
  const usable = accounts.filter(
    (account) => account.key === key && (account.expiresAt === undefined || Date.parse(account.expiresAt) > now),
  );
  const rank = (account: Account): number => daysLeft(account, now) ?? Number.POSITIVE_INFINITY;
  const sorted = usable.toSorted((a, b) => {
    const [left, right] = [rank(a), rank(b)];
    return left === right ? a.name.localeCompare(b.name, 'en') : right - left;
  });
  const chosen = sorted.find(({ name }) => name === inUse[key]);
  const rest = sorted.filter((account) => account !== chosen);
  const environment: readonly Candidate[] = isInEnvironment ? [{ from: 'environment' }] : [];
  const asCandidate = (account: Account): Candidate => ({ from: 'account', account });
  return chosen === undefined
    ? [...environment, ...rest.map(asCandidate)]
    : [asCandidate(chosen), ...rest.map(asCandidate), ...environment];
}

/** The name under which limits and figures of an account are kept. */
export function accountLabel(name: string): string {
  return `account ${name}`;
}
