/** What a later delivery leaves: the impact, the summary of the delivery, and a line of the change log. Pure. */
import type { ModuleImpact } from '../../../design/design-impact.ts';
import { dayMark } from '../../../policy/document-marks.ts';
import type { ImpactOverride } from '../rules/impact-override.ts';
import { bulletList, tableText } from './markdown-text.ts';

export interface Evolution {
  readonly delivery: number;
  readonly baseline: string;
  readonly target: string;
  readonly tag: string;
  readonly branch: string;
  readonly modules: readonly ModuleImpact[];
  readonly overrides: readonly ImpactOverride[];
  readonly conventions: readonly string[];
  readonly removed: readonly string[];
}

export function renderImpact(evolution: Evolution): string {
  const { delivery, baseline, target, modules, overrides, conventions, removed } = evolution;
  return `# Impact of delivery ${delivery}\n\n**Baseline:** ${baseline || '—'}\n\n**Target:** ${target || '—'}\n\n## Modules\n\n${impactTable(modules)}\n\n## Overrides\n\n${bulletList(overrides.map(({ module, from, to, why }) => `${module}: ${from} → ${to}, ${why}`))}\n\n## Conventions\n\n${bulletList(conventions)}\n\n## Removed\n\n${bulletList(removed)}\n`;
}

function impactTable(modules: readonly ModuleImpact[]): string {
  return tableText(
    ['Module', 'Class', 'Reason'],
    modules.map(({ module, impact, reasons }) => [module, impact, reasons.join('; ')]),
  );
}

export function renderVersion(
  evolution: Evolution,
  about: { readonly verdict: string; readonly before: string },
): string {
  const { delivery, baseline, target, tag, branch, modules, overrides, conventions } = evolution;
  const fields = tableText(
    ['Field', 'Value'],
    [
      ['Baseline Design Tag', baseline],
      ['Target Design Tag', target],
      ['Autoforge Tag', tag],
      ['Branch', branch],
      ['Date', dayMark],
      ['Acceptance Verdict', about.verdict],
      ['Verdict Before', about.before],
    ],
  );
  return `# Delivery ${delivery}\n\n${fields}\n\n## Module impact\n\n${impactTable(modules)}\n\n## Overrides\n\n${bulletList(overrides.map(({ module, from, to, why }) => `${module}: ${from} → ${to}, ${why}`))}\n\n## Conventions\n\n${bulletList(conventions)}\n`;
}

export function changelogEntry(evolution: Evolution, verdict: string): string {
  const { delivery, target } = evolution;
  return `## delivery-${delivery} — ${dayMark} — ${target || 'no tag'}\n\n${bulletList([countsOf(evolution), `acceptance: ${verdict}`, `details: versions/${delivery}.md`])}\n\n`;
}

/** `1 / 0 / 0 / 5`: revised, added, removed, kept. */
export function impactCounts({ modules }: Pick<Evolution, 'modules'>): string {
  const count = (test: (impact: string) => boolean): number => modules.filter(({ impact }) => test(impact)).length;
  return [
    count((impact) => impact.startsWith('revised')),
    count((impact) => impact === 'added'),
    count((impact) => impact === 'removed'),
    count((impact) => impact === 'kept'),
  ].join(' / ');
}

function countsOf({ modules }: Evolution): string {
  const named = (test: (impact: string) => boolean): string =>
    modules
      .filter(({ impact }) => test(impact))
      .map(({ module }) => module)
      .join(', ');
  const parts = [
    ['revised', named((impact) => impact.startsWith('revised'))],
    ['added', named((impact) => impact === 'added')],
    ['removed', named((impact) => impact === 'removed')],
    ['kept', named((impact) => impact === 'kept')],
  ];
  return parts
    .filter(([, ids]) => ids !== '')
    .map(([word, ids]) => `${word} ${ids}`)
    .join('; ');
}
