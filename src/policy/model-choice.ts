/**
 * Which model a tier means for an agent. What the settings say goes first. For an agent of Anthropic's models the
 * `ANTHROPIC_DEFAULT_*` variables describe what its provider serves: all the same (a single model: name none), differing
 * (tiered: name the variable's), or none set (unknown: name the model by its full id). Other agents keep their default.
 */
import { tierNames } from './agent-settings.ts';
import type { RoutedAgent, Tier } from './routing.ts';

/** Only `ANTHROPIC_DEFAULT_{OPUS,SONNET,HAIKU,FABLE}_MODEL` are looked at. */
export type ModelVariables = Readonly<Record<string, string | undefined>>;

export type Cluster =
  | { readonly cluster: 'single'; readonly model: string }
  | { readonly cluster: 'tiered'; readonly models: Readonly<Partial<Record<Family, string>>> }
  | { readonly cluster: 'unknown' };

const families = ['opus', 'sonnet', 'haiku', 'fable'] as const;
type Family = (typeof families)[number];

export interface ModelQuestion {
  readonly tier: Tier;
  readonly agent: RoutedAgent;
  /** What the role's own settings name: a model, or a family. */
  readonly own: string | undefined;
  readonly env: ModelVariables;
}

export function modelFor(question: ModelQuestion): { model: string | undefined; reason: string } {
  const { tier, agent, own, env } = question;
  if (own !== undefined) return named(own, agent, env);
  const ofTier = agent.tiers?.[tier];
  if (ofTier !== undefined) return { model: ofTier, reason: `model ${ofTier}: settings give it to the tier ${tier}` };
  if (agent.model !== undefined) return { model: agent.model, reason: `model ${agent.model}: the agent has one` };
  const near = nearestTier(agent, tier);
  if (near !== undefined) return { model: near.model, reason: `model ${near.model}: the nearest tier, ${near.tier}` };
  if (agent.provider !== 'anthropic') return { model: undefined, reason: "model: the agent's own default" };
  return clustered(clusterOf(env), tier);
}

export function clusterOf(env: ModelVariables): Cluster {
  const models = Object.fromEntries(
    families.flatMap((family) => {
      const model = env[`ANTHROPIC_DEFAULT_${family.toUpperCase()}_MODEL`]?.trim();
      return model === undefined || model === '' ? [] : [[family, model] as const];
    }),
  ) as Partial<Record<Family, string>>;
  const distinct = new Set(Object.values(models));
  const [only] = distinct;
  if (only === undefined) return { cluster: 'unknown' };
  const { opus, sonnet, haiku } = models;
  const all = opus !== undefined && sonnet !== undefined && haiku !== undefined;
  return all && distinct.size === 1 ? { cluster: 'single', model: only } : { cluster: 'tiered', models };
}

/** A family's name stands for what its variable says. */
function named(own: string, agent: RoutedAgent, env: ModelVariables): { model: string; reason: string } {
  const why = "the role's settings";
  const family = families.find((name) => name === own.toLowerCase());
  const stands = family === undefined ? undefined : env[`ANTHROPIC_DEFAULT_${family.toUpperCase()}_MODEL`]?.trim();
  if (agent.provider !== 'anthropic' || stands === undefined || stands === '') {
    return { model: own, reason: `model ${own}: ${why}` };
  }
  return { model: stands, reason: `model ${stands}: ${why} (${own})` };
}

/** Below first: a smaller model that is configured is better than a larger one that costs more. */
function nearestTier({ tiers = {} }: RoutedAgent, wanted: Tier): { tier: Tier; model: string } | undefined {
  const here = tierNames.indexOf(wanted);
  const order = [...tierNames.slice(0, here).toReversed(), ...tierNames.slice(here + 1)];
  for (const tier of order) {
    const model = tiers[tier];
    if (model !== undefined) return { tier, model };
  }
  return undefined;
}

function clustered(cluster: Cluster, tier: Tier): { model: string | undefined; reason: string } {
  switch (cluster.cluster) {
    case 'single':
      return { model: undefined, reason: `model: ANTHROPIC_DEFAULT_* say ${cluster.model} for every tier` };
    case 'tiered': {
      const family = tier === 'max' && cluster.models.fable === undefined ? 'opus' : familyOf[tier];
      const model = cluster.models[family] ?? family;
      return { model, reason: `model ${model}: ANTHROPIC_DEFAULT_* differ, ${tier} is ${family}` };
    }
    case 'unknown':
      return { model: usualModels[tier], reason: `model ${usualModels[tier]}: usual for the tier ${tier}` };
    default:
      return cluster satisfies never;
  }
}

const familyOf: Readonly<Record<Tier, Family>> = { light: 'haiku', standard: 'sonnet', heavy: 'opus', max: 'fable' };

/** The models of the tiers where nothing else is configured. */
export const usualModels: Readonly<Record<Tier, string>> = {
  light: 'claude-haiku-4-5-20251001',
  standard: 'claude-sonnet-4-6',
  heavy: 'claude-opus-4-8',
  max: 'claude-fable-5',
};
