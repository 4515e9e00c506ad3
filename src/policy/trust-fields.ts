/**
 * Every field of the settings, and whether a person has to agree to it when a repository sets it. `trust`: it starts
 * something, spends something or loosens a rule; each value that is not the default is shown. `harmless` says why not.
 * A field that is missing here counts as `trust`, and a test fails until it is added. Pure.
 */
import { quoteCommand } from '../plan/quote-command.ts';
import { amountText } from './budget-settings.ts';
import type { AgentSettings } from './agent-settings.ts';
import { scopeSettingsSchema } from './receipt.ts';
import { type Settings, settingsSchema } from './settings.ts';

type Rule = 'trust' | `harmless: ${string}`;

const chosen = 'harmless: it chooses among agents you agreed to, and the budget bounds what they cost';
const lower = 'harmless: it only lowers what the run may use anyway';

/** By path; `*` stands for any name in a record. */
export const trustFields: Readonly<Record<string, Rule>> = {
  version: 'harmless: it says how the file is to be read',
  'agents.*.driver': 'trust',
  'agents.*.script': 'trust',
  'agents.*.run': 'trust',
  'agents.*.env': 'trust',
  'agents.*.network': 'trust',
  'agents.*.agent': 'trust',
  'agents.*.login': 'trust',
  'agents.*.meter': 'trust',
  'agents.*.meter.allowFields': 'trust',
  'agents.*.meter.fees.*': 'trust',
  'agents.*.provider': 'trust',
  'agents.*.key': 'trust',
  'agents.*.baseUrl': 'trust',
  'agents.*.model': chosen,
  'agents.*.tiers.*': chosen,
  'agents.*.effort': chosen,
  'agents.*.thinking': chosen,
  'agents.*.next': chosen,
  'agents.*.contextTokens': chosen,
  'agents.*.maxOutputTokens': chosen,
  'roles.*': chosen,
  'roles.*.agent': chosen,
  'roles.*.tier': chosen,
  'roles.*.model': chosen,
  'roles.*.effort': chosen,
  'roles.*.thinking': chosen,
  parallel: 'harmless: the budget bounds all tasks together',
  'checks.run': 'trust',
  'checks.timeout': 'trust',
  'checks.network': 'trust',
  'checks.caches': 'trust',
  'checks.env.*': 'trust',
  'checks.path': 'trust',
  'checks.hooks': 'trust',
  'scope.undeclared': 'trust',
  'scope.deletion': 'trust',
  'scope.protected': 'trust',
  'scope.foreign': 'trust',
  'scope.forbidden': 'trust',
  'scope.judge': 'trust',
  'scope.dependencies': 'trust',
  'scope.weakened': 'trust',
  'scope.vacuous': 'trust',
  'scope.instructions': 'trust',
  'scope.secret': 'trust',
  'scope.token': 'trust',
  'scope.protectedPaths': 'harmless: it only protects more than is protected anyway',
  'scope.unprotected': 'trust',
  'workspace.copy': 'trust',
  'workspace.setup.run': 'trust',
  'workspace.setup.inputs': 'trust',
  'workspace.setup.outputs': 'trust',
  'workspace.setup.network': 'trust',
  'workspace.setup.timeout': 'trust',
  'budget.usd': 'trust',
  'budget.tokens': 'trust',
  'budget.turns': 'trust',
  'budget.minutes': 'trust',
  'budget.attempts': 'trust',
  'budget.task.usd': lower,
  'budget.task.tokens': lower,
  'budget.task.turns': lower,
  'budget.task.minutes': lower,
  'budget.task.attempts': lower,
  'budget.roles.*.usd': lower,
  'budget.roles.*.tokens': lower,
  'budget.roles.*.turns': lower,
  'budget.roles.*.minutes': lower,
  'budget.roles.*.attempts': lower,
  'prices.*.input': 'trust',
  'prices.*.output': 'trust',
  'prices.*.cacheRead': 'trust',
  'prices.*.cacheWrite': 'trust',
  'prices.*.context': 'trust',
  'prices.*.maxOutput': 'trust',
  'trouble.retries': 'trust',
  'trouble.longestWait': 'trust',
  'trouble.handoffAt': 'trust',
  history: 'trust',
  memory: 'harmless: it only keeps lessons from being used or kept',
  'commits.author': 'trust',
  'commits.as.name': 'harmless: a file that sets it is refused',
  'commits.as.email': 'harmless: a file that sets it is refused',
  'pipelines.*.description': 'harmless: it is only shown to people',
  'pipelines.*.phases': 'trust',
  'pipelines.*.gates': 'trust',
  store: 'harmless: a file that sets it is refused',
  rehearsal: 'trust',
  'jail.mode': 'trust',
  'jail.readable': 'trust',
  'jail.limits.memory': 'trust',
  'jail.limits.processes': 'trust',
  'jail.limits.files': 'trust',
  'jail.limits.disk': 'trust',
};

