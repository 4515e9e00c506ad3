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
import type { RunHandle, RunSummary } from '../engine/engine.ts';
import { ForgeError, machineFailure } from '../errors.ts';
import { requireBranch } from '../git/land.ts';
import { makeRunId } from '../git/ref-name.ts';
import { userIdentity } from '../git/user-identity.ts';
import { lockDirectory } from '../files/directory-lock.ts';
import type { Settings } from '../policy/settings.ts';
import { makeSlug } from '../policy/slug.ts';
import { isHeld, isRecent, isResumable, lacksOnlyItsEnd, newestFirst } from './choose-run.ts';
import { readGuidance } from './guidance.ts';
import type { ApiContext, Operation } from './operation.ts';
import { inputFor } from './run-input.ts';
import { requireTrust } from '../trust/consent.ts';
import { defaultWorkflow } from '../workflows/registry.ts';
import { lessonNotices } from './recall-lessons.ts';

const input = z.strictObject({
  requirement: z.string(),
  workflow: z.string().default(defaultWorkflow),
  /** One agent for every role, instead of what the settings say. */
  agent: z.string().optional(),
  /** Leave it when its plan is ready; whoever goes on with it is asked to approve that. */
  planOnly: z.boolean().default(false),
  /** The workflow's own options, by name; a value may be text, as on a command line. */
  options: z.record(z.string(), z.union([z.boolean(), z.number(), z.string()])).default({}),
  /** The user's branch that is to be moved to the result. */
  into: z.string().min(1).optional(),
  /** The run's name, for a caller that has to know it beforehand. */
  run: z.string().optional(),
  /**
   * Begin nothing while there are runs that are not over: `report` all, if one of them is recent; `same` only those of
   * this requirement and commit.
   */
  whenInterrupted: z.enum(['report', 'same', 'ignore']).default('ignore'),
});

export type Started =
  | {
      readonly status: 'started';
      readonly handle: RunHandle;
      readonly notices: readonly string[];
      readonly interrupted: readonly RunSummary[];
    }
  | {
      readonly status: 'interrupted';
      readonly interrupted: readonly RunSummary[];
      /** Names of those that do the same work. */
      readonly same: readonly string[];
    };

export const startRun: Operation<typeof input, Started> = {
  name: 'start-run',
  summary: 'begin a run with a requirement',
  input,
  async run(context, request) {
    const forge = await context.forge();
    const prepared = await prepareRun(forge, request, context.env);
    if (request.whenInterrupted === 'ignore') return begin(context, forge, prepared, 'ignore');
    // Two that are asked for the same at the same instant take turns: the second finds what the first began.
    const unlock = await takeTurn(forge, prepared);
    try {
      return await begin(context, forge, prepared, request.whenInterrupted);
    } finally {
      await unlock();
    }
  },
};

async function begin(
  context: ApiContext,
  forge: Forge,
  prepared: PreparedRun,
  whenInterrupted: z.output<typeof input>['whenInterrupted'],
): Promise<Started> {
  if (whenInterrupted !== 'ignore') await refuseTwice(forge, prepared);
  const unfinished = await stillInterrupted(forge);
  const same: RunSummary[] = [];
  for (const one of unfinished) if (await isSameWork(forge, one, prepared)) same.push(one);
  const interrupted = [...same, ...unfinished.filter((listing) => !same.includes(listing))];
  const isNews = same.length > 0 || unfinished.some((listing) => isRecent(listing, Date.now()));
  const reported = { report: isNews ? interrupted : [], same, ignore: [] }[whenInterrupted];
  if (reported.length > 0) return { status: 'interrupted', interrupted: reported, same: same.map(({ run }) => run) };
  const { settings } = forge;
  const handle = await forge.engine.start(prepared, context.watcher);
  const notices = [...forge.notices, ...(settings.memory === 'off' ? [] : await lessonNotices(context))];
  return { status: 'started', handle, notices, interrupted };
}

/** Work that a process does right now is not begun a second time. */
async function refuseTwice(forge: Forge, prepared: PreparedRun): Promise<void> {
  for (const held of (await forge.engine.list()).filter(isHeld)) {
    if (!(await isSameWork(forge, held, prepared))) continue;
    throw new ForgeError('run-exists', `The run ${held.run} works on this requirement already`, {
      hint: `Watch it: forge attach ${held.run}. To begin another run, add --fresh.`,
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
export async function prepareRun(forge: Forge, request: z.output<typeof input>, env: ApiContext['env']) {
  requireTrust(forge, env);
  const prepared = await requestFor(forge, request);
  return { ...prepared, settings: await withAuthor(forge, env) };
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
  forge: Pick<Forge, 'repo' | 'settings' | 'definition'>,
  request: z.output<typeof input>,
) {
  const { repo, settings } = forge;
  const requirement = request.requirement.trim();
  if (requirement === '') {
    throw new ForgeError('bad-input', 'There is no requirement', {
      hint: 'Say what should be built: forge run "<requirement>", or --file with a file that says it.',
    });
  }
  const { agent, options, into } = request;
  const definition = await forge.definition(request.workflow);
  if (into !== undefined) await requireBranch(repo, into);
  const own = await inputFor(forge, definition, { requirement, agent, options });
  const slug = makeSlug(requirement);
  return {
    run: request.run ?? newRunName(slug),
    title: titleOf(requirement),
    workflow: request.workflow,
    base: repo.head,
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
      guidance: await readGuidance(repo, repo.head),
    },
    settings,
  };
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

/** The run that was begun with the same request and is not over. */
export async function findSameWork(context: ApiContext, asked: PreparedRun): Promise<RunSummary | undefined> {
  const forge = await context.forge();
  for (const run of await stillInterrupted(forge)) if (await isSameWork(forge, run, asked)) return run;
  return undefined;
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
