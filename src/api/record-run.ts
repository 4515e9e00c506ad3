/** Writes down what the agents of a run did, so that the run can be rehearsed without a model. */
import { resolve } from 'node:path';
import { z } from 'zod';
import { projectRedactor } from '../effects/known-secrets.ts';
import { ForgeError } from '../errors.ts';
import { recordingOf } from '../rehearsal/record-work.ts';
import { writeRecording } from '../rehearsal/recording.ts';
import { isFinished } from './choose-run.ts';
import { findRun } from './find-run.ts';
import type { Operation } from './operation.ts';
import { runName } from './run-name.ts';

const input = z.strictObject({ run: runName, file: z.string().min(1) });

const output = z.strictObject({
  run: z.string(),
  file: z.string(),
  jobs: z.number().int(),
  /** Paths whose content was left out because it held secrets. */
  redacted: z.array(z.string()),
});

export const recordRun: Operation<typeof input, typeof output> = {
  name: 'record-run',
  kind: 'command',
  description: "Records the agents' work of a finished run in a file, for a rehearsal without a model.",
  input,
  output,
  async run(context, { run, file }) {
    const { repo, engine, settings } = await context.reader();
    const listing = await findRun(context, { run, what: 'that is over', fits: isFinished });
    if (!isFinished(listing)) {
      throw new ForgeError('bad-input', `The run ${listing.run} is not over (${listing.status})`, {
        hint: `Continue it: forge resume ${listing.run}; then: forge record ${listing.run} ${file}`,
      });
    }
    const recording = await recordingOf({ repo, engine }, listing, projectRedactor(settings, repo.root, context.env));
    const place = resolve(context.cwd, file);
    writeRecording(place, recording);
    return { run: listing.run, file: place, jobs: recording.entries.length, redacted: recording.result.redacted };
  },
};
