import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareIds, nearestWord } from '../../src/plan/task-id.ts';

const id = fc.string({ unit: fc.constantFrom('a', 'T', '0', '1', '9', '-'), maxLength: 6 });

describe('compareIds', () => {
  it('counts as people do', () => {
    const ids = ['T10', 'T2', 'T1.10', 'T1', 'T1.9', 'a', 'T02'];
    expect(ids.sort(compareIds)).toEqual(['T1', 'T1.9', 'T1.10', 'T02', 'T2', 'T10', 'a']);
  });

  it('is a total order', () => {
    fc.assert(
      fc.property(id, id, id, (a, b, c) => {
        expect(Math.sign(compareIds(a, b))).toBe(0 - Math.sign(compareIds(b, a)) || 0);
        expect(compareIds(a, b) === 0).toBe(a === b);
        if (compareIds(a, b) <= 0 && compareIds(b, c) <= 0) expect(compareIds(a, c)).toBeLessThanOrEqual(0);
      }),
    );
  });
});

describe('nearestWord', () => {
  it.each([
    ['dependz', ['depends', 'writes'], 'depends'],
    ['t-01', ['T1', 'T2'], 'T1'],
    ['login_api', ['login-api', 'logout-api'], 'login-api'],
    // Every short id is near every other: no guess is better than a wrong one.
    ['T9', ['T1', 'T2'], undefined],
    ['something', ['else'], undefined],
    ['rnu', ['list', 'run', 'undo'], 'run'],
    ['unr', ['run'], undefined],
  ])('%s of %j: %s', (word, known, wanted) => {
    expect(nearestWord(word, known)).toBe(wanted);
  });
});
