/**
 * Begins a run. Everything that can be wrong with the request is found before anything exists. Runs that were cut off
 * are reported instead, if the caller wants that, so that a person can choose; one that only lacks its last line is
 * completed without asking.
 */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { builtinWorkflows, type Forge } from '../compose.ts';
import type { RunHandle, RunListing } from '../engine/engine.ts';
import { ForgeError } from '../errors.ts';
import { makeRunId } from '../git/ref-name.ts';
import { nearestWord } from '../plan/task-id.ts';
import { makeSlug } from '../policy/slug.ts';
import { listWorkflows } from '../workflows/load-workflow.ts';
import { isResumable } from './choose-run.ts';
import { readGuidance } from './guidance.ts';
import type { ApiContext, Operation } from './operation.ts';
import { requireTrust } from './trust.ts';

const input = z.strictObject({
  requirement: z.string(),
  workflow: z.string().default('waves'),
  /** One agent for every role, instead of what the settings say. */
  agent: z.string().optional(),
  planOnly: z.boolean().default(false),
  /** The run's name, for a caller that has to know it beforehand. */
  run: z.string().optional(),
  /** `report`: begin nothing while there are runs that were cut off. */
  whenInterrupted: z.enum(['report', 'ignore']).default('ignore'),
});

export type Started =
  | {
      readonly status: 'started';
      readonly handle: RunHandle;
      readonly notices: readonly string[];
      readonly interrupted: readonly RunListing[];
    }
  | { readonly status: 'interrupted'; readonly interrupted: readonly RunListing[] };

export const startRun: Operation<typeof input, Started> = {
  name: 'start-run',
  summary: 'begin a run with a requirement',
  input,
  async run(context, request) {
    const forge = await context.forge();
    const prepared = await prepareRun(forge, request, context.env);
    const interrupted = await stillInterrupted(context, forge);
    if (request.whenInterrupted === 'report' && interrupted.length > 0) return { status: 'interrupted', interrupted };
    const handle = await forge.engine.start(prepared, context.watcher);
    return { status: 'started', handle, notices: forge.notices, interrupted };
  },
};

export const roleNames = ['planner', 'developer', 'tester', 'learner'] as const;

/** The request as the engine takes it, or the reason why there is none. */
export async function prepareRun(forge: Forge, request: z.output<typeof input>, env: ApiContext['env']) {
  const { repo, settings } = forge;
  requireTrust(forge, env);
  const requirement = request.requirement.trim();
  if (requirement === '') {
    throw new ForgeError('bad-input', 'There is no requirement', {
      hint: 'Say what should be built: forge run "<requirement>", or --file with a file that says it.',
    });
  }
  requireWorkflow(repo.root, request.workflow);
  const agents = agentsFor(forge, request.agent);
  const slug = makeSlug(requirement);
  return {
    run: request.run ?? newRunName(slug),
    title: titleOf(requirement),
    workflow: request.workflow,
    base: repo.head,
    branch: repo.branch,
    root: repo.root,
    input: {
      requirement,
      slug,
      agents,
      checks: settings.checks.run,
      scope: settings.scope,
      planOnly: request.planOnly,
      guidance: await readGuidance(repo, repo.head),
    },
    settings,
  };
}

export function newRunName(slug: string): string {
  // Two letters and two digits or the like: enough for the runs of one slug, short enough to say.
  return makeRunId(slug, randomBytes(3).readUIntBE(0, 3).toString(36).padStart(4, '0').slice(-4));
}

function requireWorkflow(root: string, name: string): void {
  const known = [...builtinWorkflows.map((workflow) => workflow.name), ...listWorkflows(root)];
  if (known.includes(name)) return;
  const meant = nearestWord(name, known);
  throw new ForgeError('bad-input', `There is no workflow ${JSON.stringify(name)}`, {
    hint: meant === undefined ? `Known: ${known.join(', ')}.` : `Did you mean ${meant}?`,
  });
}

function agentsFor({ settings }: Forge, wanted: string | undefined): Record<(typeof roleNames)[number], string> {
  const known = Object.keys(settings.agents);
  const [first] = known;
  if (first === undefined) {
    throw new ForgeError('bad-config', 'No agent is configured', {
      hint: 'forge init writes .forge/config.yaml with the agents found on this machine.',
    });
  }
  const choose = (role: (typeof roleNames)[number]): string => {
    const name = wanted ?? settings.roles[role] ?? first;
    if (known.includes(name)) return name;
    const meant = nearestWord(name, known);
    throw new ForgeError(
      wanted === undefined ? 'bad-config' : 'bad-input',
      `There is no agent ${JSON.stringify(name)}`,
      {
        hint: meant === undefined ? `Configured: ${known.join(', ')}.` : `Did you mean ${meant}?`,
      },
    );
  };
  return {
    planner: choose('planner'),
    developer: choose('developer'),
    tester: choose('tester'),
    learner: choose('learner'),
  };
}

function titleOf(requirement: string): string {
  const [line = ''] = requirement.split('\n', 1);
  return line.length <= 200 ? line : `${line.slice(0, 199)}…`;
}

/** A run whose result is published and which waits for nothing was cut off just before its last line. */
async function stillInterrupted(context: ApiContext, forge: Forge): Promise<readonly RunListing[]> {
  const found: RunListing[] = [];
  for (const listing of await forge.engine.list()) {
    if (!isResumable(listing)) continue;
    const published = listing.state?.effects.get('publish')?.result !== undefined;
    if (listing.status === 'interrupted' && published && listing.state?.created?.workflow === 'waves') {
      const { onFact: _, ...options } = context.watcher;
      const handle = await forge.engine.resume(listing.run, { ...options, whenWaiting: 'leave' });
      await handle.ended;
    } else found.push(listing);
  }
  return found;
}
