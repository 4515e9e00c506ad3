/** The index of a run says what its facts say, whatever happened to either; and looking costs what is new. */
import { readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FilesReader } from '../../src/engine/files/files-reader.ts';
import { Journal } from '../../src/engine/files/journal.ts';
import { readJournalFile } from '../../src/engine/files/journal-file.ts';
import { readIndex } from '../../src/engine/files/run-index.ts';
import { advanceSummary, emptySummary } from '../../src/engine/run-summary.ts';
import { countingClock } from '../support/clock.ts';
import { tempDir } from '../support/temp.ts';
import { fakeHost, identity } from './support.ts';

const usage = { inputTokens: 1, outputTokens: 2, costUsd: 0.5, turns: 1 };
const changes: Readonly<Record<string, (journal: Journal, at: number) => unknown>> = {
  start: (journal, at) => journal.append('effect.started', `e${at}`, { kind: 'agent.run', attempt: 1, input: {} }),
  finish: (journal, at) =>
    journal.append('effect.finished', `e${at - 1}`, { attempt: 1, output: { outcome: { usage } } }),
  ask: (journal, at) => journal.append('question.asked', `q${at}`, { title: 'What?' }),
  answer: (journal, at) => journal.append('question.answered', `q${at - 1}`, { text: 'this' }),
  fail: (journal, at) => journal.append('task.ended', `T${at}`, { task: `T${at}`, status: 'failed' }),
  reopen: (journal, at) =>
    journal.append('task.reopened', `T${at - 1}`, {
      task: `T${at - 1}`,
      generation: 2,
      tasks: [`T${at - 1}`],
      forgotten: [`e${at - 1}`, `q${at - 2}`],
    }),
  move: (journal) => journal.append('ref.moved', 'ref', { ref: 'refs/heads/main', after: 'a' }),
  end: (journal) => journal.append('run.ended', '', { status: 'done' }),
  suspend: (journal) => journal.append('run.suspended', '', { reason: 'paused' }),
};

const open = (file: string, isNew: boolean): Journal =>
  isNew ? Journal.create({ file, clock: countingClock() }) : Journal.open({ file, clock: countingClock() }).journal;

describe('the index of a run', () => {
  it('equals the fold of all facts after any appends, looks, lost ends, and damage to itself', () => {
    const step = fc.oneof(
      fc.constantFrom(...Object.keys(changes)),
      fc.constantFrom('look', 'look', 'tear', 'lose-index', 'garble-index'),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const directory = tempDir();
        const file = join(directory, 'journal.jsonl');
        open(file, true).close();
        for (const [at, name] of steps.entries()) {
          const change = changes[name];
          if (change !== undefined) {
            const journal = open(file, false);
            change(journal, at);
            journal.close();
          }
          // A writer that died inside a line; the next one cuts it off.
          if (name === 'tear' && statSync(file).size > 0) writeFileSync(file, '{"v":2,"seq":', { flag: 'a' });
          if (name === 'lose-index') rmSync(join(directory, 'index.json'), { force: true });
          if (name === 'garble-index') writeFileSync(join(directory, 'index.json'), '{"format":1,"place":{}}');
          if (name === 'look') expect(readIndex(directory).summary).toEqual(folded(file));
        }
        expect(readIndex(directory).summary).toEqual(folded(file));
        expect(readIndex(directory).summary).toEqual(folded(file));
      }),
      { numRuns: 40 },
    );
  });

  it('is made anew when the journal was replaced or cut', () => {
    const directory = tempDir();
    const file = join(directory, 'journal.jsonl');
    const journal = open(file, true);
    changes['ask']?.(journal, 1);
    const whole = statSync(file).size;
    changes['ask']?.(journal, 2);
    journal.close();
    expect(readIndex(directory).summary.openQuestions).toEqual(['q1', 'q2']);
    truncateSync(file, whole);
    expect(readIndex(directory).summary.openQuestions).toEqual(['q1']);
    writeFileSync(file, readFileSync(file, 'utf8').replace('What?', 'WHAT?'));
    expect(() => readIndex(directory)).toThrow('its hash does not follow');
  });
});

describe('looking at 500 runs', () => {
  it('reads every journal once, and then none', async () => {
    const runs = tempDir();
    const facts = 20;
    const { mkdirSync, copyFileSync } = await import('node:fs');
    const first = join(runs, 'run-0');
    mkdirSync(first);
    const journal = open(join(first, 'journal.jsonl'), true);
    for (let at = 0; at < facts; at += 1) changes['start']?.(journal, at);
    changes['end']?.(journal, 0);
    journal.close();
    for (let at = 1; at < 500; at += 1) {
      mkdirSync(join(runs, `run-${at}`));
      copyFileSync(join(first, 'journal.jsonl'), join(runs, `run-${at}`, 'journal.jsonl'));
    }
    const reader = new FilesReader({ runs, host: fakeHost(identity(1)) });
    const bytes = statSync(join(first, 'journal.jsonl')).size;
    expect(await bytesRead(() => reader.list())).toBeGreaterThan(500 * bytes);
    const listed = await reader.list();
    expect(listed).toHaveLength(500);
    expect(listed.every(({ status, seq }) => status === 'done' && seq === facts + 1)).toBe(true);
    // An index is a fraction of its journal, and the others are not opened for one that grew.
    const again = await bytesRead(() => reader.list());
    const grown = open(join(runs, 'run-7', 'journal.jsonl'), false);
    changes['move']?.(grown, 0);
    grown.close();
    const afterGrowth = await bytesRead(() => reader.list());
    expect(again).toBeLessThan(500 * 900);
    expect(afterGrowth - again).toBeLessThan(2 * bytes);
    expect(await bytesRead(() => reader.summarize('run-7'))).toBeLessThan(2000);
  });
});

function folded(file: string) {
  return advanceSummary(emptySummary(), readJournalFile(file).facts);
}

/** As the system counts what this process reads; Linux only, elsewhere the test says nothing. */
async function bytesRead(work: () => Promise<unknown>): Promise<number> {
  const counted = (): number => {
    const text = readFileSync('/proc/self/io', 'utf8');
    return Number(/rchar: (\d+)/.exec(text)?.[1] ?? 0);
  };
  const before = counted();
  await work();
  return counted() - before;
}
