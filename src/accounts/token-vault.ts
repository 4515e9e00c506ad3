/**
 * Where tokens are kept: the keyring of the desktop (`secret-tool` on Linux, `security` on macOS), or a file that only
 * this user can read. A token is never an argument of a program, because other users can see those, and never part of a
 * message.
 */
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ForgeError } from '../errors.ts';
import { readConfined, removeConfined, writeConfined } from '../files/confined.ts';
import { runProcess } from '../process/spawn.ts';
import type { Account } from './account.ts';

export interface VaultPlace {
  /** The person's own configuration directory. */
  readonly directory: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}

type Vault = Account['vault'];

/** Longer than any token of a provider. */
const longestToken = 64 * 1024;

/** Stores it and reads it back. Without a wish the keyring is tried first. Says where it is now. */
export async function storeToken(
  place: VaultPlace,
  { name, token, vault }: { readonly name: string; readonly token: string; readonly vault: Vault | undefined },
): Promise<Vault> {
  if (vault !== 'file') {
    const problem = await storeInKeyring(place, name, token);
    if (problem === undefined && (await lookUpInKeyring(place, name)) === token) return 'keyring';
    if (vault === 'keyring') {
      throw new ForgeError('bad-config', `The keyring did not take the token: ${problem ?? 'it gives back another'}`, {
        hint: 'Unlock your keyring, or keep the token in a file that only you can read: --store file',
      });
    }
  }
  const directory = tokenDirectory(place);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  chmodSync(directory, 0o700);
  writeConfined(directory, name, token, { mode: 0o600, isDurable: true });
  return 'file';
}

/** Undefined: it is not there, or the keyring is locked. */
export async function readToken(
  place: VaultPlace,
  { name, vault }: Pick<Account, 'name' | 'vault'>,
): Promise<string | undefined> {
  const text = vault === 'keyring' ? await lookUpInKeyring(place, name) : readTokenFile(place, name);
  return text === undefined || text === '' ? undefined : text;
}

export async function removeToken(place: VaultPlace, { name, vault }: Pick<Account, 'name' | 'vault'>): Promise<void> {
  if (vault === 'keyring') await start(place, keyringOf(place).remove(name));
  else if (existsSync(tokenDirectory(place))) removeConfined(tokenDirectory(place), name);
}

function tokenDirectory({ directory }: VaultPlace): string {
  return join(directory, 'accounts');
}

function readTokenFile(place: VaultPlace, name: string): string | undefined {
  const found = readConfined(tokenDirectory(place), name, longestToken);
  if (found.status !== 'read') return undefined;
  if ((found.mode & 0o077) !== 0) {
    const file = join(tokenDirectory(place), name);
    throw new ForgeError('bad-config', `Others can read the token of the account ${name}`, {
      hint: `Make it yours alone: chmod 600 ${file}. Consider the token known, and replace it.`,
    });
  }
  return found.bytes.toString('utf8');
}

interface KeyringCall {
  readonly argv: readonly [string, ...string[]];
  readonly stdin?: string;
}

interface Keyring {
  store(name: string, token: string): KeyringCall;
  lookUp(name: string): KeyringCall;
  remove(name: string): KeyringCall;
}

const secretTool: Keyring = {
  store: (name, token) => ({
    argv: ['secret-tool', 'store', `--label=Forge account ${name}`, 'service', 'forge', 'account', name],
    stdin: token,
  }),
  lookUp: (name) => ({ argv: ['secret-tool', 'lookup', 'service', 'forge', 'account', name] }),
  remove: (name) => ({ argv: ['secret-tool', 'clear', 'service', 'forge', 'account', name] }),
};

/** In its interactive mode it reads commands from standard input, so that the token is not an argument. */
const security: Keyring = {
  store: (name, token) => ({
    argv: ['security', '-i'],
    stdin: `add-generic-password -U -s forge -a ${name} -w ${quoted(token)}\n`,
  }),
  lookUp: (name) => ({ argv: ['security', 'find-generic-password', '-s', 'forge', '-a', name, '-w'] }),
  remove: (name) => ({ argv: ['security', 'delete-generic-password', '-s', 'forge', '-a', name] }),
};

function keyringOf({ platform }: VaultPlace): Keyring {
  return platform === 'darwin' ? security : secretTool;
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

/** Undefined: it was stored. */
async function storeInKeyring(place: VaultPlace, name: string, token: string): Promise<string | undefined> {
  const { problem } = await start(place, keyringOf(place).store(name, token));
  return problem;
}

async function lookUpInKeyring(place: VaultPlace, name: string): Promise<string | undefined> {
  const { problem, text } = await start(place, keyringOf(place).lookUp(name));
  return problem === undefined ? text.replace(/\n$/, '') : undefined;
}

const variables = ['PATH', 'HOME', 'LANG', 'DISPLAY', 'WAYLAND_DISPLAY', 'XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS'];

/** A keyring that asks for a password has a person in front of it; one that nobody unlocks must not hold a run up. */
const timeLimitMs = 30_000;

async function start(
  { env }: VaultPlace,
  { argv: [program, ...args], stdin }: KeyringCall,
): Promise<{ readonly problem: string | undefined; readonly text: string }> {
  const { end, stdout } = await runProcess({
    program,
    args,
    cwd: '/',
    env: Object.fromEntries(variables.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))),
    ...(stdin === undefined ? {} : { stdin }),
    limits: { timeMs: timeLimitMs, outputBytes: longestToken, headBytes: longestToken },
  });
  if (end.status === 'exited' && end.code === 0) return { problem: undefined, text: stdout.text };
  if (end.status === 'exited') return { problem: `${program} exited with ${end.code}`, text: '' };
  return {
    problem: end.status === 'not-started' ? `${program} is not installed` : `${program}: ${end.status}`,
    text: '',
  };
}
