/** What Claude Code is told about its model when a session opens. */
import { expect, test } from 'vitest';
import { claude } from '../../../src/agents/acp/records/claude.ts';

const place = {
  home: '/h',
  tmp: '/t',
  tree: '/w',
  url: undefined,
  key: undefined,
  access: 'write',
  systemPrompt: '',
} as const;

test('the model, the effort and the thinking of a job are options of its session', () => {
  const meta = claude.sessionMeta?.({ ...place, model: 'opus', effort: 'high', thinking: 'adaptive' });
  expect(meta).toMatchObject({
    claudeCode: { options: { model: 'opus', effort: 'high', thinking: { type: 'adaptive' } } },
  });
  const bare = JSON.stringify(claude.sessionMeta?.({ ...place, model: undefined, effort: undefined }));
  expect(bare).not.toMatch(/model|effort|thinking/);
});
