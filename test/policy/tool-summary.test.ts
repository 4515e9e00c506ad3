/** What an agent did, counted. */
import { expect, it } from 'vitest';
import { summariseTools } from '../../src/policy/tool-summary.ts';

it('counts tools, edits and reads, and keeps the last steps', () => {
  const uses = [
    { name: 'read', paths: ['a.ts'] },
    { name: 'Edit', paths: ['b.ts'] },
    { name: 'Edit', paths: ['a.ts'] },
    { name: 'Edit', paths: ['b.ts'] },
    { name: 'Bash', paths: [] },
    { name: 'read', paths: ['a.ts', 'c.ts'] },
  ];
  expect(summariseTools(uses)).toEqual({
    tool_counts: { read: 2, Edit: 3, Bash: 1 },
    edited_files: ['b.ts × 2', 'a.ts × 1'],
    read_files: ['a.ts', 'c.ts'],
    last_5_actions: ['Edit(b.ts)', 'Edit(a.ts)', 'Edit(b.ts)', 'Bash()', 'read(a.ts, c.ts)'],
  });
});

it('goes by the sort of tool where its name is a sentence, and does not count what failed as done', () => {
  const uses = [
    { name: 'Writing to a.ts', kind: 'edit', paths: ['a.ts'], status: 'done', text: 'written' },
    { name: 'Writing to b.ts', kind: 'edit', paths: ['b.ts'], status: 'failed', text: 'refused' },
    { name: 'a.ts', kind: 'read', paths: ['a.ts'], status: 'done', text: 'const a' },
    { name: 'c.ts', kind: 'read', paths: ['c.ts'], status: 'failed', text: 'no such file' },
    { name: 'Run the tests', kind: 'execute', paths: [], status: 'failed', text: '$ npm test\n2 failed' },
    { name: 'Thinking', kind: 'other', paths: [], status: 'done', text: '' },
  ];
  expect(summariseTools(uses)).toEqual({
    tool_counts: { edit: 2, read: 2, execute: 1, Thinking: 1 },
    edited_files: ['a.ts × 1'],
    read_files: ['a.ts'],
    last_5_actions: ['edit(b.ts) failed', 'read(a.ts)', 'read(c.ts) failed', 'execute(npm test) failed', 'Thinking()'],
  });
});
