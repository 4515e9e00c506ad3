import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { advanceChronicle, chronicleOf, emptyChronicle } from '../../src/views/chronicle.ts';
import { factLine } from '../../src/views/fact-line.ts';
import { renderTree } from '../../src/views/render-tree.ts';
import { runPage } from '../../src/views/run-page.ts';
import { runView } from '../../src/views/run-view.ts';
import { summaryOf } from '../../src/views/summary.ts';
import type { ViewNode } from '../../src/views/view-node.ts';
import { reportOf } from '../../src/views/report/report.ts';
import { waveDocuments } from '../../src/workflows/waves/documents/documents.ts';
import { factsUntil, recordedFacts } from './recorded-run.ts';
import { after, factsFrom, opening, type Step, started } from './steps.ts';

const all = recordedFacts('waves');
/** An agent is at work on its second attempt. */
const midway = factsUntil('waves', ({ type, key }) => type === 'effect.started' && key.endsWith('/recovery#2'));

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
        expect(waveDocuments(chronicle)).toEqual(waveDocuments(whole));
        expect(reportOf(chronicle)).toEqual(reportOf(whole));
        expect(summaryOf(chronicle)).toEqual(summaryOf(whole));
      }),
      { numRuns: 60 },
    );
  });

  it('says where the whole run stands, as its workflow said last', () => {
    const note = (standing?: { text: string; isBad: boolean }): Step => [
      'note.recorded',
      `n${String(standing !== undefined)}`,
      { text: 'something', ...(standing === undefined ? {} : { standing }) },
    ];
    const facts = factsFrom([...opening, note({ text: '2 of 7 criteria', isBad: true }), note()]);
    const view = runView(chronicleOf(facts), { now: after(facts, 1) });
    expect(view.standing).toEqual({ text: '2 of 7 criteria', isBad: true });
    const draw = (color: boolean) => renderTree(view, { columns: 80, rows: 24, color, frame: 0 })[1];
    expect([draw(false), draw(true)]).toEqual(['  2 of 7 criteria', '\u001b[31m  2 of 7 criteria\u001b[0m']);
    expect(runPage(chronicleOf(facts), { status: 'running', activity: new Map() }).standing).toEqual(view.standing);
  });

  it('says what an agent is doing, and in which attempt', () => {
    const activity = new Map([['W1/test#1/recovery#2', 'reading src/query.js']]);
    const { root } = runView(chronicleOf(midway), { now: after(midway, 5), activity });
    const recovery = find(root, 'W1/test#1/recovery#2');
    expect([recovery?.label, recovery?.status, recovery?.detail]).toEqual([
      'attempt 2 of 3',
      'running',
      'reading src/query.js',
    ]);
    expect(find(root, 'W1/test#1')).toMatchObject({ status: 'running', detail: 'attempt 2 of 3' });
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
    const last = midway.at(-1);
    const then = (type: 'run.suspended' | 'run.ended', data: object) => [
      ...midway,
      { ...last, seq: midway.length + 1, type, key: '', data } as (typeof midway)[number],
    ];
    const rootOf = (facts: typeof midway, isHeld = true) =>
      runView(chronicleOf(facts), { now: after(facts, 1), isHeld }).root;
    const orphan = rootOf(midway, false);
    expect([orphan.status, orphan.detail, find(orphan, 'W1/test#1')?.status]).toEqual([
      'interrupted',
      'interrupted',
      'interrupted',
    ]);
    expect(rootOf(then('run.suspended', { reason: 'paused', detail: 'by a person' }))).toMatchObject({
      status: 'interrupted',
      detail: 'paused: by a person',
    });
    expect(rootOf(then('run.ended', { status: 'cancelled', reason: '' }))).toMatchObject({
      status: 'failed',
      detail: 'cancelled',
    });
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
        expect(waveDocuments(chronicle).map(({ path }) => path)).toContain('search-notes-state.json');
        expect(summaryOf(chronicle).status).toBe('done');
      }),
      { numRuns: 100 },
    );
  });
});
