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
