/** Whether two lists of writes overlap, asked as the schedule asks it. */
import { HeldPatterns } from '../../src/plan/overlap.ts';
import { compilePatterns } from '../../src/plan/path-pattern.ts';

export function writesOverlap(a: readonly string[], b: readonly string[]): boolean {
  const held = new HeldPatterns<'a'>();
  held.hold('a', compilePatterns(a));
  return held.meeting(compilePatterns(b)) !== undefined;
}
