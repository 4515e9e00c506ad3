/**
 * The built-in agent as one more ACP agent: a program of Forge's own, pointed at a provider by a file in its HOME and
 * two variables. One record per configured provider, because the provider decides how its requests look on the wire.
 */
import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { builtFile } from '../../built-file.ts';
import {
  type BuiltinConfiguration,
  builtinConfigurationSchema,
  type BuiltinProvider,
  configurationFile,
  keyVariable,
  urlVariable,
} from '../../builtin/configuration.ts';
import type { WireProtocol } from '../../meter/wire.ts';
import type { AcpRecord } from '../record.ts';

export interface BuiltinOptions {
  readonly provider: BuiltinProvider;
  readonly model: string;
  /** The provider's address, with or without its `/v1`. An OpenAI-compatible one has no other. */
  readonly baseUrl?: string | undefined;
  /** Name of the variable that holds the key. */
  readonly key?: string | undefined;
  readonly contextTokens?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  readonly temperature?: number | undefined;
  readonly effort?: string | undefined;
  readonly maxSteps?: number | undefined;
}

interface Provider {
  readonly title: string;
  readonly wire: WireProtocol;
  readonly upstream: string | undefined;
  readonly keys: readonly string[];
  /** What models of this kind have at least; a larger window is a setting. */
  readonly contextTokens: number;
}

const providers: Readonly<Record<BuiltinProvider, Provider>> = {
  anthropic: {
    title: 'Anthropic',
    wire: 'anthropic',
    upstream: 'https://api.anthropic.com',
    keys: ['ANTHROPIC_API_KEY'],
    contextTokens: 200_000,
  },
  openai: {
    title: 'OpenAI',
    wire: 'openai-responses',
    upstream: 'https://api.openai.com',
    keys: ['OPENAI_API_KEY'],
    contextTokens: 128_000,
  },
  'openai-compatible': {
    title: 'OpenAI-compatible',
    wire: 'openai-chat',
    upstream: undefined,
    keys: [],
    contextTokens: 32_768,
  },
};

/** Tokens that a model of this agent takes in, at least. */
export function builtinContext({
  provider,
  contextTokens,
}: Pick<BuiltinOptions, 'provider' | 'contextTokens'>): number {
  return contextTokens ?? providers[provider].contextTokens;
}

export function builtinRecord(options: BuiltinOptions): AcpRecord {
  const provider = providers[options.provider];
  const { upstream, path } = address(options.baseUrl ?? provider.upstream);
  const child = builtFile('agents/builtin/child.js');
  return {
    name: 'builtin',
    title: `Forge's own agent (${provider.title})`,
    command: [process.execPath, child],
    packages: [],
    wire: provider.wire,
    upstream,
    keys: options.key === undefined ? provider.keys : [options.key],
    login: undefined,
    configure(place) {
      const origin = place.url === undefined ? upstream : address(place.url).upstream;
      const configuration = configurationOf(options, place);
      return {
        env: {
          ...(origin === undefined ? {} : { [urlVariable]: `${origin}${path}` }),
          ...(place.key === undefined ? {} : { [keyVariable]: place.key }),
        },
        files: { [configurationFile]: `${JSON.stringify(configuration, null, 2)}\n` },
      };
    },
    systemPrompt: 'session',
    model: 'configuration',
    mode: undefined,
    authenticate: undefined,
    usage: 'turn',
    resume: ['resume', 'load'],
    readable: shownFor(child),
  };
}

/** Forge's built files, and the packages the agent loads, wherever an installer put them. */
function shownFor(child: string): readonly string[] {
  const built = dirname(dirname(dirname(child)));
  const places = createRequire(child).resolve.paths('ai') ?? [];
  const found = loaded.flatMap((name) => {
    const place = places.find((directory) => existsSync(join(directory, name)));
    return place === undefined ? [] : [place, storeOf(realpathSync(join(place, name)))];
  });
  return [...new Set([built, join(dirname(built), 'package.json'), ...found])].filter((path) => existsSync(path));
}

const loaded = ['ai', 'zod', 'picomatch', '@ai-sdk/anthropic', '@agentclientprotocol/sdk', '@modelcontextprotocol/sdk'];

/** Some installers keep packages in one place and link to it: what a package needs lies beside the real one. */
function storeOf(directory: string): string {
  const parts = directory.split(sep);
  return parts.slice(0, parts.indexOf('node_modules') + 1).join(sep);
}

/** Most addresses end in `/v1`, which is not the origin's; some have their version elsewhere and are taken as they are. */
function address(baseUrl: string | undefined): { readonly upstream: string | undefined; readonly path: string } {
  if (baseUrl === undefined) return { upstream: undefined, path: '/v1' };
  const plain = baseUrl.replace(/\/+$/, '');
  if (plain.endsWith('/v1')) return { upstream: plain.slice(0, -'/v1'.length), path: '/v1' };
  return { upstream: plain, path: /\/v\d\w*(\/|$)/.test(new URL(plain).pathname) ? '' : '/v1' };
}

type Wish = Pick<Parameters<AcpRecord['configure']>[0], 'model' | 'effort' | 'thinking' | 'access'>;

function configurationOf(options: BuiltinOptions, wish: Wish): BuiltinConfiguration {
  const { maxOutputTokens, temperature, maxSteps } = options;
  const effort = wish.effort ?? options.effort;
  return builtinConfigurationSchema.parse({
    provider: options.provider,
    model: wish.model ?? options.model,
    access: wish.access,
    contextTokens: builtinContext(options),
    ...(effort === undefined ? {} : { effort }),
    ...(wish.thinking === undefined ? {} : { thinking: wish.thinking }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxSteps === undefined ? {} : { maxSteps }),
  });
}
