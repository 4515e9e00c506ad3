import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { testerResult } from '../../../src/workflows/waves/role-results.ts';

const bug = { title: 'too small', category: 'unit' };
const skipped = [{ test: 'in a browser', reason: 'there is none' }];

describe("a tester's result", () => {
  it('is no pass when it names bugs', () => {
    expect(testerResult.parse({ result: 'pass', bugs: [bug] })).toMatchObject({ result: 'fail', bugs: [bug] });
  });

  it('never takes a skipped test for a bug', () => {
    const environmental = { title: ' in a browser', category: 'integration' };
    expect(testerResult.parse({ result: 'fail', bugs: [environmental, bug], skipped })).toMatchObject({
      result: 'fail',
      bugs: [bug],
      skipped,
    });
    expect(testerResult.safeParse({ result: 'fail', bugs: [environmental], skipped }).success).toBe(false);
    expect(testerResult.parse({ result: 'pass', bugs: [environmental], skipped })).toMatchObject({
      result: 'pass',
      bugs: [],
    });
  });

  it('is asked for as a plain schema', () => {
    expect(z.toJSONSchema(testerResult, { io: 'input' })).toMatchObject({ type: 'object', required: ['result'] });
  });
});
