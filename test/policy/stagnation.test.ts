/** When another attempt is not worth it: the same issues, flat scores, issues that come back. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Attempt, judgeAttempt, scoreOf } from '../../src/policy/stagnation.ts';

const at = (score: number, ...issues: string[]): Attempt => ({ score, issues });

describe('judgeAttempt', () => {
  it('finds issues that come back after they were gone', () => {
    const earlier = [at(0.5, 'a'), at(0.6, 'b')];
    expect(judgeAttempt(earlier, at(0.7, 'a'))).toEqual({
      passed: false,
      score: 0.7,
      attempt: 3,
      stagnant: true,
      oscillating: true,
      velocity: expect.closeTo(0.1) as number,
      recommendation: 'ESCALATE',
    });
  });

  it('does not look back further than four attempts', () => {
    const earlier = [at(0.1, 'a'), at(0.2, 'b'), at(0.3, 'c'), at(0.4, 'd'), at(0.5, 'e')];
    expect(judgeAttempt(earlier, at(0.6, 'a')).oscillating).toBe(false);
  });

  it('never calls a pass stagnant, and nothing else a pass', () => {
    const attempt = fc.record({
      score: fc.constantFrom(0, 0.25, 0.5, 0.75, 1),
      issues: fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }),
    });
    fc.assert(
      fc.property(fc.array(attempt, { maxLength: 6 }), attempt, (earlier, now) => {
        const verdict = judgeAttempt(earlier, now);
        const good = now.score === 1 && now.issues.length === 0;
        expect(verdict.passed).toBe(good);
        expect(verdict.recommendation === 'PASS').toBe(good);
        expect(verdict.recommendation === 'ESCALATE').toBe(verdict.stagnant);
      }),
    );
  });

  it('gives nothing for nothing', () => {
    expect(scoreOf([])).toBe(0);
    expect(scoreOf([{ passed: true }, { passed: false }])).toBe(0.5);
  });
});
