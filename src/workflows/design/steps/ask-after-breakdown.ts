/** An agent or its tools broke down twice. That says nothing about the work, so a person decides whether to go on. */
import type { Bench } from '../../../engine/bench.ts';
import type { DesignContext } from '../context.ts';
import { recordDelivery } from '../keep-delivery.ts';

import { recordDecided } from './record-module.ts';

export type AfterBreakdown = 'retry' | 'skip' | 'abort';

const outcomes: Readonly<Record<AfterBreakdown, string>> = {
  retry: 'It is tried again.',
  skip: 'It is left out.',
  abort: 'The run stops after what is at work.',
};

export async function afterBreakdown(
  bench: Bench,
  about: { readonly context: DesignContext; readonly key: string; readonly id: string; readonly reason: string },
): Promise<AfterBreakdown> {
  const { context, key, id, reason } = about;
  await recordDelivery(bench, context, key, {
    event: () => ({
      title: `${id}: infrastructure failure`,
      context: id,
      event: 'An agent broke down twice.',
      details: [reason, 'STALLED_AT: infrastructure'],
      outcome: 'A person decides whether to try again, leave it out, or stop.',
      modules: id.startsWith('M-') ? { [id]: { dev: 'Decision', notes: 'infrastructure' } } : {},
    }),
  });
  const answer = await bench.ask(`${key}/choice`, {
    title: `The agent for ${id} does not work. Try again?`,
    detail: reason,
    options: [
      { id: 'retry', label: 'Try again' },
      { id: 'skip', label: 'Leave it out' },
      { id: 'abort', label: 'Stop the run', recommended: true },
    ],
    topic: 'decision',
  });
  const choice = answer.option === 'retry' || answer.option === 'skip' ? answer.option : 'abort';
  await recordDecided(bench, context, {
    key,
    id,
    choice,
    outcome: outcomes[choice],
    ...(id.startsWith('M-') && choice === 'retry' ? { row: { dev: '', notes: '' } } : {}),
  });
  return choice;
}
