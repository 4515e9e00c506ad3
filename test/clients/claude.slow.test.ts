/** Claude Code: its figures are of the whole turn; the word it asks for when it continues a session is not in them. */
import { counted, describeClient } from './client-suite.ts';
import { describeRuns } from './run-suite.ts';

describeClient('claude', {
  reader: (calls) => counted(calls.filter(({ rule }) => rule !== undefined)),
  login: {
    file: '.credentials.json',
    protected: 'CLAUDE.md',
    content: (accessToken) => ({
      claudeAiOauth: {
        accessToken,
        refreshToken: 'dummy-refresh',
        expiresAt: 4_102_444_800_000,
        scopes: ['user:inference', 'user:profile'],
        subscriptionType: 'max',
      },
    }),
  },
});
describeRuns('claude');
