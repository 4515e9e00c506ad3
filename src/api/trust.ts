/** What a repository's own files would have Forge do, shown to a person; with `agree`, it is agreed to. */
import { z } from 'zod';
import { isTrusted, questionOf, remember } from '../trust/consent.ts';
import type { Operation } from './operation.ts';

const input = z.strictObject({ agree: z.boolean().default(false) });

export interface TrustState {
  readonly trusted: boolean;
  readonly points: readonly string[];
}

export const trustProject: Operation<typeof input, TrustState> = {
  name: 'trust-project',
  summary: "trust this repository's Forge settings",
  input,
  async run(context, { agree }) {
    const forge = await context.forge();
    const question = questionOf(forge);
    if (question === undefined) return { trusted: true, points: [] };
    if (agree) remember(context.env, forge.repo.id, question);
    return { trusted: isTrusted(context.env, forge.repo.id, question), points: question.points };
  },
};
