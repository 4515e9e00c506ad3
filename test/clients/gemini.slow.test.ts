/** Gemini CLI: its figures are of the whole turn without thoughts. */
import { counted, describeClient } from './client-suite.ts';
import { describeRuns } from './run-suite.ts';

describeClient('gemini', {
  reader: (calls) => {
    const thoughts = calls.reduce((sum, { tokens }) => sum + (tokens?.reasoning ?? 0), 0);
    const { inputTokens, outputTokens } = counted(calls);
    return { inputTokens, outputTokens: outputTokens - thoughts };
  },
});
describeRuns('gemini');
