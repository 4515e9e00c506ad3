/**
 * `memory.save`: new lessons merged into memory, and what the run showed about known ones. Merging what is there already
 * changes nothing; killed between writing and its fact, it counts a lesson as applied once more, which does no harm.
 */
import type { EffectRequest } from '../engine/effect-map.ts';
import type { EffectContext, Performer } from '../engine/performer.ts';
import { lessonId } from '../memory/lesson.ts';
import { patternText, successCategory } from '../policy/run-pattern.ts';
import { chronicleOf } from '../views/chronicle.ts';
import { busyMs } from '../views/timeline.ts';
import type { EffectDeps } from './deps.ts';

export function memorySave({ memory }: EffectDeps): Performer<'memory.save'> {
  return {
    async perform(request, context) {
      const { applied, helped, contradicted } = request;
      const pattern = await successPattern(request, context);
      const { added, merged, files } = await memory.save({
        lessons: [...request.lessons, ...pattern],
        // A run exactly like an earlier one is not a second line: it is counted with the first.
        applied: [...applied, ...pattern.map(({ category, text }) => lessonId(category, text))],
        helped,
        contradicted,
        date: context.clock.now().toISOString().slice(0, 10),
      });
      return { added, merged, files: [...files] };
    },
  };
}

/** One line about a run that went well, by which people and forecasts can judge the next one of its kind. */
async function successPattern({ shape }: EffectRequest<'memory.save'>, context: EffectContext) {
  if (shape === undefined) return [];
  const { timeline } = chronicleOf(await context.facts());
  const minutes = Math.max(1, Math.round(busyMs(timeline, context.clock.now().toISOString()) / 60_000));
  return [
    { category: successCategory, keywords: ['forecast', shape.workflow], text: patternText({ ...shape, minutes }) },
  ];
}
