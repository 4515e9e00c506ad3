/**
 * The one place where interfaces meet implementations: a repository, its settings and a set of workflows
 * become an engine. Everything that reads the machine (environment, home, jail, pids) is read here.
 */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { openUsageBook } from './accounts/usage-book.ts';
import { accountAgents, openAccountTokens } from './effects/account-agents.ts';
import { AccountGates } from './effects/account-gates.ts';
import type { EffectDeps } from './effects/deps.ts';
import { knownSecrets } from './effects/known-secrets.ts';
import { openMetering } from './effects/metering.ts';
import { performersOf } from './effects/performers-of.ts';
import { roleTools } from './effects/role-tools.ts';
import { RunBudget } from './effects/run-budget.ts';
import { openHistory } from './effects/work-history.ts';
import type { Workflow } from './engine/bench.ts';
import { type Clock, systemClock } from './engine/clock.ts';
import type { Engine } from './engine/engine.ts';
import type { AppendProbe } from './engine/fact-log.ts';
import { FilesEngine } from './engine/files/files-engine.ts';
import { runsFolder } from './engine/files/runs-directory.ts';
import type { Host } from './engine/host.ts';
import { ForgeError } from './errors.ts';
import { readConfinedText } from './files/confined.ts';
import type { Repository } from './git/git.ts';
import { commitKeeper, missingCommits } from './git/keep-commits.ts';
import { openRepository } from './git/repository.ts';
import { recordRepository } from './git/repository-identity.ts';
import { defaultStateDir } from './git/state-dir.ts';
import { openLessonConsent } from './memory/lesson-consent.ts';
import { userMemory } from './memory/memory-files.ts';
import { memoryOfRun } from './memory/memory-of-run.ts';
import { runNotifier } from './notify/run-notifier.ts';
import { describeRuns } from './open-reader.ts';
import { ownSummaryKeys } from './pipelines/own-phases.ts';
import { nearestWord } from './plan/task-id.ts';
import { routedAgents } from './policy/routed-agent.ts';
import { parseSettings, type Settings, settingsSchema } from './policy/settings.ts';
import { isAlive, ownIdentity, sameHost } from './process/identity.ts';
import { type OpenedJail, openJail } from './process/open-jail.ts';
import { createGrowingRedactor } from './process/redact.ts';
import { killTree } from './process/tree.ts';
import { unjailedNotice } from './process/unjailed.ts';
import { bundledRoles, loadRole } from './roles/load-roles.ts';
import { consentDirectory, requireTrust } from './trust/consent.ts';
import { type PreferenceText, readUserPreferences } from './trust/preferences.ts';
import { type OwnFiles, readOwnFiles } from './trust/own-files.ts';
import { forgeVersion } from './version.ts';
import { countText } from './views/figures.ts';
import type { WorkflowDefinition, WorkflowPresentation } from './workflows/definition.ts';
import { loadWorkflow } from './workflows/load-workflow.ts';
import { type LandOutcome, landingWorkflow } from './workflows/moves/land-result.ts';
import { builtinDefinitions, findDefinition } from './workflows/registry.ts';
import { runnableWorkflow } from './workflows/runnable-workflow.ts';
import { documentWriter } from './write-documents.ts';

export interface ForgeOptions {
  /** Anywhere inside the user's checkout. */
  readonly cwd: string;
  /** Besides those that come with Forge. */
  readonly workflows?: readonly Workflow[];
  /** Instead of `.forge/config.yaml`. */
  readonly settings?: Settings;
  /** What the person wants of this invocation alone, over what the project says. */
  readonly wishes?: (project: Settings) => Settings;
  readonly dataDir?: string;
  /** Where runs live, instead of the user's state directory. */
  readonly stateDir?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly clock?: Clock;
  readonly probe?: AppendProbe;
}

