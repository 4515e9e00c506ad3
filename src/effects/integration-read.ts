/** `integration.read`: where the run's result stood when it was asked for. */
import type { Performer } from '../engine/performer.ts';

export function integrationRead(): Performer<'integration.read'> {
  return {
    perform: async (_request, { snapshot, run }) => ({
      commit: snapshot.integration ?? run.base,
      judge: snapshot.judge ?? run.base,
    }),
  };
}
