/** Where the work on one record stands between phases. It is computed anew on every replay; nothing here has to survive. */
import type { Section } from '../../policy/sections.ts';
import type { Passed } from '../moves/build-until-passed.ts';
import type { JudgingBasis } from '../moves/verify.ts';

export interface RecordStanding {
  /** Where the record's work began, and the commit that holds it now. */
  base: string;
  commit: string;
  /** Of the last time the engine verified it. */
  passed: Passed | undefined;
  basis: JudgingBasis;
  /** What the engine measured, for those who judge the work. */
  evidence: readonly Section[];
  /** Why the next phase is done again. */
  sentBack: string;
  merged: boolean;
}
