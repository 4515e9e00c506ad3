/** `task.recall`: how the last try at a task ended, from the run's own facts. */
import type { Performer } from '../engine/performer.ts';

export function taskRecall(): Performer<'task.recall'> {
  return {
    async perform({ task }, context) {
      if (context.tryNumber === 1) return { earlier: null };
      const ended = (await context.facts()).findLast((fact) => fact.type === 'task.ended' && fact.key === task);
      if (ended?.type !== 'task.ended') return { earlier: null };
      const { status, reason, commit, data } = ended.data;
      return {
        earlier: {
          status,
          reason,
          ...(commit === undefined ? {} : { commit }),
          ...(data === undefined ? {} : { data }),
        },
      };
    },
  };
}
