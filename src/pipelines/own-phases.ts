/** The keys under which phases of the project's own pipelines leave their summaries in a record. Pure. */
import type { PipelineSettings } from '../policy/pipeline-settings.ts';
import { summaryPhases } from '../records/schemas.ts';
import { summaryKey } from './read-verdict.ts';

export function ownSummaryKeys(settings: PipelineSettings): readonly string[] {
  const known: readonly string[] = summaryPhases;
  const keys = Object.values(settings).flatMap(({ phases }) => phases.map(({ role }) => summaryKey(role)));
  return [...new Set(keys)].filter((key) => !known.includes(key) && !unkept.includes(key));
}

/** Phases that leave no summary: what they did is in the commit itself. */
const unkept: readonly string[] = ['writeback', 'commit'];

export function leavesSummary(role: string): boolean {
  return !unkept.includes(summaryKey(role));
}
