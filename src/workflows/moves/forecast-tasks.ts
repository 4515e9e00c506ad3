/** What a forecast has to know of a plan's tasks. Pure. */
import type { EffectInput } from '../../engine/effect-map.ts';
import type { Task } from '../../plan/plan.ts';

export function forecastTasks(tasks: readonly Task[]): Pick<EffectInput<'forecast.make'>, 'tasks'> {
  return {
    tasks: tasks.map(({ id, complexity, depends, expectedMinutes }) => ({
      id,
      complexity,
      depends,
      ...(expectedMinutes === undefined ? {} : { expectedMinutes }),
    })),
  };
}
