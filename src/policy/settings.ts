/**
 * A project's settings: few, grouped, each with a default someone would choose. Pure: text in, settings or
 * a pointed failure out. Where a setting would weaken a guarantee (no jail, more network) its name says so.
 */
import { readYaml, yamlProblem } from '../plan/read-yaml.ts';
import { z } from 'zod';
import { ForgeError } from '../errors.ts';
import { explainSchema } from '../plan/explain-schema.ts';
import { verifyEntrySchema } from '../plan/plan.ts';
import type { Issue } from '../plan/refusal.ts';
import {
  agentName,
  agentSettingsSchema,
  argvSchema as argv,
  networkSchema as network,
  type RoleSettings,
  roleSettingsSchema,
} from './agent-settings.ts';
import { commitHooks } from './hook-run.ts';
import { budgetSettingsSchema } from './budget-schemas.ts';
import { pipelineSettingsSchema } from './pipeline-settings.ts';
import { priceSettingsSchema } from './prices.ts';
import { scopeSettingsSchema } from './receipt.ts';
import { settingsFaults } from './settings-faults.ts';
import { refuseNewerSettings, versionOf } from './upgrade-settings.ts';

export const settingsSchema = z.strictObject({
  /** Of the settings themselves: `forge upgrade` brings older ones up to date. */
  version: z.number().int().min(1).optional(),
  agents: z.record(agentName, agentSettingsSchema).default({}),
  /** Which agent plays which role, with which tier, model or effort. The first agent plays every other role. */
  roles: z.record(agentName, roleSettingsSchema).default({}),
  /** How many tasks may be worked on at once. */
  parallel: z.number().int().min(1).max(64).default(3),
  checks: z
    .strictObject({
      run: z.array(verifyEntrySchema).default([]),
      /** Seconds per command. */
      timeout: z.number().positive().max(86_400).default(120),
      network: network.default('loopback'),
      /** Directories mounted read-only into checks, such as a package cache. */
      caches: z.array(z.string()).default([]),
      /** Variables that checks get, such as where a toolchain lives. */
      env: z.record(z.string().regex(/^[A-Za-z_]\w*$/, 'the name of a variable'), z.string()).default({}),
      /** Directories to look for programs in, before those of your PATH. */
      path: z.array(z.string()).default([]),
      /** Git hooks of the repository that every commit has to pass before it is merged. */
      hooks: z.array(z.enum(commitHooks)).default([]),
    })
    .prefault({}),
  scope: scopeSettingsSchema.prefault({}),
  workspace: z
    .strictObject({
      /** Ignored files of the checkout that workspaces get too, such as `.env`. */
      copy: z.array(z.string()).default([]),
      setup: z
        .strictObject({
          run: argv,
          inputs: z.array(z.string()).default([]),
          outputs: z.array(z.string()).min(1),
          network: network.default('on'),
          /** Seconds. */
          timeout: z.number().positive().max(86_400).default(900),
        })
        .optional(),
    })
    .prefault({}),
  /** What a run, a task and a role may use up; a run without any limit still has a usual one. */
  budget: budgetSettingsSchema.prefault({}),
  /** Dollars per million tokens, by model, before those that providers publish. */
  prices: priceSettingsSchema,
  /** How long a run waits for a provider with a temporary problem. */
  trouble: z
    .strictObject({
      retries: z.number().int().min(0).max(20).default(3),
      /** Minutes a run waits for a provider's limit to end; beyond that it is suspended. */
      longestWait: z.number().nonnegative().max(20_000).default(11_520),
      /** Percent of an account's window at which new work goes to the agent's `next`. */
      handoffAt: z.number().min(1).max(100).default(90),
    })
    .prefault({}),
  /** Where tasks are merged one by one: one commit per task, one for the run, or all that were captured. */
  history: z.enum(['module', 'run', 'all']).default('module'),
  /** Lessons of earlier runs: `project` leaves the user's own memory out, `off` neither uses nor keeps any. */
  memory: z.enum(['on', 'project', 'off']).default('on'),
  /** Who is the author of what is merged and published; Forge is the committer either way. */
  commits: z
    .strictObject({
      author: z.enum(['forge', 'user']).default('forge'),
      /** Who that is, found out when a run starts. Not for a file: a repository must not choose it. */
      as: z.strictObject({ name: z.string(), email: z.string() }).optional(),
    })
    .prefault({}),
  /** Phases that tasks and bugs of the store go through, by name; `default` replaces the built-in ones of tasks. */
  pipelines: pipelineSettingsSchema,
  /** The directory with the records, below the root; found out when a run starts. Not for a file. */
  store: z.string().optional(),
  /** Of a run that plays recorded work: its agents stay those it was begun with, and nothing is learnt from it. */
  rehearsal: z.boolean().default(false),
  jail: z
    .strictObject({
      mode: z.enum(['auto', 'none']).default('auto'),
      /** Toolchains outside the system's directories that contained programs may read. */
      readable: z.array(z.string()).default([]),
      /** What one contained program may use, with all it starts. Beyond that it is ended. */
      limits: z
        .strictObject({
          /** Megabytes; half of the machine's memory when left out. */
          memory: z.number().int().min(64).max(16_777_216).optional(),
          /** Threads count. */
          processes: z.number().int().min(16).max(1_000_000).default(4096),
          /** Open at once, by one process. */
          files: z.number().int().min(64).max(1_000_000).default(16_384),
          /** Megabytes that its workspace, home and temporary files may grow by. */
          disk: z.number().int().min(16).max(16_777_216).default(20_480),
        })
        .prefault({}),
    })
    .prefault({}),
});
export type Settings = z.infer<typeof settingsSchema>;

