/** What a later delivery leaves: the impact, the summary of the delivery, and a line of the change log. Pure. */
import type { ModuleImpact } from '../../../design/design-impact.ts';
import { leadingId } from '../../../design/design-ids.ts';
import { readMarkdown } from '../../../markdown/markdown-document.ts';
import { cellText, findSection, isBlankCell, labelValue, realRows } from '../../../markdown/section-lookup.ts';
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

/** Read back for `--execute`, which goes on with a delivery that was planned before. Untrusted: undefined where it is not an impact. */
export function readImpact(text: string, known: Pick<Evolution, 'delivery' | 'tag' | 'branch'>): Evolution | undefined {
  const reading = readMarkdown(text);
  if (reading.status === 'refused') return undefined;
  const { document } = reading;
  const items = (name: string): string[] =>
    (findSection(document, name)?.items ?? []).map(({ text: item }) => item.trim()).filter((item) => item !== '(none)');
  const table = findSection(document, 'Modules')?.tables[0];
  const modules = realRows(table).map((row) => ({
    module: leadingId(cellText(row, 0), 'M') ?? '',
    impact: cellText(row, 1) as ModuleImpact['impact'],
    reasons: [cellText(row, 2)],
  }));
  if (modules.length === 0 || !modules.every(({ module, impact }) => module !== '' && isImpactClass(impact)))
    return undefined;
  const label = (name: string): string => {
    const value = labelValue(document.lead, name)?.text.trim() ?? '';
    return isBlankCell(value) ? '' : value;
  };
  return {
    ...known,
    baseline: label('baseline'),
    target: label('target'),
    modules,
    overrides: items('Overrides').flatMap((item): ImpactOverride[] => {
      const [, module = '', from = '', to = '', why = ''] = /^(M-\d+): (\S+) → (\S+), (.*)$/s.exec(item) ?? [];
      return module === '' ? [] : [{ module, from, to, why } as ImpactOverride];
    }),
    conventions: items('Conventions'),
    removed: modules.filter(({ impact }) => impact === 'removed').map(({ module }) => module),
  };
}

const impactClasses: ReadonlySet<string> = new Set([
  'removed',
  'added',
  'revised-direct',
  'revised-downstream',
  'kept',
]);

function isImpactClass(text: string): boolean {
  return impactClasses.has(text);
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
