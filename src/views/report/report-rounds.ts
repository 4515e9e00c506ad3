/** What was sent back and done again: every round that did not pass, with what it says. */
import type { Figures } from '../../engine/facts.ts';
import type { Chronicle } from '../chronicle.ts';
import { ownerPlace, placeTitle } from '../outline.ts';

export interface ReportRound {
  readonly key: string;
  /** The title of the work it is part of. */
  readonly owner: string;
  readonly title: string;
  readonly detail: string;
  readonly figures: Figures;
  readonly lines: readonly string[];
}

export function reportRounds({ state }: Chronicle): ReportRound[] {
  return [...state.steps].flatMap(([key, { kind, title, end, within }]): ReportRound[] => {
    if (kind !== 'round' || end?.status !== 'failed') return [];
    const owner = ownerPlace(state, within);
    const { detail, figures, lines } = end;
    return [{ key, owner: owner === undefined ? '' : placeTitle(state, owner), title, detail, figures, lines }];
  });
}
