/** What Forge needs on this machine and in this repository, as found. Changes nothing. */
import { z } from 'zod';
import { type Examination, examine } from '../compose.ts';
import type { Operation } from './operation.ts';

const input = z.strictObject({});

export const doctor: Operation<typeof input, readonly Examination[]> = {
  name: 'doctor',
  summary: 'what Forge needs here, and what is missing',
  input,
  run: (context) => examine(context.cwd),
};
