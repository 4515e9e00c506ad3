/** What happened in a `waves` run, in a few words. Pure. */
import { countText } from '../../views/figures.ts';
import type { Bug, TesterResult } from './role-results.ts';

/** `unit 8/8, integration 2/2, 1 skipped`; empty when nothing was counted. */
export function tallyText(
  result: Pick<TesterResult, 'unit' | 'integration'> & { readonly skipped: readonly unknown[] },
): string {
  const { unit, integration, skipped } = result;
  return [
    ...(unit.total === 0 ? [] : [`unit ${unit.passed}/${unit.total}`]),
    ...(integration.total === 0 ? [] : [`integration ${integration.passed}/${integration.total}`]),
    ...(skipped.length === 0 ? [] : [`${skipped.length} skipped`]),
  ].join(', ');
}

export function bugLine(bug: Bug): string {
  const where = bug.files.length === 0 ? '' : ` (${bug.files.join(', ')})`;
  return `${bug.severity}: ${bug.title}${where}`;
}

export function planFigures(plan: { readonly tasks: readonly unknown[]; readonly waves: readonly unknown[] }): string {
  return `${countText(plan.tasks.length, 'task')} in ${countText(plan.waves.length, 'wave')}`;
}