/** Of a project that says nothing. */
export function defaultSettings(): Settings {
  return settingsSchema.parse({});
}

/** A role without its own setting uses the setting of the role it is based on. */
const roleKin: Readonly<Record<string, string>> = {
  architect: 'planner',
  worker: 'developer',
  debugger: 'developer',
  auditor: 'reviewer',
  'milestone-planner': 'planner',
  'slice-planner': 'planner',
  executor: 'developer',
  challenger: 'reviewer',
  'plan-checker': 'reviewer',
};

/** The agent a role is given by name, if it is. */
export function agentOfRole(settings: Pick<Settings, 'roles'>, role: string): string | undefined {
  return settingsOfRole(settings, role).agent;
}

export function settingsOfRole({ roles }: Pick<Settings, 'roles'>, role: string): Exclude<RoleSettings, string> {
  const chosen = roles[role] ?? roles[roleKin[role] ?? ''];
  return typeof chosen === 'string' ? { agent: chosen } : (chosen ?? {});
}

export function parseSettings(text: string, source: string): Settings {
  const document = readYaml(text, { prettyErrors: true, uniqueKeys: true });
  if (document.errors.length > 0) {
    throw badSettings(
      source,
      document.errors.map((error) => ({ where: '', problem: `is not YAML: ${yamlProblem(error)}`, fix: '' })),
    );
  }
  const value = withoutEmpty(toPlain(document, source) ?? {});
  refuseNewerSettings(versionOf(text));
  const parsed = settingsSchema.safeParse(value);
  const issues = parsed.success
    ? settingsFaults(parsed.data)
    : [...explainSchema(parsed.error.issues, value, { fields: fieldNames() }), ...faultsOfParts(value)];
  if (parsed.success && issues.length === 0) return parsed.data;
  throw badSettings(source, issues);
}

/** All mistakes at once: whoever fixes a file wants to fix it once. */
function badSettings(source: string, issues: readonly Issue[]): ForgeError {
  const [first, ...more] = issues;
  const name = (where: string): string => (where === '' ? ' ' : `, ${where}: `);
  if (more.length === 0) {
    const message = `${source}${name(first?.where ?? 'settings')}${first?.problem ?? 'it does not fit'}`;
    return new ForgeError('bad-config', message, { hint: first?.fix || 'Fix that line; nothing was changed.' });
  }
  const lines = issues.slice(0, mostIssues).map(({ where, problem, fix }) => {
    const place = where === '' ? '' : `${where}: `;
    return `  - ${[`${place}${problem}`, fix].filter(Boolean).join(' ')}`;
  });
  const rest = issues.length > mostIssues ? [`  - and ${issues.length - mostIssues} more`] : [];
  const message = [`${source} has ${issues.length} mistakes:`, ...lines, ...rest].join('\n');
  return new ForgeError('bad-config', message, { hint: 'Fix these lines; nothing was changed.' });
}

const mostIssues = 30;

/** A section without anything in it says nothing, as where all of its lines are comments. */
function withoutEmpty(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, section]) => section !== null));
}

/** Every name there is, for whoever misspelt one. */
function fieldNames(): readonly string[] {
  const names = new Set<string>();
  JSON.stringify(z.toJSONSchema(settingsSchema, { io: 'input', unrepresentable: 'any' }), (key, value: unknown) => {
    if (key === 'properties' && typeof value === 'object' && value !== null)
      for (const name of Object.keys(value)) names.add(name);
    return value;
  });
  return [...names];
}

/** What the shape alone does not show, of those parts that are fine in themselves. */
function faultsOfParts(value: unknown): readonly Issue[] {
  const raw = asRecord(value) ?? {};
  const agents = asRecord(raw['agents'] ?? {});
  const defaults = defaultSettings();
  return settingsFaults({
    ...defaults,
    commits: settingsSchema.shape.commits.safeParse(raw['commits']).data ?? defaults.commits,
    store: settingsSchema.shape.store.safeParse(raw['store']).data,
    agents: readableEntries(agents, agentSettingsSchema),
    // Roles name agents: without a list of those, every name would seem wrong. One that cannot be read has a name.
    roles: agents === undefined ? {} : readableEntries(asRecord(raw['roles']), roleSettingsSchema),
    names: Object.keys(agents ?? {}),
    checks: { ...defaults.checks, run: checkEntries(raw['checks']) },
  });
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isRecord ? (value as Readonly<Record<string, unknown>>) : undefined;
}

function readableEntries<T>(
  entries: Readonly<Record<string, unknown>> | undefined,
  schema: z.ZodType<T>,
): Readonly<Record<string, T>> {
  const read = Object.entries(entries ?? {}).map(([name, entry]) => [name, schema.safeParse(entry)] as const);
  return Object.fromEntries(read.flatMap(([name, { success, data }]) => (success ? [[name, data]] : [])));
}

/** Those that could be read stay where they are; the others are reported already. */
function checkEntries(checks: unknown): Settings['checks']['run'] {
  const run = (checks as { readonly run?: unknown } | null | undefined)?.run;
  return Array.isArray(run) ? run.map((entry) => verifyEntrySchema.safeParse(entry).data ?? 'unreadable') : [];
}

/** Aliases that expand to enormous documents are refused by the parser's own limit. */
function toPlain(document: ReturnType<typeof readYaml>, source: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 50 });
  } catch (error) {
    throw new ForgeError('bad-config', `${source}: ${yamlProblem(error)}`, {
      hint: 'Write it without aliases.',
    });
  }
}
