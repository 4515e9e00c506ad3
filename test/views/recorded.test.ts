/** Recorded runs of real workflows, drawn and told: what a person saw of them must not drift unseen. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Fact } from '../../src/engine/facts.ts';
import { advanceChronicle, chronicleOf, emptyChronicle } from '../../src/views/chronicle.ts';
import { factLine } from '../../src/views/fact-line.ts';
import { planText } from '../../src/views/plan-text.ts';
import { renderTree } from '../../src/views/render-tree.ts';
import { markdownReport } from '../../src/views/report/markdown-report.ts';
import { reportOf } from '../../src/views/report/report.ts';
import { runView } from '../../src/views/run-view.ts';
import { describeStanding } from '../../src/views/step-lines.ts';
import { summaryOf } from '../../src/views/summary.ts';
import { summaryText } from '../../src/views/summary-text.ts';
import { recordedFacts, recordedRuns } from './recorded-run.ts';
import { after } from './steps.ts';

function draw(facts: readonly Fact[], columns: number): string {
  const view = runView(chronicleOf(facts), { now: after(facts, 1) });
  return renderTree(view, { columns, rows: 200, color: false, frame: 0 }).join('\n');
}

const snapshot = (name: string): string => join(import.meta.dirname, 'recorded', `${name}.txt`);

describe.each(recordedRuns)('a recorded run of %s', (name) => {
  const facts = recordedFacts(name);

  it('is drawn to its end', async () => {
    await expect(`${draw(facts, 100)}\n`).toMatchFileSnapshot(snapshot(`${name}-tree`));
  });

  it('is drawn while it is under way, on a wide and on a narrow terminal', async () => {
    const half = facts.slice(0, Math.floor(facts.length / 2));
    await expect(`${draw(half, 100)}\n\n${draw(half, 40)}\n`).toMatchFileSnapshot(snapshot(`${name}-half`));
  });

  it('is told line by line', async () => {
    const chronicle = emptyChronicle();
    const lines = facts.flatMap((fact) => factLine(fact, advanceChronicle(chronicle, fact)) ?? []);
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(snapshot(`${name}-lines`));
  });

  it('is summed up on a wide and on a narrow terminal', async () => {
    const summary = summaryOf(chronicleOf(facts));
    const texts = [100, 40].map((columns) => summaryText(summary, { columns }));
    await expect(`${texts.join('\n\n')}\n`).toMatchFileSnapshot(snapshot(`${name}-summary`));
  });

  it('is reported', async () => {
    await expect(markdownReport(reportOf(chronicleOf(facts)))).toMatchFileSnapshot(snapshot(`${name}-report`));
  });

  it('shows what was approved', async () => {
    const texts = [100, 40].map((columns) => planText(chronicleOf(facts), { columns }) ?? 'nothing to approve');
    await expect(`${texts.join('\n\n')}\n`).toMatchFileSnapshot(snapshot(`${name}-plan`));
  });

  it('is plain JSON in every view', () => {
    const chronicle = chronicleOf(facts);
    const views = [summaryOf(chronicle), reportOf(chronicle), runView(chronicle, { now: after(facts, 1) })];
    for (const view of views) expect(JSON.parse(JSON.stringify(view))).toEqual(withoutUndefined(view));
  });

  it('stands somewhere at every fact, and in the end is over', () => {
    const chronicle = emptyChronicle();
    for (const fact of facts) {
      advanceChronicle(chronicle, fact);
      expect(describeStanding(chronicle.state)).not.toMatch(/undefined|\n/);
    }
    expect(describeStanding(chronicle.state)).toBe('over');
  });
});

/** JSON has no undefined, and equality does not mind; a Map or a class instance would be lost. */
function withoutUndefined(value: unknown): unknown {
  return structuredClone(value);
}
