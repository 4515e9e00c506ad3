/** What was weakened in test files, without the rest of the comparison. */
import { compareTests, type TestFileChange, type WeakenedFinding } from '../../src/evidence/weakened.ts';

export function weakenedEvidence(changes: readonly TestFileChange[]): readonly WeakenedFinding[] {
  return compareTests(changes).findings;
}
