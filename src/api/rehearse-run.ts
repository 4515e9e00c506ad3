/**
 * Has a recorded run again on the commit it began with: the workflow, the roles and the settings are those the project
 * has now, the agents play what was recorded, and people's answers are given as they were. For trying a change without
 * paying for it. Refused before anything exists where the commit is not there.
 */
import { resolve } from 'node:path';
import { z } from 'zod';
import { parseScript } from '../agents/script.ts';
import type { Forge } from '../compose.ts';
import { ForgeError } from '../errors.ts';
import { findCommit } from '../git/history.ts';
import { type Recording, readRecording } from '../rehearsal/recording.ts';
import { changesSince, pacedEntry, rehearsalSettings } from '../rehearsal/rehearsed-settings.ts';
import { beginRehearsal, rehearsalScript } from '../rehearsal/rehearsal.ts';
import type { Operation } from './operation.ts';
import { newRunName, requestFor, startRun } from './start-run.ts';
import { runWorkSchema, workOnRun } from './work-on-run.ts';
import { requireTrust } from '../trust/consent.ts';

const input = z.strictObject({
  file: z.string().min(1),
  /** Instead of the recorded one. */
  workflow: z.string().optional(),
  parallel: z.number().int().min(1).max(64).optional(),
  /** Which part of the time that agents took is waited for. */
  pace: z.number().min(0).max(100).default(0),
  /** The run's name, for a caller that has to know it beforehand. */
  run: z.string().optional(),
});

export const rehearseRun: Operation<typeof input, typeof runWorkSchema> = {
  name: 'rehearse-run',
  kind: 'command',
  description: 'Replays a recorded run without a model, to compare the resulting files.',
  input,
  output: runWorkSchema,
  async run(context, asked) {
    const { file, workflow, parallel, pace } = asked;
    const forge = await context.forge();
    const recording = readRecording(resolve(context.cwd, file));
    requireTrust(forge, context.env);
    await requireBase(forge, recording);
    const entries = recording.entries.map((entry) => pacedEntry(entry, pace));
    const script = JSON.stringify(entries);
    parseScript(script, file);
    const name = workflow ?? recording.workflow;
    const run = asked.run ?? newRunName(`rehearsal-${recording.run}`);
    const request = await requestOf(forge, recording, { workflow: name, parallel, run });
    const { tree, changed, redacted, status } = recording.result;
    const plan = { request, script, answers: recording.answers, expected: { tree, changed, redacted, status } };
    const work = await workOnRun(context, {
      run,
      open: (options) => beginRehearsal(forge, plan, options),
      request: { operation: 'rehearse-run', input: { ...asked, run }, yes: false },
    });
    return { ...work, notices: [...changesSince(forge.settings, recording, name)] };
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
  wishes: { readonly workflow: string; readonly parallel: number | undefined; readonly run: string },
) {
  const { requirement, planOnly, options, dirty } = recording.input;
  const { run } = wishes;
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
  const { definition, redact } = forge;
  // What was preferred then is among the recorded options.
  const request = await requestFor({ repo, settings, preferences: [], definition, redact }, asked);
  // What was uncommitted then decided what was asked; what is uncommitted now has nothing to do with it.
  const then = 'dirty' in request.input ? { dirty: z.array(z.string()).catch([]).parse(dirty) } : {};
  return {
    ...request,
    title: `Rehearsal: ${request.title}`.slice(0, 200),
    // Documents bear the slug: those of the run that was recorded stay as they are.
    input: { ...request.input, ...then, slug: `rehearsal-${request.input.slug}` },
  };
}
