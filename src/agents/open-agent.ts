/**
 * From what the settings say of an agent to a worker that can be given jobs: its driver, what it may reach, whose
 * limits it shares, and how its model requests can be metered. What is heavy is loaded only when it is asked for.
 */
import { readFileSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { ForgeError, messageOf } from '../errors.ts';
import { readConfinedText } from '../files/confined.ts';
import type { AgentSettings } from '../policy/agent-settings.ts';
import type { NetworkPolicy } from '../process/jail.ts';
import type { Redactor } from '../process/redact.ts';
import type { AgentDriver } from './agent.ts';
import { commandDriver } from './command.ts';
import type { WireProtocol } from './meter/wire.ts';
import { parseScript } from './script.ts';
import { scriptedDriver } from './scripted.ts';

export interface ConfiguredAgent {
  readonly driver: AgentDriver;
  readonly network: NetworkPolicy;
  /** What it uses is counted, if only by itself; nobody knows what others cost. */
  readonly counted: boolean;
  /** Its sessions live in a home of their own. */
  readonly ownHome: boolean;
  /** Agents of one account wait together when its provider says so. */
  readonly account: string;
  /** Undefined: what it spends is known afterwards at best, and limits on money are soft. */
  readonly metered: MeteredProvider | undefined;
  /** Who takes over at the provider's limit. */
  readonly next: string | undefined;
}

export interface MeteredProvider {
  readonly wire: WireProtocol;
  readonly upstream: string;
  /** The provider's key, which never enters the jail; undefined: the agent's own login passes through. */
  readonly key: string | undefined;
  /** Fields that a person has allowed although the meter does not know them. */
  readonly allowFields?: readonly string[];
  /** Dollars for one use of a tool that runs at the provider. */
  readonly fees?: Readonly<Record<string, number>>;
}

export interface AgentSurroundings {
  readonly agents: Readonly<Record<string, AgentSettings>>;
  /** The project: scripts are named relative to it. */
  readonly root: string;
  /** What lies beside the run's facts. */
  readonly artifacts: AgentFiles;
  readonly redactor: Redactor;
  /** The user's environment: only what an agent is given by name leaves it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The account that the agent works on, instead of what the environment holds. */
  readonly account?: AgentAccount | undefined;
}

export interface AgentAccount {
  /** Under which its limits are kept. */
  readonly label: string;
  /** The variable whose place the token takes. */
  readonly key: string;
  readonly token: string;
}

/** Variables that may hold the key of an agent; an account for one of them can take its place. */
export async function keyVariables(name: string, settings: AgentSettings): Promise<readonly string[]> {
  switch (settings.driver) {
    case 'scripted':
      return settings.key === undefined ? [] : [settings.key];
    case 'command':
      return settings.env;
    case 'acp':
    case 'builtin': {
      if (settings.key !== undefined) return [settings.key];
      if (settings.driver === 'acp' && settings.login) return [];
      const { recordFor } = await import('./acp/open-acp-agent.ts');
      return recordFor(name, settings).keys;
    }
  }
}

export async function openAgent(name: string, surroundings: AgentSurroundings): Promise<ConfiguredAgent> {
  const { agents } = surroundings;
  const settings = agents[name];
  if (settings === undefined) {
    throw new ForgeError('agent-unavailable', `There is no agent ${JSON.stringify(name)} in the settings`, {
      hint: `Add it below "agents" in .forge/config.yaml. Known: ${Object.keys(agents).join(', ') || '(none)'}.`,
    });
  }
  const { account } = surroundings;
  const own = { ...unmetered(name), ...(account === undefined ? {} : { account: account.label }) };
  switch (settings.driver) {
    case 'scripted':
      return { ...own, driver: await scripted(name, settings.script, surroundings), network: 'loopback' };
    case 'command': {
      const { run, env, network } = settings;
      const { redactor } = surroundings;
      const given = account === undefined ? surroundings.env : { ...surroundings.env, [account.key]: account.token };
      const driver = commandDriver({ name, argv: run, env: pickVariables(given, env), redactor });
      return { ...own, driver, network };
    }
    case 'acp':
    case 'builtin': {
      const { openAcpAgent } = await import('./acp/open-acp-agent.ts');
      return openAcpAgent(name, settings, surroundings);
    }
  }
}

const unmetered = (name: string) => ({
  account: name,
  metered: undefined,
  next: undefined,
  counted: false,
  ownHome: false,
});

/** As much of a run's artifacts as agents need. */
export interface AgentFiles {
  read(name: string): Promise<Buffer | undefined>;
  openFolder(folder: string): Promise<{ readonly path: string }>;
}

/** Begins the name of a script that lies beside the run's facts, such as a rehearsal's. */
export const runFilePrefix = '@run/';

async function scripted(
  name: string,
  script: string,
  { root, artifacts, redactor }: AgentSurroundings,
): Promise<AgentDriver> {
  const isBeside = script.startsWith(runFilePrefix);
  const text = isBeside
    ? (await artifacts.read(script.slice(runFilePrefix.length)))?.toString('utf8')
    : readScript(root, script);
  if (text === undefined) throw missingScript(script, new Error('it is not there'));
  const { path } = await artifacts.openFolder('claims');
  return scriptedDriver({ script: parseScript(text, script), claimsFile: join(path, `${name}.jsonl`), redactor });
}

/** What a recording of a whole run may need. */
const mostScript = 256 * 1024 * 1024;

/** One of the project comes with a repository: no link leads out of it. One that a person named elsewhere is theirs. */
function readScript(root: string, script: string): string {
  const file = resolve(root, script);
  const path = relative(root, file);
  const isOwn = path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
  try {
    const text = isOwn ? readConfinedText(root, path.split(sep).join('/'), mostScript) : readFileSync(file, 'utf8');
    if (text === undefined) throw new Error('it is not there');
    return text;
  } catch (cause) {
    throw missingScript(file, cause);
  }
}

function missingScript(file: string, cause: unknown): ForgeError {
  return new ForgeError('bad-script', `The script ${file} cannot be read: ${messageOf(cause)}`, {
    hint: 'Check the path in the settings.',
    cause,
  });
}

/** The named variables that are set. */
export function pickVariables(
  env: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
