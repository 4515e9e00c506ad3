/** Codex: its figures are of the whole turn; what it asks beside it is not in them. */
import { counted, describeClient } from './client-suite.ts';
import { describeRuns } from './run-suite.ts';

describeClient('codex', {
  reader: (calls) => counted(calls.filter(({ rule }) => rule !== undefined)),
  login: { file: 'auth.json', protected: 'AGENTS.md', content: (token) => ({ OPENAI_API_KEY: token }) },
});
describeRuns('codex');