/** One sentence for everything in the settings that a person has to agree to. */
export function settingPoints(settings: Settings): readonly string[] {
  const usual = new Map(leavesOf(settingsSchema.parse({})).map(({ path, value }) => [path, JSON.stringify(value)]));
  const leaves = leavesOf(settings).filter(({ path, pattern, value }) => {
    const rule = trustFields[pattern] ?? 'trust';
    return rule === 'trust' && !spoken.has(pattern) && JSON.stringify(value) !== usual.get(path);
  });
  return [
    ...Object.entries(settings.agents).flatMap(([name, agent]) => agentPoints(name, agent)),
    ...leaves.flatMap((leaf) => (wordings[leaf.pattern] ?? plain)(leaf)),
    ...setupPoint(settings),
    ...pricePoints(settings),
    ...budgetPoint(settings),
  ];
}

export interface Leaf {
  readonly path: string;
  readonly pattern: string;
  readonly value: unknown;
}

const records = new Set([
  'agents',
  'agents.*.meter.fees',
  'agents.*.tiers',
  'checks.env',
  'roles',
  'prices',
  'budget.roles',
  'pipelines',
]);

/** Values that are not objects, by their path; lists count as one value. */
export function leavesOf(value: unknown, path = '', pattern = ''): readonly Leaf[] {
  if (value === undefined) return [];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [{ path, pattern, value }];
  return Object.entries(value).flatMap(([key, inner]) => {
    const step = records.has(pattern) ? '*' : key;
    return leavesOf(inner, path === '' ? key : `${path}.${key}`, pattern === '' ? step : `${pattern}.${step}`);
  });
}

/** Said in one sentence with others of their kind. */
const spoken: ReadonlySet<string> = new Set(
  Object.keys(trustFields).filter((pattern) => /^(?:agents|prices|budget|workspace\.setup)\./.test(pattern)),
);

type Wording = (leaf: Leaf) => readonly string[];

const each =
  (say: (item: string) => string): Wording =>
  ({ value }) =>
    (value as readonly unknown[]).map((item) => say(typeof item === 'string' ? item : commandText(item)));

/** A command as a person would type it, with everything else that is said of it. */
function commandText(item: unknown): string {
  const { run, ...rest } = item as { readonly run?: unknown };
  if (!Array.isArray(run)) return JSON.stringify(item);
  const more = Object.entries(rest).filter(([, value]) => value !== undefined);
  return `${quoteCommand(run.map(String))}${more.length === 0 ? '' : ` ${JSON.stringify(Object.fromEntries(more))}`}`;
}

const strictness = { refuse: 2, ask: 1, allow: 0 } as const;
const usualScope = scopeSettingsSchema.parse({});

/** Only what is looser than the default. */
const scopeCase: Wording = ({ path, value }) => {
  const name = path.slice('scope.'.length) as Exclude<keyof typeof usualScope, 'protectedPaths' | 'unprotected'>;
  const isLooser = strictness[value as keyof typeof strictness] < strictness[usualScope[name]];
  return isLooser ? [`changes of the case "${name}" are answered with "${String(value)}"`] : [];
};

/** Memory has no default that is the same everywhere, so any amount is asked about; of the rest what is more. */
function limit(unit: string): Wording {
  return ({ path, value }) => {
    const usual = leavesOf(settingsSchema.parse({})).find((leaf) => leaf.path === path)?.value;
    const isMore = usual === undefined || (value as number) > (usual as number);
    return isMore ? [`a contained program may use ${String(value)} ${unit}`] : [];
  };
}

const plain: Wording = ({ path, value }) => [`${path} is ${JSON.stringify(value)}`];

