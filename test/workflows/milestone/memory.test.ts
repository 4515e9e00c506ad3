/** What a milestone has learned: who is told what, what counts as useful, and what is still owed. */
import { expect, it } from 'vitest';
import { MilestoneMemory } from '../../../src/workflows/milestone/milestone-context.ts';
import { droppedPart } from '../../../src/workflows/milestone/briefs.ts';

const learned = (text: string, lesson?: string) => ({
  category: 'pattern' as const,
  confidence: 0.6,
  text,
  ...(lesson === undefined ? {} : { lesson }),
});
const unit = (name: string, more: object = {}) => ({ unit: name, learned: [], told: [], owed: [], ...more });

it('counts what was told to units that went well, once per unit, and tells that first', () => {
  const memory = new MilestoneMemory();
  memory.hear(
    unit('M001', { learned: [learned('archive parser buffers lines', 'L1'), learned('zebra parser buffers lines')] }),
  );
  const about = 'The parser reads lines';
  expect(memory.about(about).map(({ text }) => text)).toEqual([
    'archive parser buffers lines',
    'zebra parser buffers lines',
  ]);
  // Heard as a task, and again with its slice.
  memory.hear(unit('S01/T01', { told: ['zebra parser buffers lines'] }));
  memory.hear(unit('S01/T01', { told: ['zebra parser buffers lines'] }));
  expect(memory.all.map(({ text, hits, lesson }) => [text, hits, lesson])).toEqual([
    ['archive parser buffers lines', 0, 'L1'],
    ['zebra parser buffers lines', 1, undefined],
  ]);
  expect(memory.about(about)[0]?.text).toBe('zebra parser buffers lines');
});

it('goes on counting from what earlier runs counted', () => {
  const memory = new MilestoneMemory();
  memory.hear(unit('M001', { learned: [{ ...learned('zebra parser buffers lines'), hits: 2 }] }));
  memory.hear(unit('S01/T01', { told: ['zebra parser buffers lines'] }));
  expect(memory.all.map(({ hits }) => hits)).toEqual([3]);
});

it('keeps what a unit owes for the next ones of its slice, and asks for ten of them at most', () => {
  const memory = new MilestoneMemory();
  memory.hear(unit('S01/T01', { owed: ['src/a.js'] }));
  memory.hear(unit('S01/T02', { owed: Array.from({ length: 10 }, (_, at) => `src/b${at}.js`) }));
  expect(memory.owedIn('S01')).toHaveLength(11);
  expect(memory.owedIn('S02')).toEqual([]);
  expect(droppedPart(memory.owedIn('S01')).text.split('\n')).toEqual([
    '- src/a.js',
    ...Array.from({ length: 9 }, (_, at) => `- src/b${at}.js`),
    'There are more; the VERIFICATION document of the slice lists them.',
  ]);
});
