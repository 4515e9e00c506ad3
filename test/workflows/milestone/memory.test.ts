/** What a milestone has learned: who is told what, and what counts as useful. */
import { expect, it } from 'vitest';
import { MilestoneMemory } from '../../../src/workflows/milestone/milestone-context.ts';

const learned = (text: string, lesson?: string) => ({
  category: 'pattern' as const,
  confidence: 0.6,
  text,
  ...(lesson === undefined ? {} : { lesson }),
});

it('counts what was told to units that went well, once per unit, and tells that first', () => {
  const memory = new MilestoneMemory();
  memory.add('M001', [learned('archive parser buffers lines', 'L1'), learned('zebra parser buffers lines')]);
  const about = 'The parser reads lines';
  expect(memory.about(about).map(({ text }) => text)).toEqual([
    'archive parser buffers lines',
    'zebra parser buffers lines',
  ]);
  // Told twice, as after a repair, and well at last.
  memory.tell('S01/T01', 'zebra parser lines');
  memory.tell('S01/T01', 'zebra parser');
  memory.credit('S01/T01');
  memory.credit('S01/T01');
  expect(memory.all.map(({ text, hits, lesson }) => [text, hits, lesson])).toEqual([
    ['archive parser buffers lines', 0, 'L1'],
    ['zebra parser buffers lines', 1, undefined],
  ]);
  expect(memory.about(about)[0]?.text).toBe('zebra parser buffers lines');
  // One that was told and did not go well counts nothing.
  memory.tell('S01/T02', about);
  expect(memory.all[0]?.hits).toBe(0);
});

it('keeps what a unit dropped for the next ones of its slice', () => {
  const memory = new MilestoneMemory();
  memory.drop('S01', ['src/a.js']);
  memory.drop('S01', []);
  memory.drop('S01', ['src/b.js']);
  expect(memory.droppedIn('S01')).toEqual(['src/a.js', 'src/b.js']);
  expect(memory.droppedIn('S02')).toEqual([]);
});
