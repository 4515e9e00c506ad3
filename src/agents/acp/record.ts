/**
 * What differs between ACP agents, as data: how one is started and configured, how its system prompt, model and
 * mode are set, what its usage figures mean, how a session is continued and how it ends. The driver knows no
 * agent by name; a record knows nothing of processes.
 */
import type { WireProtocol } from '../meter/wire.ts';

export interface AcpRecord {
  readonly name: string;
  readonly title: string;
  /** Program, looked up on PATH, and its arguments. Prompts and keys are never among them. */
  readonly command: readonly [string, ...string[]];
  /** What a person installs, at the versions this record was tried with. */
  readonly packages: readonly string[];
  /** How its model requests look, so that they can be metered; undefined: they cannot, and limits are soft. */
  readonly wire: WireProtocol | undefined;
  /** Where those requests go when nothing else is configured. */
  readonly upstream: string | undefined;
  /** Variables that may hold the provider's key; the first that is set is used. */
  readonly keys: readonly string[];
  /** Where a login made by the agent itself lies below the user's home. */
  readonly login: AcpLogin | undefined;
  readonly configure: (place: AcpPlace) => AcpConfiguration;
  readonly systemPrompt: 'session' | 'configuration' | 'prompt';
  readonly model: 'config-option' | 'set-model' | 'configuration';
  /** The session mode in which it asks no permission: the jail contains it. */
  readonly mode: string | undefined;
  readonly authenticate: string | undefined;
  /** What the figures of a turn are: of the whole turn, of its last model call only, in `_meta`, or absent. */
  readonly usage: 'turn' | 'last-call' | 'meta-quota' | 'meta-chunks' | 'none';
  readonly resume: readonly ('resume' | 'load')[];
  /** It asks a model for a title after the first turn, unless the session was given one. */
  readonly asksForTitle?: boolean;
  /** `_meta` of the requests that open a session, for what the agent takes there. */
  readonly sessionMeta?: (place: AcpPlace) => Readonly<Record<string, unknown>>;
  /** Paths of a repository from which it would take orders, whatever it is told: shown empty. */
  readonly hides?: readonly string[];
  /** What the jail must show besides what lies with the program. */
  readonly readable?: readonly string[];
}

export interface AcpLogin {
  readonly directory: string;
  /** Names the directory to the agent; undefined: it is looked for below HOME. */
  readonly variable: string | undefined;
  /** The files in it that the agent's program renews, JSON. What is renewed goes back to the person. */
  readonly credentials: readonly string[];
  /** Further files that it needs to log in: its session gets copies, and none goes back. */
  readonly copies?: readonly string[];
}

export interface AcpPlace {
  readonly home: string;
  readonly tmp: string;
  readonly tree: string;
  /** Origin of the provider, or of the meter in its place. */
  readonly url: string | undefined;
  readonly key: string | undefined;
  /** The variable that the key comes from, where a record knows several. */
  readonly keyVariable?: string | undefined;
  readonly model: string | undefined;
  readonly effort: string | undefined;
  readonly thinking?: 'adaptive' | 'disabled' | undefined;
  readonly access: 'write' | 'read';
  readonly systemPrompt: string;
}

export interface AcpConfiguration {
  readonly env: Readonly<Record<string, string>>;
  /** Path below the session's home → content. Written before it starts, 0600. */
  readonly files: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
}

/** How a person gets it, in one line; undefined for what no package holds. */
export function installLine({ packages }: Pick<AcpRecord, 'packages'>): string | undefined {
  return packages.length === 0 ? undefined : `npm install -g ${packages.join(' ')}`;
}
