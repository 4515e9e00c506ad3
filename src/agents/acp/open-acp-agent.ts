/**
 * An ACP agent or the built-in one, as the settings name it: its record, its program, the key that stays outside the
 * jail when its requests can be metered, or the login of its own that is mounted.
 */
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { ForgeError } from '../../errors.ts';
import { nearestWord } from '../../plan/task-id.ts';
import type { AgentSettings } from '../../policy/agent-settings.ts';
import { type AgentSurroundings, type ConfiguredAgent, type MeteredProvider, pick } from '../open-agent.ts';
import type { WireProtocol } from '../meter/wire.ts';
import { acpDriver } from './driver.ts';
import { knownRecords, plainRecord } from './known-records.ts';
import type { AcpRecord } from './record.ts';
import { builtinRecord } from './records/builtin.ts';

type AcpSettings = Extract<AgentSettings, { driver: 'acp' | 'builtin' }>;
type Environment = AgentSurroundings['env'];

export function openAcpAgent(
  name: string,
  settings: AcpSettings,
  { redactor, env }: Pick<AgentSurroundings, 'redactor' | 'env'>,
): ConfiguredAgent {
  const record = recordFor(name, settings);
  const login = loginOf(record, settings, env);
  const variable = settings.key ?? record.keys.find((key) => (env[key] ?? '') !== '');
  const key = variable === undefined ? undefined : env[variable];
  const url = settings.baseUrl === undefined ? usualUrl(record, env) : ownUrl(settings, record);
  const metered = meterOf(record, settings, { key, url, login });
  const driver = acpDriver({
    name,
    record,
    program: settings.driver === 'acp' ? settings.run : undefined,
    env: settings.driver === 'acp' ? pick(env, settings.env) : {},
    url,
    key,
    login,
    redactor,
  });
  return {
    driver,
    network: settings.network,
    account: `${record.name}${variable === undefined ? '' : `:${variable}`}`,
    metered,
    next: settings.next,
    counted: true,
    ownHome: true,
  };
}

export function recordFor(name: string, settings: AcpSettings): AcpRecord {
  if (settings.driver === 'builtin') return builtinRecord(settings);
  const { agent, run } = settings;
  if (agent === undefined) {
    if (run !== undefined) return plainRecord(run as [string, ...string[]]);
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
  return { wire, upstream: target, key: given.key };
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

function loginOf({ name, login }: AcpRecord, settings: AcpSettings, env: Environment): string | undefined {
  if (settings.driver !== 'acp' || !settings.login) return undefined;
  if (login === undefined) {
    throw new ForgeError('bad-config', `agent ${name} has no login of its own that could be used`, {
      hint: 'Leave "login" out and give it a key.',
    });
  }
  const moved = login.variable === undefined ? undefined : env[login.variable];
  return moved !== undefined && isAbsolute(moved) ? moved : join(env['HOME'] ?? homedir(), login.directory);
}
