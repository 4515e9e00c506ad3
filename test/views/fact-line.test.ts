import { describe, expect, it } from 'vitest';
import type { Fact } from '../../src/engine/facts.ts';
import { advanceChronicle, emptyChronicle } from '../../src/views/chronicle.ts';
import { factLine } from '../../src/views/fact-line.ts';
import { effect, factsFrom, opening, type Step, started } from './steps.ts';

function linesOf(facts: readonly Fact[]): string[] {
  const chronicle = emptyChronicle();
  return facts.flatMap((fact) => factLine(fact, advanceChronicle(chronicle, fact)) ?? []);
}

describe('factLine', () => {
  it('says with a plan what it will take and where it stops', () => {
    const forecast = { text: 'about $2', limits: '$10, 8 h', soft: ['actor'] };
    const steps = [...opening, ...effect('forecast.make', 'forecast', {}, forecast)];
    expect(linesOf(factsFrom(steps)).at(-1)).toBe(
      'Expected: about $2\nLimits: $10, 8 h (of actor known only afterwards)',
    );
  });

  it('prints what a workflow notes line by line, and nothing where it notes nothing', () => {
    const noted = (text: string): string[] =>
      linesOf(factsFrom([...opening, ['note.recorded', 'n', { text }]])).slice(1);
    expect(noted('Plan ready\n  T1: one')).toEqual(['Plan ready\n  T1: one']);
    expect(noted('')).toEqual([]);
  });

  it('prints nothing an agent could do harm with', () => {
    const steps: Step[] = [
      ...opening,
      ['question.asked', 'q\u001b[2J', { title: 'Really?\u001b]0;owned\u0007\n\u202eon' }],
      started('agent.run', 'plan#1'),
      ['step.started', 's', { kind: 'agent', title: 'tester\u001b[31m', detail: 'a\rb\u202e' }],
      ['note.recorded', 'proposal', { text: 'T1\u001b[31m\n\u202eT2' }],
    ];
    for (const line of linesOf(factsFrom(steps))) expect(line).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
    expect(linesOf(factsFrom(steps)).at(-1)).toBe('T1\nT2');
  });
});
