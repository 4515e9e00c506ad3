/** `integration.read`: where the run's result stands, folded from its facts. */
import type { Performer } from '../engine/performer.ts';

export function integrationRead(): Performer<'integration.read'> {
  return {
    perform: async (_request, { state, run }) => ({
      commit: state.integration ?? run.base,
      judge: state.judge ?? run.base,
    }),
  };
}
