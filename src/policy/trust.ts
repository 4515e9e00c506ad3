/**
 * What of a repository's own files a person must have agreed to before Forge acts on it: programs that would be
 * started, paths and networks that would be opened, rules that would be loosened, texts that would brief agents, code
 * that would run in Forge itself. Decided by content: the same content is asked about once. Pure.
 */
import { createHash } from 'node:crypto';
import { scopeSettingsSchema } from './receipt.ts';
import type { Settings } from './settings.ts';

export interface TrustMatter {
  readonly settings: Settings;
  /** `.forge/roles/*.md` and `.forge/workflows/*`, by path. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
}

export interface TrustQuestion {
  /** Changes with anything that matters. */
  readonly digest: string;
  /** One sentence each. */
  readonly points: readonly string[];
}

/** Undefined: there is nothing to agree to. */
export function trustQuestion(matter: TrustMatter): TrustQuestion | undefined {
  const points = [
    ...agentPoints(matter.settings),
    ...jailPoints(matter.settings),
    ...scopePoints(matter.settings),
    ...filePoints(matter),
  ];
  if (points.length === 0) return undefined;
  const digest = createHash('sha256')
    .update(JSON.stringify([points, matter.files.map(({ path, text }) => [path, text])]))
    .digest('hex');
  return { digest, points };
}

function agentPoints({ agents }: Settings): string[] {
  return Object.entries(agents).flatMap(([name, agent]) => {
    if (agent.driver === 'scripted') return [];
    const given =
      agent.driver === 'builtin' || agent.env.length === 0 ? '' : `, with ${agent.env.join(', ')} of your environment`;
    if (agent.driver === 'command')
      return [`the agent ${name} starts ${JSON.stringify(agent.run)} (network ${agent.network})${given}`];
    const program = agent.driver === 'acp' && agent.run !== undefined ? [` starts ${JSON.stringify(agent.run)}`] : [];
    const key = agent.key === undefined ? [] : [` uses the key in ${agent.key}`];
    const address = agent.baseUrl === undefined ? [] : [` sends its requests, with your key, to ${agent.baseUrl}`];
    const login = agent.driver === 'acp' && agent.login ? [' uses your own login'] : [];
    const open = agent.driver === 'acp' && agent.meter === 'off' ? [" gets its provider's key itself"] : [];
    const passes = agent.driver === 'acp' && typeof agent.meter === 'object' ? meterPoints(agent.meter) : [];
    const env = given === '' ? [] : [` gets ${given.slice(2)}`];
    return [...program, ...key, ...address, ...login, ...open, ...passes, ...env].map(
      (point) => `the agent ${name}${point}`,
    );
  });
}

/** What it may send although the meter can not tell what it costs, and what it may be charged for. */
function meterPoints({
  allowFields,
  fees,
}: {
  allowFields: readonly string[];
  fees: Readonly<Record<string, number>>;
}) {
  return [
    ...allowFields.map((field) => ` sends the field ${field}, whose cost the meter does not know`),
    ...Object.entries(fees).map(([tool, fee]) => ` uses ${tool} at its provider, counted at $${fee} each time`),
  ];
}

function jailPoints({ jail, checks, workspace }: Settings): string[] {
  const { setup, copy } = workspace;
  return [
    ...(jail.mode === 'none' ? ['agents and checks run without a jail'] : []),
    ...jail.readable.map((path) => `contained programs may read ${path}`),
    ...limitPoints(jail.limits),
    ...checks.caches.map((path) => `checks may read ${path}`),
    ...Object.entries(checks.env).map(([name, value]) => `checks get the variable ${name}=${value}`),
    ...checks.path.map((path) => `checks look for programs in ${path} first`),
    ...(checks.network === 'on' ? ['checks may use the network'] : []),
    ...copy.map((path) => `workspaces get a copy of ${path}`),
    ...(setup === undefined
      ? []
      : [`workspaces are set up by ${JSON.stringify(setup.run)} (network ${setup.network})`]),
  ];
}

/** Memory has no default that is the same everywhere, so any amount is asked about. */
function limitPoints({ memory, ...limits }: Settings['jail']['limits']): string[] {
  const units = { processes: 'processes', files: 'open files', disk: 'MB of disk' } as const;
  const usual = { processes: 4096, files: 16_384, disk: 20_480 } as const;
  const names = ['processes', 'files', 'disk'] as const;
  return [
    ...(memory === undefined ? [] : [`a contained program may use ${memory} MB of memory`]),
    ...names
      .filter((name) => limits[name] > usual[name])
      .map((name) => `a contained program may use ${limits[name]} ${units[name]}`),
  ];
}

/** Only what is looser than the default. */
function scopePoints({ scope }: Settings): string[] {
  const usual = scopeSettingsSchema.parse({});
  const strictness = { refuse: 2, ask: 1, allow: 0 } as const;
  const cases = [
    'deletion',
    'protected',
    'foreign',
    'forbidden',
    'judge',
    'dependencies',
    'weakened',
    'instructions',
    'secret',
    'token',
  ] as const;
  return [
    ...cases
      .filter((name) => strictness[scope[name]] < strictness[usual[name]])
      .map((name) => `changes of the case "${name}" are answered with "${scope[name]}"`),
    ...scope.unprotected.map((path) => `${path} is not protected`),
  ];
}

function filePoints({ files }: TrustMatter): string[] {
  return files.map(({ path }) =>
    path.includes('/workflows/') ? `${path} runs in Forge itself, outside any jail` : `${path} tells agents what to do`,
  );
}
