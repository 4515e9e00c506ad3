import { describe, expect, it } from 'vitest';
import type { Fact } from '../../src/engine/facts.ts';
import { advanceChronicle, emptyChronicle } from '../../src/views/chronicle.ts';
import { factLine } from '../../src/views/fact-line.ts';
import { effect, factsFrom, type Step, started } from './steps.ts';
import { opening } from './story.ts';

function linesOf(facts: readonly Fact[]): string[] {
  const chronicle = emptyChronicle();
  return facts.flatMap((fact) => factLine(fact, advanceChronicle(chronicle, fact)) ?? []);
}
/** Only what the steps after the first ones say. */
function told(before: readonly Step[], steps: readonly Step[]): string {
  return linesOf(factsFrom([...before, ...steps]))
    .slice(linesOf(factsFrom(before)).length)
    .join('\n');
}

describe('factLine', () => {
  it('tells with the plan what it will take and where it stops', () => {
    const forecast = { text: 'about $2', limits: '$10, 8 h', soft: ['actor'] };
    const proposed: Step[] = [['note.recorded', 'proposal', { text: '', data: { waves: [['T1']], tasks: [] } }]];
    const made = effect('forecast.make', 'forecast', {}, forecast);
    expect(
      told([...opening, ...made], proposed)
        .split('\n')
        .slice(-2),
    ).toEqual(['Expected: about $2', 'Limits: $10, 8 h (of actor known only afterwards)']);
  });

  it('prints nothing an agent could do harm with', () => {
    const steps: Step[] = [
      ...opening,
      ['question.asked', 'q\u001b[2J', { title: 'Really?\u001b]0;owned\u0007\n\u202eon' }],
      started('agent.run', 'plan#1'),
      [
        'note.recorded',
        'proposal',
        { text: '', data: { waves: [['T1\u001b[31m\nT2']], tasks: [{ id: 'T1', title: 'x' }] } },
      ],
    ];
    for (const line of linesOf(factsFrom(steps))) expect(line).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
    expect(linesOf(factsFrom(steps)).at(-1)).toBe(
      'Plan ready: 1 task in 1 wave, .forge/search-notes-plan.md\nWave plan: 1 wave\n  Wave 1: T1 T2',
    );
  });
});
