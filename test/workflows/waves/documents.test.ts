/** The documents that a recorded run of waves leaves, as people read them. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chronicleOf } from '../../../src/views/chronicle.ts';
import { waveDocuments } from '../../../src/workflows/waves/documents/documents.ts';
import { factsUntil, recordedFacts, recordedRun } from '../../views/recorded-run.ts';

const stateOf = (facts: Parameters<typeof chronicleOf>[0]): Record<string, unknown> => {
  const state = waveDocuments(chronicleOf(facts)).find(({ path }) => path.endsWith('-state.json'));
  return JSON.parse(state?.content ?? '{}') as Record<string, unknown>;
};

describe('the documents of a run of waves', () => {
  it('are these, in the end', async () => {
    const documents = waveDocuments(recordedRun('waves'));
    expect(documents.map(({ path }) => path)).toEqual([
      'add-arithmetic-plan.md',
      'add-arithmetic-waves.json',
      'add-arithmetic-state.json',
      'add-arithmetic-dev-W1.md',
      'add-arithmetic-test-W1.md',
      'add-arithmetic-handoff-W1.md',
      'add-arithmetic-dev-W2.md',
      'add-arithmetic-test-W2.md',
      'add-arithmetic-handoff-W2.md',
      'add-arithmetic-test-integration.md',
      'add-arithmetic-knowledge.md',
      'add-arithmetic-metrics.json',
    ]);
    const text = documents.map(({ path, content }) => `===== ${path}\n\n${content}`).join('\n');
    await expect(text).toMatchFileSnapshot(join(import.meta.dirname, 'recorded-documents.txt'));
  });

  it('say where the run stands, step by step', () => {
    const facts = recordedFacts('waves');
    const places = facts.map((_, at) => {
      const { current_step: step, current_wave: wave, fix_round: round } = stateOf(facts.slice(0, at + 1));
      return `${String(step)} ${String(wave)} ${String(round)}`;
    });
    expect([...new Set(places)]).toEqual([
      'plan 0 0',
      'wave_plan 0 0',
      'dev 1 0',
      'test 1 0',
      'fix 1 1',
      'retest 1 1',
      'dev 2 0',
      'test 2 0',
      'fix 2 1',
      'retest 2 1',
      'integration_test 2 1',
      'learn 2 1',
      'done 2 1',
    ]);
  });

  it('name the bugs of the newest test, and none when it passed', () => {
    const tested = factsUntil('waves', ({ type, key }) => type === 'step.ended' && key === 'W1/test#1');
    expect(stateOf(tested)['current_bugs']).toMatchObject([{ title: 'neg(0) is -0' }]);
    const again = factsUntil('waves', ({ type, key }) => type === 'step.ended' && key === 'W1/test#2');
    expect(stateOf(again)['current_bugs']).toEqual([]);
  });
});
