import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { advanceChronicle, chronicleOf, emptyChronicle } from '../../src/views/chronicle.ts';
import { documentsOf } from '../../src/views/documents/documents.ts';
import { factLine } from '../../src/views/fact-line.ts';
import { positionOf } from '../../src/views/position.ts';
import { runView } from '../../src/views/run-view.ts';
import { summaryOf } from '../../src/views/summary.ts';
import type { ViewNode } from '../../src/views/view-node.ts';
import { after, factsFrom, type Step, started } from './steps.ts';
import { complete, midway, opening } from './story.ts';

const all = factsFrom(complete);

function find(node: ViewNode, id: string): ViewNode | undefined {
  return node.id === id ? node : node.children.map((child) => find(child, id)).find((found) => found !== undefined);
}

describe('runView', () => {
  it('is the same whether facts come at once or one by one, at any point of a run', () => {
    fc.assert(
      fc.property(fc.nat(all.length), fc.nat(all.length), (end, cut) => {
        const facts = all.slice(0, end);
        const chronicle = chronicleOf(facts.slice(0, Math.min(cut, end)));
        for (const fact of facts.slice(Math.min(cut, end))) advanceChronicle(chronicle, fact);
        const whole = chronicleOf(facts);
        expect(chronicle).toEqual(whole);
        const now = after(all, 60);
        expect(runView(chronicle, { now })).toEqual(runView(whole, { now }));
        expect(documentsOf(chronicle)).toEqual(documentsOf(whole));
        expect(summaryOf(chronicle)).toEqual(summaryOf(whole));
      }),
      { numRuns: 60 },
    );
  });

  it('says what an agent is doing, and in which attempt', () => {
    const facts = factsFrom([...midway, started('agent.run', 'W1/test#2/recovery#2', { role: 'tester', attempt: 2 })]);
    const activity = new Map([['W1/test#2/recovery#2', 'reading src/query.js']]);
    const { root } = runView(chronicleOf(facts), { now: after(facts, 5), activity });
    const tester = find(root, 'W1/test#2');
    expect([tester?.status, tester?.detail]).toEqual(['running', 'recovery mode 2/3: reading src/query.js']);
  });

  it('does not count the time nobody worked, and dates a crash by the last sign of life', () => {
    const opened = opening[1] as Step;
    const work = started('agent.run', 'plan#1', { role: 'planner', attempt: 1 });
    const facts = factsFrom([
      ...opening,
      work,
      opened,
      ['effect.interrupted', 'plan#1', { attempt: 1, reason: 'crash' }],
      work,
    ]);
    // The process died after the third fact; the next one came an hour later.
    const late = facts.map((fact, index) =>
      index < 3 ? fact : { ...fact, at: new Date(Date.parse(fact.at) + 3_600_000).toISOString() },
    );
    const { root } = runView(chronicleOf(late), { now: after(late, 10) });
    expect([root.elapsedMs, find(root, 'plan#1')?.elapsedMs]).toEqual([1000 + 12_000, 10_000]);
  });

  it('shows a run without its process, a paused and a cancelled one as what they are', () => {
    const facts = factsFrom(midway);
    const orphan = runView(chronicleOf(facts), { now: after(facts, 500), isHeld: false });
    expect([orphan.root.status, orphan.root.detail, find(orphan.root, 'W1/test#2')?.status]).toEqual([
      'interrupted',
      'interrupted',
      'interrupted',
    ]);
    const paused = factsFrom([...midway, ['run.suspended', '', { reason: 'paused', detail: 'by a person' }]]);
    expect(runView(chronicleOf(paused), { now: after(paused, 1) }).root).toMatchObject({
      status: 'interrupted',
      detail: 'paused: by a person',
    });
    const cancelled = factsFrom([...midway, ['run.ended', '', { status: 'cancelled' }]]);
    expect(runView(chronicleOf(cancelled), { now: after(cancelled, 1) }).root).toMatchObject({
      status: 'failed',
      detail: 'cancelled',
    });
  });

  it('knows where a run stopped, at every fact', () => {
    const chronicle = emptyChronicle();
    const texts = new Set<string>();
    for (const fact of all) texts.add(positionOf(advanceChronicle(chronicle, fact)).text);
    expect([...texts]).toEqual([
      'planning',
      'plan ready, not approved yet',
      'wave 1/2, developing',
      'wave 1/2, testing',
      'wave 1/2, fixing (round 1/3)',
      'wave 1/2, testing again (round 1/3)',
      'wave 2/2, developing',
      'wave 2/2, testing',
      'integration test',
      'integration test, fixing (round 1/3)',
      'learning',
      'over',
    ]);
  });

  it('survives notes, outputs and replies of any shape', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (data, reply) => {
        const odd = factsFrom(
          [
            ...opening,
            started('agent.run', 'plan#1', { role: 'planner', attempt: 1 }),
            ['effect.finished', 'plan#1', { attempt: 1, output: reply as null }],
            ['note.recorded', 'proposal', { text: 'x', data: data as null }],
            ['run.ended', '', { status: 'done', output: data as null }],
          ].filter(
            ([type]) => type !== 'effect.finished' || typeof Object(Object(reply).outcome).usage === 'object',
          ) as Step[],
        );
        const chronicle = emptyChronicle();
        for (const fact of odd) factLine(fact, advanceChronicle(chronicle, fact));
        expect(runView(chronicle, { now: after(odd, 0) }).root.status).toBe('done');
        expect(documentsOf(chronicle).map(({ path }) => path)).toContain('search-notes-state.json');
        expect(summaryOf(chronicle).status).toBe('done');
      }),
      { numRuns: 100 },
    );
  });
});
