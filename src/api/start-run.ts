/**
 * Begins a run. Everything that can be wrong with the request is found before anything exists. Runs that are not over
 * are reported instead, if the caller wants that: all of them, so that a person can choose, or those of the very same
 * request, so that a command given twice goes on with what it began. One that only lacks its last line is completed
 * without asking.
 */
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Forge } from '../compose.ts';
import type { RunSummary } from '../engine/engine.ts';
import { ForgeError, machineFailure } from '../errors.ts';
import { resolveCommit } from '../git/history.ts';
import { requireBranch } from '../git/land.ts';
import { makeRunId } from '../git/ref-name.ts';
import { userIdentity } from '../git/user-identity.ts';
import { lockDirectory } from '../files/directory-lock.ts';
import type { Settings } from '../policy/settings.ts';
import { makeSlug } from '../policy/slug.ts';
import { isHeld, isRecent, isResumable, lacksOnlyItsEnd, newestFirst } from './choose-run.ts';
import { readGuidance } from './guidance.ts';
import type { ApiContext } from './context.ts';
import { runLineSchema } from './list-runs.ts';
import { runLine } from './run-lines.ts';
import type { JsonOf, Operation } from './operation.ts';
import { resumeRun } from './resume-run.ts';
import { inputFor } from './run-input.ts';
import { storeBelow } from './store-place.ts';
import { runWorkSchema, unitLimit, workOnRun, workWishes } from './work-on-run.ts';
import { requireTrust } from '../trust/consent.ts';
import { withOwnGates } from '../trust/own-files.ts';
import type { WorkflowHead } from '../workflows/definition.ts';
import type { JoinedRun } from './join-run.ts';
import { lessonNotices } from './recall-lessons.ts';
import { builtinDefinitions, defaultWorkflow, findDefinition } from '../workflows/registry.ts';

const workflowNames = `${builtinDefinitions.map(({ name }) => name).join(', ')}, or one of the project's own`;
const workflowOptionNames = `the workflow's own options. ${builtinDefinitions
  .flatMap(({ name, options }) =>
    Object.entries(options).map(([option, { summary }]) => `${option} (${name}): ${summary}`),
  )
  .join('; ')}`;

const input = z.strictObject({
  requirement: z
    .string()
    .max(1024 * 1024)
    .describe('what should be built'),
  workflow: z.string().max(128).default(defaultWorkflow).describe(workflowNames),
  agent: z.string().max(128).optional().describe('one agent for every role, instead of what the settings say'),
  options: z
    .record(z.string(), z.union([z.boolean(), z.number(), z.string()]))
    .default({})
    .describe(workflowOptionNames),
  parallel: z.number().int().min(1).max(64).optional().describe('how many tasks may run at once'),
  budget: z.string().max(200).optional().describe('limits such as $5, 200k tokens, 2h; several with commas'),
  /** Neither use nor keep lessons. */
  memory: z.literal('off').optional(),
  base: z.string().min(1).max(256).optional().describe('the commit or branch to start from; HEAD when left out'),
  /** The user's branch that is to be moved to the result. */
  into: z.string().min(1).optional(),
  /** The run's name, for a caller that has to know it beforehand. */
  run: z.string().optional(),
  fresh: z.boolean().default(false).describe('start a new run even if the same one is unfinished'),
  /**
   * What to do while there are unfinished runs, unless `fresh`. `continue`: go on with the one of this requirement and
   * commit. `same`: start nothing and name it. `report`: start nothing and name all, if one of them is recent.
   */
  whenInterrupted: z.enum(['continue', 'same', 'report']).default('continue'),
  /** Stop after so many steps of work that a workflow calls a unit. */
  units: z.number().int().positive().optional(),
  ...workWishes,
});
type StartWishes = z.output<typeof input>;

const interruptedSchema = runLineSchema.extend({
  /** It was started with this very requirement. */
  isSame: z.boolean(),
});
export type InterruptedRun = JsonOf<typeof interruptedSchema>;

const output = z.discriminatedUnion('status', [
  runWorkSchema.extend({ status: z.literal('started'), interrupted: z.array(interruptedSchema) }),
  runWorkSchema.extend({ status: z.literal('continued') }),
  /** Nothing was started. */
  z.strictObject({ status: z.literal('interrupted'), interrupted: z.array(interruptedSchema) }),
]);
export type Started = JsonOf<typeof output>;