export interface Forge {
  readonly repo: Repository;
  /** As they are in force: what a run must be started with. */
  readonly settings: Settings;
  /** As the repository has them: what a person is asked to agree to. */
  readonly projectSettings: Settings;
  /** Roles, workflows and scripts of the repository, as they are used and asked about. */
  readonly own: OwnFiles;
  /** Options of workflows that the person and the checkout prefer, layer by layer. */
  readonly preferences: readonly PreferenceText[];
  readonly engine: Engine;
  /** A workflow that comes with Forge, or one of the repository's own once a person has agreed to it. */
  readonly definition: (name: string) => Promise<WorkflowDefinition>;
  /** Takes out what agents or settings know as secret. */
  readonly redact: (text: string) => string;
  /** What came of landings of this process, by run. */
  readonly landings: ReadonlyMap<string, LandOutcome>;
  /** What every run must show a person: a missing jail, a dirty tree. */
  readonly notices: readonly string[];
}

export async function openForge(options: ForgeOptions): Promise<Forge> {
  const { env = process.env, clock = systemClock } = options;
  const repo = await openRepository(options.cwd, {
    stateDir: options.stateDir ?? defaultStateDir(env),
    ...(options.dataDir === undefined ? {} : { dataDir: options.dataDir }),
  });
  // Settings that the caller brings are not the repository's; its files still are.
  const projectSettings = options.settings === undefined ? readSettings(repo.root) : settingsSchema.parse({});
  const before = options.settings ?? projectSettings;
  const settings = withProtected(options.wishes?.(before) ?? before, repo);
  // Read when they are first needed, and then once: what was agreed to is what is used.
  let ownFiles: OwnFiles | undefined;
  const own = (): OwnFiles => {
    ownFiles ??= readOwnFiles(repo.root, projectSettings);
    return ownFiles;
  };
  // Nobody works on a run, and no code of the repository is loaded, before a person has agreed.
  const agreed = (): OwnFiles => {
    requireTrust({ repo, settings: projectSettings, own: own() }, env);
    return own();
  };
  // Trying a jail takes a while, and only those who work on a run need one.
  let opened: Promise<OpenedJail> | undefined;
  const jailed = (): Promise<OpenedJail> => {
    opened ??= openJail({ mode: settings.jail.mode, limits: settings.jail.limits });
    return opened;
  };
  const secrets = knownSecrets(settings, repo.root, env);
  // Tokens of accounts are known once somebody works on a run: before any agent gets one.
  const redactor = createGrowingRedactor(env, secrets);
  const redact = (text: string): string => redactor.redact(text);
  const gates = new AccountGates();
  const metering = openMetering(openUsageBook(repo.stateDir));
  const tokens = openAccountTokens({
    directory: consentDirectory(env),
    env,
    platform: process.platform,
    heard: (token) => redactor.add([token]),
  });
  const landings = new Map<string, LandOutcome>();
  const definition = (name: string): Promise<WorkflowDefinition> => loadDefinition(name, { repo, own, agreed });
  // Of the workflows that were loaded: what they leave beside the journal.
  const presentations = new Map<string, WorkflowPresentation>();
  const engine = new FilesEngine({
    runs: runsFolder(repo.stateFolder),
    claim: () => recordRepository(repo, repo.stateDir, repo.id),
    host: thisHost(),
    clock,
    workflow: async (name) => {
      const given = options.workflows?.find((workflow) => workflow.name === name);
      if (given !== undefined) return given;
      const found = await definition(name);
      const { presentation } = (await found.load()).program;
      if (presentation !== undefined) presentations.set(name, presentation);
      return runnableWorkflow(found);
    },
    performers: async (run, artifacts) => {
      // A run keeps the settings it was started with. How to start its agents, limits that no signal raises, and what
      // is about the machine may change between resumes, so that a plan that was paid for is never a dead end.
      const begun = settingsSchema.parse(run.settings);
      const { task, roles } = settings.budget;
      const inForce = {
        ...begun,
        agents: begun.rehearsal ? begun.agents : settings.agents,
        budget: { ...begun.budget, task, roles },
        ...(begun.rehearsal ? {} : ofMachine(begun, settings)),
      };
      redactor.add(await tokens.tokensOf(inForce));
      const surroundings = { agents: inForce.agents, root: repo.root, artifacts, redactor, env };
      const agents = accountAgents(surroundings, tokens);
      const memory = memoryOfRun(begun, settings, {
        root: repo.root,
        user: userMemory(env, homedir()),
        consent: openLessonConsent(consentDirectory(env), repo.id),
      });
      const { jail } = await jailed();
      const figures = openHistory(join(repo.dataDir, 'history', `${repo.id}.jsonl`));
      const history = begun.rehearsal ? { ...figures, add: () => {} } : figures;
      const budget = new RunBudget(inForce);
      const dispatch = { settings: inForce, env, ...agents, gates, metering, history, budget };
      const roleFile = roleFiles(own());
      const storeRoot = join(repo.root, begun.store ?? '.');
      const tools: EffectDeps['tools'] = (role, context, wanted) =>
        roleTools(role, context, { memory, redactor, storeRoot }, wanted);
      return performersOf({
        repo,
        jail,
        settings: inForce,
        redactor,
        secrets: redactor.known,
        memory,
        role: roleFile,
        dispatch,
        tools,
        providerOf: (name) => providerOf(inForce, name),
        ownPhases: ownSummaryKeys(begun.pipelines),
        storeRoot,
      });
    },
    forge: forgeVersion,
    jail: async () => {
      agreed();
      return (await jailed()).jail.name;
    },
    landing: (state) => landingWorkflow(state, (outcome) => landings.set(state.created?.run ?? '', outcome)),
    redact,
    commits: (run) => ({
      keep: commitKeeper(repo, run),
      missing: (ids) => missingCommits(repo, ids),
    }),
    describe: describeRuns,
    observe: (artifacts, facts) => [
      documentWriter({ root: repo.root, artifacts }, facts, (name) => presentations.get(name)?.documents),
      runNotifier({ artifacts, env, redact }, facts),
    ],
    report: (message) => void process.stderr.write(`forge: ${message}\n`),
    ...(options.probe === undefined ? {} : { probe: options.probe }),
  });
  const notices = [...(settings.jail.mode === 'none' ? [unjailedNotice] : []), ...repo.notices.map(describeNotice)];
  return {
    repo,
    settings,
    projectSettings,
    engine,
    definition,
    redact,
    landings,
    notices,
    get own() {
      return own();
    },
    get preferences() {
      return [...readUserPreferences(consentDirectory(env)), ...own().preferences];
    },
  };
}

