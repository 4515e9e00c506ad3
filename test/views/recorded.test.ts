/** Recorded runs of real workflows, drawn and told: what a person saw of them must not drift unseen. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Fact } from '../../src/engine/facts.ts';
import { readJournal } from '../../src/engine/files/read-journal.ts';
import { advanceChronicle, chronicleOf, emptyChronicle } from '../../src/views/chronicle.ts';
import { factLine } from '../../src/views/fact-line.ts';
import { renderTree } from '../../src/views/render-tree.ts';
import { runView } from '../../src/views/run-view.ts';
import { describeStanding } from '../../src/views/step-lines.ts';
import { after } from './steps.ts';

const journals = ['everything', 'waves', 'modules'] as const;

function factsOf(name: (typeof journals)[number]): readonly Fact[] {
  const file = resolve(import.meta.dirname, `../golden/${name}-format-1.jsonl`);
  return readJournal(readFileSync(file), { file }).facts;
}

function draw(facts: readonly Fact[], columns: number): string {
  const view = runView(chronicleOf(facts), { now: after(facts, 1) });
  return renderTree(view, { columns, rows: 200, color: false, frame: 0 }).join('\n');
}

const snapshot = (name: string): string => join(import.meta.dirname, 'recorded', `${name}.txt`);

describe.each(journals)('a recorded run of %s', (name) => {
  const facts = factsOf(name);

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

  it('stands somewhere at every fact, and in the end is over', () => {
    const chronicle = emptyChronicle();
    for (const fact of facts) {
      advanceChronicle(chronicle, fact);
      expect(describeStanding(chronicle.state)).not.toMatch(/undefined|\n/);
    }
    expect(describeStanding(chronicle.state)).toBe('over');
  });
});
