/**
 * Waits for a run that another process works on, until it needs somebody or is over, and tells what happens meanwhile,
 * one sentence at a time. Looking on changes nothing.
 */
import { z } from 'zod';
import { advanceChronicle, emptyChronicle } from '../views/chronicle.ts';
import { factLine } from '../views/fact-line.ts';
import { openQuestions } from '../views/run-view.ts';
import { attachRun } from './attach-run.ts';
import { isHeld } from './choose-run.ts';
import { findSummary } from './find-run.ts';
import type { Operation } from './operation.ts';

const input = z.strictObject({
  run: z.string().max(128).optional(),
  /** `attention`: a question counts too, even while other work goes on. */
  until: z.enum(['attention', 'end']).default('attention'),
});

export interface FollowedRun {
  readonly run: string;
  /** Ends by itself, or when the signal aborts; gives how many sentences there were. */
  follow(signal: AbortSignal, tell: (text: string) => void): Promise<number>;
}

export const followRun: Operation<typeof input, FollowedRun> = {
  name: 'follow-run',
  summary: 'wait for a run until it needs somebody or is over',
  input,
  async run(context, { run, until }) {
    const listing = await findSummary(context, { run, what: 'that is being worked on', fits: isHeld });
    return {
      run: listing.run,
      follow: async (signal, tell) => {
        if (!isHeld(listing)) return 0;
        const attached = await attachRun.run(context, { run: listing.run });
        const chronicle = emptyChronicle();
        let told = 0;
        for await (const fact of attached.facts(signal)) {
          advanceChronicle(chronicle, fact);
          const line = fact.seq > attached.from ? factLine(fact, chronicle) : undefined;
          if (line !== undefined) {
            told += 1;
            tell(line);
          }
          if (until === 'attention' && fact.seq >= attached.from && openQuestions(chronicle).length > 0) break;
        }
        return told;
      },
    };
  },
};
