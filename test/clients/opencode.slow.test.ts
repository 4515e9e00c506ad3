/** opencode: its figures are of the last call only and leave thoughts out, so they are a lower bound. */
import { counted, describeClient } from './client-suite.ts';
import { describeRuns } from './run-suite.ts';

describeClient('opencode', {
  triesAgain: true,
  reader: (calls) => {
    const last = calls.filter(({ rule }) => rule !== undefined).slice(-1);
    const { inputTokens, outputTokens } = counted(last);
    return { inputTokens, outputTokens: outputTokens - (last[0]?.tokens?.reasoning ?? 0) };
  },
});
describeRuns('opencode');