/**
 * What is about this machine, as the settings say now: where toolchains and caches lie, how long a command may take,
 * which files of the checkout workspaces get. The redactor knows these files and no others.
 */
function ofMachine(begun: Settings, now: Settings): Pick<Settings, 'checks' | 'jail' | 'workspace'> {
  const { timeout, caches, env, path } = now.checks;
  return {
    checks: { ...begun.checks, timeout, caches, env, path },
    jail: { ...begun.jail, readable: now.jail.readable },
    workspace: now.workspace,
  };
}

export function readSettings(root: string): Settings {
  const text = readConfinedText(root, '.forge/config.yaml');
  return text === undefined ? settingsSchema.parse({}) : parseSettings(text, '.forge/config.yaml');
}

/**
 * Files of Git LFS are pointers in a workspace: content written over one would be committed as it is. What git runs as
 * hooks of this repository is the person's.
 */
function withProtected(settings: Settings, { notices, hooksPath }: Repository): Settings {
  const lfs = notices.filter((notice) => notice.code === 'lfs').flatMap((notice) => notice.paths);
  const paths = [...lfs, ...(hooksPath === undefined ? [] : [`${hooksPath}/**`])];
  if (paths.length === 0) return settings;
  return { ...settings, scope: { ...settings.scope, protectedPaths: [...settings.scope.protectedPaths, ...paths] } };
}

/** Of an agent whose provider the settings do not name, the driver is all that is known. */
function providerOf({ agents }: Settings, name: string): string {
  return routedAgents(agents)[name]?.provider ?? agents[name]?.driver ?? 'unknown';
}

