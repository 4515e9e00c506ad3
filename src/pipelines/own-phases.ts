/** The keys under which phases of the project's own pipelines leave their summaries in a record. Pure. */
import type { PipelineSettings } from '../policy/pipeline-settings.ts';
import { summaryPhases } from '../records/schemas.ts';
import { summaryKey } from './read-verdict.ts';

export function ownSummaryKeys(settings: PipelineSettings): readonly string[] {
  const known: readonly string[] = summaryPhases;
  const keys = Object.values(settings).flatMap(({ phases }) => phases.map(({ role }) => summaryKey(role)));
  return [...new Set([...builtinKeys, ...keys])].filter((key) => !known.includes(key));
}

/** Phases that come with Forge and are not among the store's own. */
const builtinKeys = ['writeback', 'commit'];
