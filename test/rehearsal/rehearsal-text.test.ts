import { describe, expect, it } from 'vitest';
import { type RehearsalFindings, rehearsalText } from '../../src/rehearsal/rehearsal-text.ts';

const found: RehearsalFindings = {
  run: 'rehearsal-x',
  same: true,
  tree: 'aaaa',
  expectedTree: 'aaaa',
  status: 'done',
  expectedStatus: 'done',
  reason: '',
  differences: [],
  redacted: [],
  unrecorded: [],
  removed: false,
};

describe('what came of a rehearsal', () => {
  it('is the same', () => {
    expect(rehearsalText(found)).toBe('\nThe same tree: aaaa\nLook at it: forge show rehearsal-x');
    expect(rehearsalText({ ...found, removed: true })).toContain('rehearsal-x is removed again');
    expect(rehearsalText({ ...found, tree: 'bbbb', redacted: ['.env'] })).toBe(
      '\nThe same tree, but for what was not recorded.\nNot compared, secrets were left out: .env\nLook at it: forge show rehearsal-x',
    );
  });

  it('is something else, shown without what a path could do to a terminal', () => {
    const differences = [
      { path: 'a\u001b[2J', what: 'missing' },
      { path: 'b', what: 'unexpected' },
      { path: 'c', what: 'differs' },
    ];
    const unrecorded = [{ key: 'T1/x', message: 'no unused entry' }];
    const text = rehearsalText({
      ...found,
      same: false,
      tree: 'bbbb',
      status: 'failed',
      reason: 'it broke',
      differences,
      unrecorded,
    });
    expect(text).not.toContain('\u001b');
    expect(text.split('\n')).toEqual([
      '',
      'Another tree: bbbb, not aaaa',
      expect.stringMatching(/^ {2}not done: a/),
      '  done besides: b',
      '  differs: c',
      'The run is failed, not done: it broke',
      'Asked for, but not recorded:',
      '  T1/x: no unused entry',
      'Look at it: forge show rehearsal-x',
    ]);
    const many = Array.from({ length: 50 }, (_, place) => ({ path: `p${place}`, what: 'missing' }));
    expect(rehearsalText({ ...found, differences: many, tree: 'b' })).toContain('  and 10 more');
  });
});
