/** A display that draws only what is new shows the same as one that draws everything. */
import { describe, expect, it } from 'vitest';
import { advanceChronicle, emptyChronicle } from '../../src/views/chronicle.ts';
import { DrawnNodes } from '../../src/views/drawn-nodes.ts';
import { type FlatNode, flattenTree } from '../../src/views/flat-tree.ts';
import { runView } from '../../src/views/run-view.ts';
import type { ViewNode } from '../../src/views/view-node.ts';
import { recordedFacts, recordedRuns } from './recorded-run.ts';

describe.each(recordedRuns)('a recorded run of %s', (name) => {
  it('drawn fact by fact is what it is drawn as a whole', () => {
    const chronicle = emptyChronicle();
    const drawn = new DrawnNodes();
    for (const fact of recordedFacts(name)) {
      advanceChronicle(chronicle, fact);
      drawn.forget(chronicle.state, fact);
      const now = new Date(fact.at);
      const { root } = runView(chronicle, { now, drawn });
      expect(root, `fact ${fact.seq}, ${fact.type}`).toEqual(runView(chronicle, { now }).root);
    }
  });

  it('gives the same objects for what did not change', () => {
    const chronicle = emptyChronicle();
    const drawn = new DrawnNodes();
    const known = new WeakMap<ViewNode, FlatNode>();
    for (const fact of recordedFacts(name)) {
      advanceChronicle(chronicle, fact);
      drawn.forget(chronicle.state, fact);
    }
    const draw = (): readonly FlatNode[] =>
      flattenTree(runView(chronicle, { now: new Date(chronicle.timeline.seen), drawn }).root, known);
    const [, ...first] = draw();
    const [, ...second] = draw();
    const settled = first.filter(({ type, status }) => type !== 'effect' && status === 'done');
    expect(settled.length).toBeGreaterThan(0);
    expect(settled.filter((node) => !second.includes(node))).toEqual([]);
  });
});
