/** A run of modules told to the end, and what its views make of it. */
import type { Fact } from '../../src/engine/facts.ts';
import { advanceChronicle, chronicleOf, emptyChronicle } from '../../src/views/chronicle.ts';
import { factLine } from '../../src/views/fact-line.ts';
import { renderTree } from '../../src/views/render-tree.ts';
import { runView } from '../../src/views/run-view.ts';
import { summaryOf } from '../../src/views/summary.ts';
import { summaryText } from '../../src/views/summary-text.ts';
import { modulesStory } from './modules-steps.ts';
import { after, factsFrom, type Step } from './steps.ts';

export const story = modulesStory();
export const complete = factsFrom(story.complete);

export function linesOf(facts: readonly Fact[]): string[] {
  const chronicle = emptyChronicle();
  return facts.flatMap((fact) => factLine(fact, advanceChronicle(chronicle, fact))?.split('\n') ?? []);
}

export function draw(steps: readonly Step[], columns: number, rows = 60): string {
  const facts = factsFrom(steps);
  const activity = new Map([['m2/debug#1', 'reading src/m1.js']]);
  const view = runView(chronicleOf(facts), { now: after(facts, 12), activity });
  return renderTree(view, { columns, rows, color: false, frame: 3 }).join('\n');
}

export function summed(steps: readonly Step[], columns: number): string {
  return summaryText(summaryOf(chronicleOf(factsFrom(steps))), { columns, place: '.forge/runs/x' });
}
