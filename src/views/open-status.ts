/** What to call work that has no outcome, by what became of its run. Pure. */
import { isOver, type RunState } from '../engine/run-state.ts';

export type OpenStatus = 'waiting' | 'running' | 'interrupted' | 'cancelled';

/** Only a run that is under way has anything running, and one that is over has nothing waiting. */
export function openStatus(state: RunState, isBegun: boolean): OpenStatus {
  if (isOver(state)) return 'cancelled';
  if (!isBegun) return 'waiting';
  return state.status === 'running' || state.status === 'created' ? 'running' : 'interrupted';
}
