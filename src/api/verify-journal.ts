/** Reads a whole journal and checks that every line follows from the one before, as its hashes say. Changes nothing. */
import { z } from 'zod';
import { ForgeError, messageOf } from '../errors.ts';
import { findSummary } from './find-run.ts';
import type { Operation } from './operation.ts';
import { runName } from './run-name.ts';

const input = z.strictObject({ run: runName });

const output = z.strictObject({
  isWhole: z.boolean(),
  facts: z.number().int(),
  /** Of the newest fact: it stands for all before it. */
  hash: z.string(),
  /** What is wrong, and where. */
  problem: z.string().optional(),
});

export const verifyJournal: Operation<typeof input, typeof output> = {
  name: 'verify-journal',
  kind: 'query',
  description: 'Checks the chain of hashes of a journal, line by line, and says where it is broken.',
  input,
  output,
  async run(context, { run }) {
    const { engine } = await context.runs();
    const { run: name } = await findSummary(context, { run, what: 'here', fits: () => true });
    try {
      const facts = await engine.facts(name);
      return { isWhole: true, facts: facts.length, hash: facts.at(-1)?.hash ?? '' };
    } catch (error) {
      if (!(error instanceof ForgeError)) throw error;
      return { isWhole: false, facts: 0, hash: '', problem: messageOf(error) };
    }
  },
};
