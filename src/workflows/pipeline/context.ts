/** What all records of one run share: what it was started with, and what was read before the first phase began. */
import type { EffectOutput } from '../../engine/effect-map.ts';
import type { checkPipeline } from '../../pipelines/check-pipeline.ts';
import type { RecordKind } from '../../pipelines/record-states.ts';
import type { HookRun } from '../../policy/hook-run.ts';
import type { PipelinePhase } from '../../policy/pipeline-settings.ts';
import type { StoredRecord } from '../../records/entity.ts';
import type { Checks } from '../moves/verify.ts';
import type { OwnRole } from '../../pipelines/personas.ts';
import type { PipelineInput } from './pipeline-input.ts';

export interface RunContext {
  readonly input: PipelineInput;
  readonly checks: Checks;
  readonly engineering: string;
  /** Where a file is in the repository that records or gates name: their project may be a directory of it. */
  readonly inRepository: (path: string) => string;
  readonly architecture: string;
  readonly ownRoles: Readonly<Record<string, OwnRole>>;
  readonly sprints: readonly StoredRecord[];
  readonly tasks: readonly StoredRecord[];
  readonly features: readonly StoredRecord[];
  /** The pipeline of each record, by its id. */
  readonly pipelines: ReadonlyMap<string, RecordPipeline>;
  readonly run: string;
  /** Git hooks that commits have to pass. */
  readonly hooks: readonly HookRun['hook'][];
}

export interface RecordPipeline {
  readonly kind: RecordKind;
  readonly name: string;
  readonly phases: readonly PipelinePhase[];
  readonly checked: ReturnType<typeof checkPipeline>;
  readonly note?: string | undefined;
}

export type ReadRecords = EffectOutput<'records.read'>;

export function placeIn({ place }: Pick<ReadRecords, 'place'>): RunContext['inRepository'] {
  return (path) => (place === undefined ? path : `${place}/${path}`);
}

export function recordsOf(
  { found }: ReadRecords,
  entity: ReadRecords['found'][number]['entity'],
): readonly StoredRecord[] {
  return found.flatMap((one) => (one.entity === entity ? [one.record] : []));
}
