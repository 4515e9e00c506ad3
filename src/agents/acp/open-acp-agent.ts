/**
 * An ACP agent or the built-in one, as the settings name it: its record, its program, the key that stays outside the
 * jail when its requests can be metered, or the login of its own that is mounted.
 */
import { existsSync } from 'node:fs';
import { ForgeError } from '../../errors.ts';
import { nearestWord } from '../../plan/task-id.ts';
import type { AgentSettings } from '../../policy/agent-settings.ts';
import type { WireProtocol } from '../meter/wire.ts';
import { type AgentSurroundings, type ConfiguredAgent, type MeteredProvider, pickVariables } from '../open-agent.ts';
import { acpDriver } from './driver.ts';
import { knownRecords, plainRecord } from './known-records.ts';
import { loginDirectory } from './login.ts';
import type { AcpRecord } from './record.ts';
import { builtinRecord } from './records/builtin.ts';

type AcpSettings = Extract<AgentSettings, { driver: 'acp' | 'builtin' }>;
type Environment = AgentSurroundings['env'];

/** What the settings and the environment come to for one agent, without starting or promising anything. */
export interface AcpFacts {
  readonly record: AcpRecord;
  /** The variable that holds the provider's key, set or not; undefined: none is named and none of the usual is set. */
  readonly variable: string | undefined;
  readonly key: string | undefined;
  readonly url: string | undefined;
  /** The directory of the login that is to be used. */
  readonly login: string | undefined;
  readonly metered: MeteredProvider | undefined;
}

export function openAcpAgent(
  name: string,
  settings: AcpSettings,
  { redactor, env: given, account }: Pick<AgentSurroundings, 'redactor' | 'env' | 'account'>,
): ConfiguredAgent {
  const env = account === undefined ? given : { ...given, [account.key]: account.token };
  const facts = acpFacts(name, account === undefined ? settings : { ...settings, key: account.key }, env);
  const { record, variable, key, url, login, metered } = facts;
  // Forge's own agent has no other way into the usual address; elsewhere no key may be asked for.
  const usual = settings.driver === 'builtin' && url === undefined ? record.keys[0] : undefined;
  const wanted = settings.key ?? usual;
  if (wanted !== undefined && key === undefined) {
    throw new ForgeError('agent-unavailable', `agent ${name}: the variable ${wanted} is not set`, {
      hint: `It has to hold the provider's key: set ${wanted}, or name another variable as its "key".`,
    });
  }
  if (login !== undefined && !existsSync(login)) {
    throw new ForgeError('agent-unavailable', `agent ${name}: there is no login at ${login}`, {
      hint: `Log in with ${record.title}'s own program first, or leave "login" out and give it a key.`,
    });
  }
  const driver = acpDriver({
    name,
    record,
    program: settings.driver === 'acp' ? settings.run : undefined,
    env: settings.driver === 'acp' ? pickVariables(env, settings.env) : {},
    url,
    key,
    keyVariable: variable,
    login,
    redactor,
  });
  return {
    driver,
    network: settings.network,
    account: account?.label ?? accountOf(name, facts),
    metered,
    next: settings.next,
    counted: true,
    ownHome: true,
  };
}

export function acpFacts(name: string, settings: AcpSettings, env: Environment): AcpFacts {
  const record = recordFor(name, settings);
  const login = loginOf(record, settings, env);
  const isSet = (variable: string): boolean => (env[variable] ?? '') !== '';
  // Who uses a login has no use for a key that happens to be there.
  const variable = settings.key ?? (login === undefined ? record.keys.find(isSet) : undefined);
  const key = variable !== undefined && isSet(variable) ? env[variable] : undefined;
  const url = settings.baseUrl === undefined ? usualUrl(record, env) : ownUrl(settings, record);
  return { record, variable, key, url, login, metered: meterOf(record, settings, { key, url, login }) };
}

/** Whose limits it shares: those who use one key at one provider wait together, whatever program they are. */
function accountOf(name: string, { record, variable, url, login }: AcpFacts): string {
  if (login !== undefined) return `${record.name}'s login`;
  const address = url ?? record.upstream;
  if (address === undefined) return name;
  const { host } = new URL(address);
  return variable === undefined ? host : `${host} (${variable})`;
}

export function recordFor(name: string, settings: AcpSettings): AcpRecord {
  if (settings.driver === 'builtin') return builtinRecord(settings);
  const { agent, run } = settings;
  if (agent === undefined) {
    if (run !== undefined) return plainRecord(run);
    throw new ForgeError('bad-config', `agent ${name}: neither a known agent nor a program is named`, {
      hint: 'Set "agent" to one that Forge knows, or "run" to the program and its arguments.',
    });
  }
  const found = knownRecords.find((record) => record.name === agent);
  if (found !== undefined) return found;
  const names = knownRecords.map((record) => record.name);
  const meant = nearestWord(agent, names);
  throw new ForgeError('bad-config', `agent ${name}: Forge does not know ${JSON.stringify(agent)}`, {
    hint: meant === undefined ? `Known: ${names.join(', ')}; any other by "run".` : `Did you mean ${meant}?`,
  });
}

/** What a login pays for is its provider's affair and goes where that provider wants: it is not metered. */
function meterOf(
  { wire, upstream }: AcpRecord,
  settings: AcpSettings,
  given: { key: string | undefined; url: string | undefined; login: string | undefined },
): MeteredProvider | undefined {
  const target = given.url ?? upstream;
  const off = settings.driver === 'acp' && settings.meter === 'off';
  if (off || given.login !== undefined || wire === undefined || target === undefined) return undefined;
  const own = settings.driver === 'acp' && typeof settings.meter === 'object' ? settings.meter : {};
  return { wire, upstream: target, key: given.key, ...own };
}

/** Where a person's own environment sends requests of this kind. */
const urlVariables: Readonly<Record<WireProtocol, string>> = {
  anthropic: 'ANTHROPIC_BASE_URL',
  'openai-responses': 'OPENAI_BASE_URL',
  'openai-chat': 'OPENAI_BASE_URL',
  gemini: 'GOOGLE_GEMINI_BASE_URL',
};

function usualUrl({ wire }: AcpRecord, env: Environment): string | undefined {
  const url = wire === undefined ? undefined : env[urlVariables[wire]];
  return url === undefined || url === '' ? undefined : url.replace(/\/+$/, '').replace(/\/v1$/, '');
}

/** The built-in agent's record has taken the address apart already. */
function ownUrl({ driver, baseUrl }: AcpSettings, record: AcpRecord): string | undefined {
  return driver === 'builtin' ? record.upstream : baseUrl;
}

function loginOf(record: AcpRecord, settings: AcpSettings, env: Environment): string | undefined {
  if (settings.driver !== 'acp' || !settings.login) return undefined;
  const directory = loginDirectory(record, env);
  if (directory !== undefined) return directory;
  throw new ForgeError('bad-config', `agent ${record.name} has no login of its own that could be used`, {
    hint: 'Leave "login" out and give it a key.',
  });
}
