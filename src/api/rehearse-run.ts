/**
 * Has a recorded run again on the commit it began with: the workflow, the roles and the settings are those the project
 * has now, the agents play what was recorded, and people's answers are given as they were. For trying a change without
 * paying for it. Refused before anything exists where the commit is not there.
 */
import { resolve } from 'node:path';
import { z } from 'zod';
import { parseDuration } from '../agents/duration.ts';
import { parseScript } from '../agents/script.ts';
import type { Forge } from '../compose.ts';
import type { RunHandle } from '../engine/engine.ts';
import { ForgeError } from '../errors.ts';
import { findCommit } from '../git/history.ts';
import { type Settings, settingsSchema } from '../policy/settings.ts';
import { forgeVersion } from '../version.ts';
import { findDefinition } from '../workflows/registry.ts';
import type { Operation } from './operation.ts';
import { type Recording, readRecording } from './recording.ts';
import { beginRehearsal, rehearsalScript } from './rehearsal.ts';
import { newRunName, requestFor, startRun } from './start-run.ts';
import { requireTrust } from '../trust/consent.ts';

const input = z.strictObject({
  file: z.string().min(1),
  /** Instead of the recorded one. */
  workflow: z.string().optional(),
  parallel: z.number().int().min(1).max(64).optional(),
  /** Which part of the time that agents took is waited for. */
  pace: z.number().min(0).max(100).default(0),
});

export interface Rehearsed {
  readonly handle: RunHandle;
  /** What a person should know: what is not as it was. */
  readonly notices: readonly string[];
}

export const rehearseRun: Operation<typeof input, Rehearsed> = {
  name: 'rehearse-run',
  summary: 'have a recorded run again, without a model',
  input,
  async run(context, { file, workflow, parallel, pace }) {
    const forge = await context.forge();
    const recording = readRecording(resolve(context.cwd, file));
    requireTrust(forge, context.env);
    await requireBase(forge, recording);
    const entries = recording.entries.map((entry) => paced(entry, pace));
    const script = JSON.stringify(entries);
    parseScript(script, file);
    const name = workflow ?? recording.workflow;
    const request = await requestOf(forge, recording, { workflow: name, parallel });
    const { tree, changed, redacted, status } = recording.result;
    const expected = { tree, changed, redacted, status };
    const handle = await beginRehearsal(context, forge, { request, script, answers: recording.answers, expected });
    return { handle, notices: changesSince(forge.settings, recording, name) };
  },
};

async function requireBase({ repo }: Forge, { base, run }: Recording): Promise<void> {
  if ((await findCommit(repo, base)) !== undefined) return;
  throw new ForgeError('bad-input', `${run} began at ${base.slice(0, 12)}, which is not in this repository`, {
    hint: `Rehearse it in a clone that has the commit, or fetch it: git fetch origin ${base}`,
  });
}

async function requestOf(
  forge: Forge,
  recording: Recording,
  wishes: { readonly workflow: string; readonly parallel: number | undefined },
) {
  const { requirement, planOnly, options, dirty } = recording.input;
  const run = newRunName(`rehearsal-${recording.run}`);
  const settings = rehearsalSettings(forge.settings, recording, { script: rehearsalScript, parallel: wishes.parallel });
  const repo = { ...forge.repo, head: recording.base, branch: undefined };
  const asked = startRun.input.parse({
    requirement,
    workflow: wishes.workflow,
    run,
    planOnly: planOnly === true,
    // Another workflow has other options.
    options: wishes.workflow === recording.workflow ? (options ?? {}) : {},
  });
  const { definition } = forge;
  const request = await requestFor({ repo, settings, definition }, asked);
  // What was uncommitted then decided what was asked; what is uncommitted now has nothing to do with it.
  const then = 'dirty' in request.input ? { dirty: z.array(z.string()).catch([]).parse(dirty) } : {};
  return {
    ...request,
    title: `Rehearsal: ${request.title}`.slice(0, 200),
    // Documents bear the slug: those of the run that was recorded stay as they are.
    input: { ...request.input, ...then, slug: `rehearsal-${request.input.slug}` },
  };
}

/** The project's own, with every agent that can be named played from the script. */
function rehearsalSettings(
  project: Settings,
  recording: Recording,
  { script, parallel }: { readonly script: string; readonly parallel: number | undefined },
): Settings {
  const recorded = settingsSchema.safeParse(recording.settings);
  const known = [...Object.keys(project.agents), ...(recorded.success ? Object.keys(recorded.data.agents) : [])];
  const names = known.length === 0 ? ['rehearsal'] : [...new Set(known)];
  return {
    ...project,
    agents: Object.fromEntries(names.map((name) => [name, { driver: 'scripted', script }] as const)),
    parallel: parallel ?? project.parallel,
    // Recorded trouble is what was left after all patience: it is not waited for again.
    trouble: { ...project.trouble, retries: 0, longestWait: 0 },
    rehearsal: true,
  };
}

function paced(entry: Readonly<Record<string, unknown>>, pace: number): Readonly<Record<string, unknown>> {
  const took = typeof entry['took'] === 'string' ? (parseDuration(entry['took']) ?? 0) : 0;
  const ms = Math.round(took * pace);
  if (ms === 0 || !Array.isArray(entry['do'])) return entry;
  return { ...entry, do: [{ sleep: `${ms}ms` }, ...(entry['do'] as readonly unknown[])] };
}

function changesSince(project: Settings, recording: Recording, workflow: string): readonly string[] {
  const then = settingsSchema.safeParse(recording.settings);
  const names = (Object.keys(project) as (keyof Settings)[]).filter((name) => name !== 'agents');
  const other = then.success
    ? names.filter((name) => JSON.stringify(project[name]) !== JSON.stringify(then.data[name]))
    : [];
  const version = findDefinition(workflow)?.version;
  return [
    ...(recording.forge === forgeVersion
      ? []
      : [`it was recorded with Forge ${recording.forge}, this is ${forgeVersion}`]),
    ...(workflow === recording.workflow ? [] : [`it was recorded with ${recording.workflow}, this is ${workflow}`]),
    ...(workflow === recording.workflow && version !== undefined && version !== recording.workflowVersion
      ? [`${workflow} was version ${recording.workflowVersion} and is ${version}`]
      : []),
    ...(other.length === 0 ? [] : [`other settings than when it was recorded: ${other.join(', ')}`]),
  ];
}
