/** Where a `modules` run stands or stopped, in words: `2/5 modules done, m3 and m4 at work`. */
import { isOver } from '../engine/run-state.ts';
import type { Chronicle } from './chronicle.ts';
import { fixesOf, recordOf, reviewRounds } from './modules-keys.ts';
import { modulesProgress } from './modules-wording.ts';
import { modulesProposal } from './modules-proposal.ts';

export function modulesPosition(chronicle: Chronicle): string {
  const { state } = chronicle;
  if (isOver(state)) return 'over';
  const proposal = modulesProposal(chronicle);
  if (proposal === undefined) return 'planning';
  if (!proposal.isApproved) return 'plan ready, not approved yet';
  if (state.effects.has('learn')) return 'learning';
  const round = reviewRounds(chronicle);
  if (round > 0) {
    const isMending = fixesOf(chronicle, round).length > 0;
    return isMending ? `mending what the final review found (round ${round})` : `final review (round ${round})`;
  }
  const { done, total, failed } = modulesProgress(chronicle);
  const busy = proposal.tasks.filter(({ id }) => {
    const record = recordOf(chronicle, id);
    return record !== undefined && record.outcome === undefined;
  });
  const lost = failed === 0 ? '' : `, ${failed} failed`;
  const working = busy.length === 0 ? '' : `, ${busy.map(({ id }) => id).join(' and ')} at work`;
  return `${done}/${total} modules done${lost}${working}`;
}