export const startRun: Operation<typeof input, typeof output> = {
  name: 'start-run',
  kind: 'command',
  description:
    'Starts a run that turns a requirement into a verified branch. The run continues when you leave. It asks before it builds: follow it with forge_wait and answer with forge_answer. The same requirement on the same commit continues the unfinished run, unless fresh.',
  input,
  output,
  tool: { name: 'forge_run', title: 'Start a run', hidden: ['memory', 'into', 'run', 'whenInterrupted', 'units'] },
  async run(context, request) {
    const { parallel, budget, memory } = request;
    if (parallel !== undefined) refuseParallel(request.workflow);
    const forge = await context.forge({ parallel, budget, memory });
    const prepared = await prepareRun(forge, request, context);
    if (request.fresh) return begin(context, forge, { prepared, request });
    // Two that are asked for the same at the same instant take turns: the second finds what the first began.
    const unlock = await takeTurn(forge, prepared);
    try {
      return await begin(context, forge, { prepared, request });
    } finally {
      await unlock();
    }
  },
};

/** A limit that can have no effect is a misunderstanding, like an option of another workflow. */
function refuseParallel(workflow: string): void {
  if (findDefinition(workflow)?.sequential !== true) return;
  throw new ForgeError('bad-input', `--parallel cannot be used with the workflow ${workflow}`, {
    hint: `${workflow} works on one task at a time. Leave it out, or choose another workflow, such as modules.`,
  });
}

async function begin(
  context: ApiContext,
  forge: Forge,
  { prepared, request }: { readonly prepared: PreparedRun; readonly request: StartWishes },
): Promise<Started> {
  const { fresh, whenInterrupted, yes, planOnly, into } = request;
  if (!fresh) await refuseTwice(forge, prepared);
  const unfinished = await stillInterrupted(forge);
  const same: RunSummary[] = [];
  for (const one of unfinished) if (await isSameWork(forge, one, prepared)) same.push(one);
  const interrupted = [...same, ...unfinished.filter((listing) => !same.includes(listing))];
  const asLine = (listing: RunSummary): InterruptedRun => ({ ...runLine(listing), isSame: same.includes(listing) });
  const [first] = same;
  if (!fresh && whenInterrupted === 'continue' && first !== undefined) {
    const work = await resumeRun.run(context, { run: first.run, takeOver: false, into, yes, planOnly });
    return { status: 'continued', ...work };
  }
  const isNews = same.length > 0 || unfinished.some((listing) => isRecent(listing, Date.now()));
  const reported = fresh ? [] : { report: isNews ? interrupted : [], same, continue: [] }[whenInterrupted];
  if (reported.length > 0) return { status: 'interrupted', interrupted: reported.map(asLine) };
  const work = await workOnRun(context, {
    run: prepared.run,
    open: (options) => forge.engine.start(prepared, { ...options, ...unitLimit(request.units) }),
    // What was looked for here is not looked for again there.
    request: { operation: 'start-run', input: { ...request, run: prepared.run, fresh: true }, yes, planOnly },
  });
  const notices = [...forge.notices, ...(forge.settings.memory === 'off' ? [] : await lessonNotices(context))];
  return { status: 'started', ...work, notices, interrupted: interrupted.map(asLine) };
}

/** Work that a process does right now is not begun a second time. */
async function refuseTwice(forge: Forge, prepared: PreparedRun): Promise<void> {
  for (const held of (await forge.engine.list()).filter(isHeld)) {
    if (!(await isSameWork(forge, held, prepared))) continue;
    throw new ForgeError('run-exists', `The run ${held.run} works on this requirement already`, {
      hint: `Watch it: forge attach ${held.run}. To start another run, add --fresh.`,
    });
  }
}

async function takeTurn(
  { repo }: Forge,
  { workflow, base, input: { requirement } }: PreparedRun,
): Promise<() => Promise<void>> {
  const name = createHash('sha256')
    .update(JSON.stringify([workflow, base, requirement]))
    .digest('hex');
  // A few queues are enough, and none has to be removed while somebody waits in it.
  const directory = join(repo.stateFolder, 'starting', name.slice(0, 1));
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  try {
    return await lockDirectory(directory);
  } catch (cause) {
    const failure = machineFailure(cause);
    if (failure !== undefined) throw failure;
    throw new ForgeError('lease-held', 'Another process is starting a run for this requirement', {
      hint: 'Try again in a moment; forge list shows the run.',
      cause,
    });
  }
}

/** The request as the engine takes it, or the reason why there is none. */
async function prepareRun(forge: Forge, request: z.output<typeof input>, { cwd, env }: ApiContext) {
  requireTrust(forge, env);
  const store = storeBelow(forge.repo, cwd);
  const begun = withOwnGates(await withAuthor(forge, env), forge.own.gates);
  const settings = store === undefined ? begun : { ...begun, store };
  return requestFor({ ...forge, settings }, request, cwd);
}

/** The author of a run's commits is settled when it starts, so that the same work gives the same commits later. */
async function withAuthor({ repo, settings }: Forge, env: ApiContext['env']): Promise<Settings> {
  if (settings.commits.author === 'forge') return settings;
  const as = await userIdentity(repo, env);
  if (as !== undefined) return { ...settings, commits: { ...settings.commits, as } };
  throw new ForgeError('bad-config', 'commits.author is user, but git does not know who you are', {
    hint: 'Tell git: git config --global user.name "Your Name" and user.email you@example.org',
  });
}

