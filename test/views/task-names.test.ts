/** What a person means by a task's name, in recorded runs. */
import { describe, expect, it } from 'vitest';
import { taskAttempts } from '../../src/views/task-attempts.ts';
import { belongsTo, holderOf, knownNames, taskKey, unknownTask } from '../../src/views/task-names.ts';
import { filterEvents, logEvents } from '../../src/views/log-entries.ts';
import { recordedFacts, recordedRun } from './recorded-run.ts';

const waves = recordedRun('waves').state;
const modules = recordedRun('modules').state;

describe('the name of a task', () => {
  it('means the task that it is done in, where several are done together', () => {
    expect([holderOf(waves, 'T3'), holderOf(waves, 'W1'), holderOf(modules, 'm1')]).toEqual([
      'W2',
      undefined,
      undefined,
    ]);
    expect([taskKey(waves, 'T3'), taskKey(modules, 'F1-1')]).toEqual(['W2', 'final/fix#1/F1-1']);
  });

  it('has the effects of all its rounds, and no other task has them', () => {
    const keysOf = (name: string): string[] => [...waves.effects.keys()].filter(belongsTo(waves, name));
    expect(keysOf('T1')).toEqual(keysOf('W1'));
    expect(keysOf('T1')).toContain('W1/test#1/recovery#2');
    expect(keysOf('T3').filter((key) => keysOf('T1').includes(key))).toEqual([]);
  });

  it('is suggested when it was mistyped', () => {
    expect(knownNames(waves)).toEqual(['W1', 'T1', 'T2', 'W2', 'T3', 'T4']);
    expect(unknownTask(waves, 'W3', 'proof')).toMatchObject({
      code: 'bad-input',
      hint: expect.stringMatching(/W1|W2/),
    });
  });

  it('leads to its attempts, as the workflow measured them', () => {
    expect(taskAttempts(recordedRun('modules'), 'm2')).toMatchObject({
      attempts: [
        { status: 'failed', score: 5 / 6, issues: ['command node --test'], stagnant: false },
        { status: 'passed', score: 1, issues: [] },
      ],
      scores: [5 / 6, 1],
      lastStatus: 'done',
    });
    expect(taskAttempts(recordedRun('modules'), 'F1-1')).toMatchObject({ scores: [1], lastStatus: 'done' });
    expect(taskAttempts(recordedRun('modules'), 'nobody').attempts).toEqual([]);
  });

  it('selects the entries of a log', () => {
    const events = logEvents(recordedFacts('modules'));
    const keys = filterEvents(events, { moduleId: 'F1-1', limit: 100 }).map(({ data }) => data['key']);
    expect(keys).toContain('final/fix#1/F1-1/develop#1');
    expect(keys.every((key) => String(key).startsWith('final/fix#1/F1-1'))).toBe(true);
    const failed = filterEvents(events, { moduleId: 'm2', phase: 'validation', severity: 'error', limit: 100 });
    expect(failed.map(({ data }) => data['key'])).toEqual(['m2/validate#1/check']);
  });
});
