/** `records.write`: what a run says about records, by the store's own rules. Doing it twice is the same as once. */
import type { EffectOutput } from '../engine/effect-map.ts';
import type { Performer } from '../engine/performer.ts';
import { projectRecords } from '../store/project-records.ts';
import type { EffectDeps } from './deps.ts';

export function recordsWrite({ storeRoot, ownPhases }: EffectDeps): Performer<'records.write'> {
  return {
    async perform(request) {
      const { records, refused } = await projectRecords(storeRoot, { ...request, ownPhases });
      return {
        records: records.map((one) => ({
          ...one,
          fields: [...one.fields],
        })) as EffectOutput<'records.write'>['records'],
        refused: [...refused],
      };
    },
  };
}