/** The same, for those who have looked after trust themselves. */
export async function requestFor(
  forge: Pick<Forge, 'repo' | 'settings' | 'preferences' | 'definition' | 'redact'>,
  request: z.output<typeof input>,
  cwd = forge.repo.root,
) {
  const { repo, settings } = forge;
  const { agent, options, into, fresh } = request;
  const definition = await forge.definition(request.workflow);
  const { argument } = definition;
  const instead = argument.orOption === undefined ? undefined : options[argument.orOption];
  // A run is named after its requirement, and nothing that is written holds a secret.
  const requirement = forge.redact(request.requirement.trim() || String(instead ?? '').trim());
  if (requirement === '') {
    throw new ForgeError('bad-input', `There is no ${argument.name}`, {
      hint:
        argument.kind === 'directory'
          ? `Name a directory: forge ${definition.name} <${argument.name}>`
          : `Say what should be built: forge ${definition.name === defaultWorkflow ? 'run' : definition.name} "<${argument.name}>", or --file with a file that says it.`,
    });
  }
  if (into !== undefined) await requireBranch(repo, into);
  const own = await inputFor(forge, definition, { requirement, agent, options, fresh, cwd });
  const slug = makeSlug(forge.redact(makeSlug(argument.kind === 'directory' ? lastPart(requirement) : requirement)));
  const start = request.base === undefined ? repo.head : await resolveCommit(repo, request.base);
  const joined = await joinedRun(repo, { definition, own, base: start, cwd });
  if (joined !== undefined && into !== undefined) {
    throw new ForgeError('bad-input', 'A run over several repositories cannot land by itself', {
      hint: 'Leave --into out. Each repository gets a branch that you merge.',
    });
  }
  const base = joined?.base ?? start;
  return {
    run: request.run ?? newRunName(slug),
    title: titleOf(requirement),
    workflow: request.workflow,
    base,
    branch: repo.branch,
    root: repo.root,
    input: {
      ...own,
      requirement,
      slug,
      checks: settings.checks.run,
      scope: settings.scope,
      planOnly: request.planOnly,
      ...(into === undefined ? {} : { into }),
      ...(joined === undefined ? {} : { repositories: joined.repositories }),
      guidance: await readGuidance(repo, base),
    },
    settings,
  };
}

async function joinedRun(
  repo: Forge['repo'],
  about: {
    readonly definition: Pick<WorkflowHead, 'repositoriesOption'>;
    readonly own: Readonly<Record<string, unknown>>;
    readonly base: string;
    readonly cwd: string;
  },
): Promise<JoinedRun | undefined> {
  const { definition, own, base, cwd } = about;
  const named = Object(own['options'])[definition.repositoriesOption ?? ''] as unknown;
  if (typeof named !== 'string' || named.trim() === '') return undefined;
  const { joinRun } = await import('./join-run.ts');
  return joinRun(repo, { named, base, cwd });
}

/** A directory is known by its own name. */
function lastPart(path: string): string {
  return path.replaceAll('\\', '/').replace(/\/+$/, '').split('/').at(-1) ?? path;
}

type PreparedRun = Awaited<ReturnType<typeof prepareRun>>;

export function newRunName(slug: string): string {
  // Two letters and two digits or the like: enough for the runs of one slug, short enough to say.
  return makeRunId(slug, randomBytes(3).readUIntBE(0, 3).toString(36).padStart(4, '0').slice(-4));
}

function titleOf(requirement: string): string {
  const [line = ''] = requirement.split('\n', 1);
  return line.length <= 200 ? line : `${line.slice(0, 199)}…`;
}

/** The same requirement for the same workflow, begun from the commit that is checked out now, and no rehearsal of it. */
async function isSameWork(
  { engine }: Forge,
  { run, workflow, base }: RunSummary,
  asked: PreparedRun,
): Promise<boolean> {
  if (workflow !== asked.workflow || base !== asked.base) return false;
  const { created } = (await engine.read(run)).state ?? {};
  if ((created?.settings as { rehearsal?: unknown } | null)?.rehearsal === true) return false;
  const known = created?.input as Partial<typeof asked.input> | null;
  return known?.requirement === asked.input.requirement;
}

/** Those that only lack their last line are given it. */
async function stillInterrupted({ engine }: Forge): Promise<readonly RunSummary[]> {
  const found: RunSummary[] = [];
  for (const summary of await engine.list()) {
    if (!isResumable(summary)) continue;
    const isWhole = summary.status === 'interrupted' && lacksOnlyItsEnd(await engine.read(summary.run));
    if (isWhole) {
      const { ended } = await engine.resume(summary.run, { whenWaiting: 'leave' });
      await ended;
    }
    const now = isWhole ? await engine.summarize(summary.run) : summary;
    if (isResumable(now)) found.push(now);
  }
  return newestFirst(found);
}
