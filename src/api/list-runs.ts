/** The runs of this repository, newest first, each with where it stands. */
import { z } from 'zod';
import type { Operation } from './operation.ts';
import { readRunLines, type RunLine } from './run-lines.ts';

const input = z.strictObject({});

export const listRuns: Operation<typeof input, readonly RunLine[]> = {
  name: 'list-runs',
  summary: 'the runs of this repository',
  input,
  run: (context) => readRunLines(context),
};
