/**
 * Waits for a run that another process works on, until it needs somebody or is over, and then says where it stands. What
 * happens meanwhile is reported to the caller, one sentence at a time. Watching changes nothing.
 */
import { z } from 'zod';
import { advanceChronicle, emptyChronicle } from '../views/chronicle.ts';
import { factLine } from '../views/fact-line.ts';
import { openQuestions } from '../views/run-view.ts';
import { attachRun } from './attach-run.ts';
import { isHeld } from './choose-run.ts';
import { findSummary } from './find-run.ts';
import { followOperation, type Operation } from './operation.ts';
import { runName } from './run-name.ts';
import { standingOf } from './run-standing.ts';
import { runReportSchema } from './run-status.ts';

const input = z.strictObject({
  run: runName,
  until: z
    .enum(['attention', 'end'])
    .default('attention')
    .describe('attention: an open question ends the wait too, even while other work continues'),
  timeoutSeconds: z.number().min(0).max(86_400).default(1800),
});

const output = runReportSchema.extend({ timedOut: z.boolean() });

export const followRun: Operation<typeof input, typeof output> = {
  name: 'follow-run',
  kind: 'query',
  description:
    'Waits until a run needs somebody (a question, a pause, a limit) or is over, and then says where it stands. Progress notifications tell what happens meanwhile. Returns timedOut after timeoutSeconds; call it again.',
  input,
  output,
  tool: { name: 'forge_wait', title: 'Wait for a run' },
  async run(context, { run, until, timeoutSeconds }) {
    const listing = await findSummary(context, { run, what: 'that is being worked on', fits: isHeld });
    const late = AbortSignal.timeout(Math.max(1, timeoutSeconds * 1000));
    const watched = { ...context, signal: AbortSignal.any([context.signal, late]) };
    const from = listing.seq;
    const chronicle = emptyChronicle();
    for (;;) {
      const after = chronicle.state.seq;
      for await (const fact of isHeld(listing)
        ? followOperation(attachRun, watched, { run: listing.run, after })
        : []) {
        advanceChronicle(chronicle, fact);
        const line = fact.seq > from ? factLine(fact, chronicle) : undefined;
        if (line !== undefined) context.progress(line);
        if (until === 'attention' && fact.seq >= from && openQuestions(chronicle).length > 0) break;
      }
      const { report } = await standingOf(context, listing.run);
      const isWaited = report.status === 'running' && report.questions.length === 0;
      // A question that was answered a moment later needed nobody.
      if (!isWaited || !report.isHeld || watched.signal.aborted)
        return { ...report, timedOut: isWaited && late.aborted };
    }
  },
};
