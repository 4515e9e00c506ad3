/** Those who look at a run: what they throw and how slow they are is nothing to the run. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Bench, WorkflowResult } from '../../src/engine/bench.ts';
import type { Fact } from '../../src/engine/facts.ts';
import { readJournalFile } from '../../src/engine/files/journal-file.ts';
import { base, makeEngine, request, task } from './support.ts';

const reads = async (bench: Bench): Promise<WorkflowResult> => {
  for (const key of ['a', 'b', 'c']) await bench.perform('integration.read', key, {});
  return { status: 'done' };
};

describe('observers of a run', () => {
  it('hear every fact once, in order, before the run is let go, also when they throw on each', async () => {
    const reports: string[] = [];
    const documents: number[] = [];
    const progress: number[] = [];
    const engine = makeEngine({
      work: reads,
      report: (message) => reports.push(message),
      observe: () => [
        {
          name: 'Writing documents',
          take: (facts: readonly Fact[]) => {
            documents.push(...facts.map(({ seq }) => seq));
            throw new Error('no room');
          },
        },
      ],
    });
    const onFact = ({ seq }: Fact): void => {
      progress.push(seq);
      throw new Error(`no screen ${seq}`);
    };
    const end = await (await engine.start(request(), { onFact })).ended;
    const { facts } = readJournalFile(join(engine.runs, 'r1', 'journal.jsonl'));
    const all = facts.map(({ seq }) => seq);
    expect({ status: end.status, documents, progress }).toEqual({ status: 'done', documents: all, progress: all });
    expect(reports.toSorted()).toEqual([
      'The listener for progress failed: no screen 1. The run is not affected.',
      'Writing documents failed: no room. The run is not affected.',
    ]);
  });

  it('are not called while a fact is written, so that a slow one holds nothing up', async () => {
    let isPerforming = false;
    const during: string[] = [];
    const engine = makeEngine({
      work: reads,
      read: {
        perform: (_, context) => {
          isPerforming = true;
          context.progress({ note: 'working' });
          isPerforming = false;
          return Promise.resolve({ commit: base, judge: base });
        },
      },
    });
    const onFact = ({ type }: Fact): void => {
      if (isPerforming) during.push(type);
    };
    await (await engine.start(request(), { onFact })).ended;
    expect(during).toEqual([]);
  });

  it('may not even begin, and the run goes on', async () => {
    const reports: string[] = [];
    const engine = makeEngine({
      work: reads,
      report: (message) => reports.push(message),
      observe: () => {
        throw new Error('no place');
      },
    });
    expect(await (await engine.start(request())).ended).toMatchObject({ status: 'done' });
    expect(reports).toEqual(['Following the run failed: no place. The run is not affected.']);
  });

  it('may be the ones who answer, also where the run would leave when only questions are left', async () => {
    const engine = makeEngine({
      work: async (bench) => {
        const answer = await bench.ask('q', { title: 'Q', options: [{ id: 'yes', label: 'Yes' }] });
        return { status: 'done', output: answer.option };
      },
    });
    const onFact = ({ type, key }: Fact): void => {
      if (type === 'question.asked') void engine.signal('r1', { type: 'answer', key, answer: { option: 'yes' } });
    };
    const handle = await engine.start(request(), { onFact, whenWaiting: 'leave' });
    expect(await handle.ended).toMatchObject({ status: 'done', output: 'yes' });
  });
});

describe('a workflow that says done', () => {
  it('is not believed while a task it scheduled has no outcome', async () => {
    const engine = makeEngine({
      work: async (bench) => {
        await bench
          .schedule([task('T1'), task('T2')], { limit: 2 }, async ({ id }) => {
            if (id === 'T2') throw new Error('lost');
            return { task: id, status: 'done', reason: '' };
          })
          .catch(() => []);
        return { status: 'done' };
      },
    });
    const end = await (await engine.start(request())).ended;
    expect(end).toMatchObject({ status: 'stopped', error: { code: 'workflow-unfinished' } });
    expect(end.reason).toContain('T2 did not end');
  });
});