const wordings: Readonly<Record<string, Wording>> = {
  ...Object.fromEntries(Object.keys(usualScope).map((name) => [`scope.${name}`, scopeCase])),
  'scope.unprotected': each((path) => `${path} is not protected`),
  'jail.mode': () => ['agents and checks run without a jail'],
  'jail.readable': each((path) => `contained programs may read ${path}`),
  'jail.limits.memory': limit('MB of memory'),
  'jail.limits.processes': limit('processes'),
  'jail.limits.files': limit('open files'),
  'jail.limits.disk': limit('MB of disk'),
  'checks.run': each((command) => `checks run ${command}`),
  'checks.caches': each((path) => `checks may read ${path}`),
  'checks.env.*': ({ path, value }) => [`checks get the variable ${path.slice('checks.env.'.length)}=${String(value)}`],
  'checks.path': each((path) => `checks look for programs in ${path} first`),
  'checks.hooks': each((hook) => `every commit runs the git hook ${hook}`),
  'checks.network': ({ value }) => (value === 'on' ? ['checks may use the network'] : []),
  'checks.timeout': ({ value }) => [`a check may take ${String(value)} seconds`],
  'workspace.copy': each((path) => `workspaces get a copy of ${path}`),
  'pipelines.*.phases': ({ path, value }) => [`${path} are ${JSON.stringify(value)}`],
  'pipelines.*.gates': ({ path, value }) => [`${path} are ${JSON.stringify(value)}`],
  rehearsal: () => ['runs count as rehearsals: nothing is learnt from them, and they keep the agents they began with'],
  history: ({ value }) => [`the history of a result is kept as "${String(value)}"`],
};

function agentPoints(name: string, agent: AgentSettings): readonly string[] {
  if (agent.driver === 'scripted') return [`the agent ${name} plays the script ${agent.script}`];
  const given =
    agent.driver === 'builtin' || agent.env.length === 0 ? '' : `, with ${agent.env.join(', ')} of your environment`;
  if (agent.driver === 'command')
    return [`the agent ${name} starts ${JSON.stringify(agent.run)} (network ${agent.network})${given}`];
  const service = agent.driver === 'builtin' ? agent.provider : (agent.agent ?? 'a program');
  const points = [
    ` uses ${service} (network ${agent.network}), which can cost money`,
    ...(agent.driver === 'acp' && agent.run !== undefined ? [` starts ${JSON.stringify(agent.run)}`] : []),
    ...(agent.key === undefined ? [] : [` uses the key in ${agent.key}`]),
    ...(agent.baseUrl === undefined ? [] : [` sends its requests, with your key, to ${agent.baseUrl}`]),
    ...(agent.driver === 'acp' && agent.login ? [' uses your own login'] : []),
    ...(agent.driver === 'acp' && agent.meter === 'off' ? [" gets its provider's key itself"] : []),
    ...(agent.driver === 'acp' && typeof agent.meter === 'object' ? meterPoints(agent.meter) : []),
    ...(given === '' ? [] : [` gets ${given.slice(2)}`]),
  ];
  return points.map((point) => `the agent ${name}${point}`);
}

/** What it may send although the meter cannot tell what it costs, and what it may be charged for. */
function meterPoints({
  allowFields,
  fees,
}: {
  allowFields: readonly string[];
  fees: Readonly<Record<string, number>>;
}): readonly string[] {
  return [
    ...allowFields.map((field) => ` sends the field ${field}, whose cost the meter does not know`),
    ...Object.entries(fees).map(([tool, fee]) => ` uses ${tool} at its provider, counted at $${fee} each time`),
  ];
}

function setupPoint({ workspace: { setup } }: Settings): readonly string[] {
  if (setup === undefined) return [];
  const { run, network, timeout, inputs, outputs } = setup;
  const from = inputs.length === 0 ? '' : `, from ${inputs.join(', ')}`;
  return [
    `workspaces are set up by ${JSON.stringify(run)} (network ${network})`,
    `setup makes ${outputs.join(', ')}${from}, in at most ${timeout} seconds`,
  ];
}

/** With prices of its own a repository could make work look cheaper than it is. */
function pricePoints({ prices }: Settings): readonly string[] {
  return Object.entries(prices).map(([model, price]) => {
    const { input, output, ...rest } = price;
    const more = Object.entries(rest).flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${value}`]));
    const others = more.length === 0 ? '' : ` (${more.join(', ')})`;
    return `${model} counts as $${input} in and $${output} out per million tokens${others}`;
  });
}

/** Any limit takes the place of the usual ones: what is not named in it is unlimited. */
function budgetPoint({ budget }: Settings): readonly string[] {
  const { task: _, roles: __, ...run } = budget;
  const set = Object.values(run).some((value) => value !== undefined);
  return set ? [`a run may use ${amountText(run)}, and nothing else of it is limited`] : [];
}