function roleFiles({ roles }: OwnFiles): EffectDeps['role'] {
  const places = { bundled: bundledRoles, overrides: roles };
  return async (name) => {
    const known = roles.has(name) || existsSync(join(places.bundled, `${name}.md`));
    return known ? loadRole(name, places) : undefined;
  };
}

function thisHost(): Host {
  return {
    self: ownIdentity(),
    isAlive,
    // The processes of a run that was taken from another host are out of reach; its jail ends them with their parent.
    stop: async (identity) => (sameHost(identity) ? killTree(identity) : undefined),
  };
}

async function loadDefinition(
  name: string,
  { repo, own, agreed }: { readonly repo: Repository; readonly own: () => OwnFiles; readonly agreed: () => OwnFiles },
): Promise<WorkflowDefinition> {
  const builtin = findDefinition(name);
  if (builtin !== undefined) return builtin;
  const bundle = own().workflows.has(name) ? agreed().workflows.get(name) : undefined;
  if (bundle !== undefined) return loadWorkflow(bundle, name, repo.stateDir);
  const known = [...builtinDefinitions.map((workflow) => workflow.name), ...own().workflows.keys()];
  const meant = nearestWord(name, known);
  throw new ForgeError('bad-input', `There is no workflow ${JSON.stringify(name)}`, {
    hint: meant === undefined ? `Known: ${known.join(', ')}.` : `Did you mean ${meant}?`,
  });
}

/** One thing Forge needs, as it was found. */
export interface Examination {
  readonly name: string;
  readonly ok: boolean;
  /** Forge works without it, with a word about what is lost. */
  readonly optional: boolean;
  readonly detail: string;
  readonly hint: string;
}

/** Looks at the machine and the repository, without which no run can start; never throws for what it finds. */
export async function examineMachine(cwd: string): Promise<readonly Examination[]> {
  const repository = await look('repository', false, async () => describeRepository(await openRepository(cwd)));
  let unjailed = false;
  const settings = await look('settings', true, async () => {
    const { root } = await openRepository(cwd);
    const { agents, jail } = readSettings(root);
    unjailed = jail.mode === 'none';
    const names = Object.keys(agents);
    return names.length === 0 ? 'read; no agent yet' : `${countText(names.length, 'agent')}: ${names.join(', ')}`;
  });
  const jail = await look('jail', unjailed, async () => describeJail((await openJail({ mode: 'auto' })).jail));
  return [
    { name: 'node', ok: true, optional: false, detail: process.version, hint: '' },
    jail,
    repository,
    // Outside a repository there are none to look for.
    ...(repository.ok ? [settings] : []),
  ];
}

/** As root it matters whether programs run as somebody else. */
function describeJail({ name, user, limitsHeldBy }: OpenedJail['jail']): string {
  const root = process.getuid?.() === 0 ? ['programs run as root without capabilities'] : [];
  return [
    name,
    ...(user === undefined ? root : [`programs run as user ${user}`]),
    limitsHeldBy === 'kernel' ? 'limits held by control groups' : 'limits watched by Forge',
  ].join(', ');
}

/** With the first paths it is about: a person must see what agents will not. */
function describeNotice({ message, paths }: Repository['notices'][number]): string {
  const shown = paths.slice(0, 8).join(', ');
  const more = paths.length > 8 ? ` and ${paths.length - 8} more` : '';
  return paths.length === 0 ? message : `${message} (${shown}${more})`;
}

function describeRepository({ root, branch, head, notices }: Repository): string {
  const place = `${root}, ${branch ?? 'detached'} at ${head.slice(0, 12)}`;
  return [place, ...notices.map(describeNotice)].join('\n    ');
}

async function look(name: string, optional: boolean, action: () => Promise<string>): Promise<Examination> {
  try {
    return { name, ok: true, optional, detail: await action(), hint: '' };
  } catch (error) {
    if (!(error instanceof ForgeError)) throw error;
    const needed = ['git-missing', 'git-too-old', 'bad-config'].includes(error.code);
    return { name, ok: false, optional: optional && !needed, detail: error.message, hint: error.hint ?? '' };
  }
}
