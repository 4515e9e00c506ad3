/** What the outputs of some effects mean for the whole run: usage, refs that moved, where the result stands. */
import { addUsage } from '../policy/usage.ts';
import type { EffectOutput } from './effect-map.ts';
import type { RefMove } from './facts.ts';
import type { RunState } from './run-state.ts';

/** The head goes back to the last merge whose commit is there. */
export function forgetMerged(state: RunState, gone: ReadonlySet<string>): void {
  const lost = state.receipts.findIndex(({ after }) => gone.has(after));
  if (lost !== -1) state.receipts.splice(lost);
  state.integration = state.receipts.at(-1)?.after;
  if (state.judge !== undefined && gone.has(state.judge)) {
    state.judge = state.receipts.findLast(({ flags }) => flags.some((flag) => flag.case === 'judge'))?.after;
  }
}

/** Some effects' results are also news for the whole run. */
export function absorbOutput(state: RunState, kind: string, output: unknown): void {
  if (kind === 'agent.run') state.usage = addUsage(state.usage, (output as EffectOutput<'agent.run'>).outcome.usage);
  if (kind === 'branch.publish') state.refs.push(output as RefMove);
  if (kind === 'branch.land') {
    const { move } = output as { move?: RefMove };
    if (move !== undefined) state.refs.push(move);
    const { commit } = state.landing ?? {};
    if (move?.after !== undefined && commit !== undefined) state.landed.set(move.after, commit);
  }
  if (kind === 'documents.land') {
    const landed = output as EffectOutput<'documents.land'>;
    if (landed.status === 'landed') state.integration = landed.commit;
  }
  if (kind !== 'merge.land') return;
  const landed = output as EffectOutput<'merge.land'>;
  if (landed.status !== 'merged') return;
  state.integration = landed.receipt.after;
  if (landed.receipt.flags.some((flag) => flag.case === 'judge')) state.judge = landed.receipt.after;
  state.receipts.push(landed.receipt);
}
