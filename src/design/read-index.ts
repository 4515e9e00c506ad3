/**
 * The tables of a design's README: module index, feature-module mapping, interaction protocols, promotion plan. Both
 * generations of the templates are understood. What is missing or malformed becomes a problem; the rest is read. Pure.
 */
import type { MarkdownRow, MarkdownTable } from '../markdown/markdown-document.ts';
import { cellText, columnAt, findSection, findTable, isBlankCell, realRows } from '../markdown/section-lookup.ts';
import type { DesignPlace, FeatureUse, Promotion, Protocol } from './design.ts';
import { idsIn, leadingId, nameAfterId } from './design-ids.ts';
import { type DesignProblems, quoteText } from './design-problems.ts';
import type { OpenDocument } from './document-reader.ts';
import { resolveLink } from './source-tree.ts';

export interface IndexedModule {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly responsibility: string;
  readonly complexity: string;
  readonly depends: readonly string[];
  readonly viaInterface: readonly string[];
  readonly impl: string;
  readonly specLink: string | undefined;
  readonly indexed: DesignPlace;
}

const indexHeader = '| ID | Module | Type | Responsibility | Complexity | Deps | Impl | Spec |';

export function readModuleIndex(readme: OpenDocument, problems: DesignProblems): readonly IndexedModule[] {
  const { file, document } = readme;
  const section = findSection(document, 'Module Index');
  const place = { file, line: section?.line ?? document.title?.line ?? 1 };
  const table = section?.tables[0];
  if (section === undefined)
    problems.error(
      place,
      'The section "Module Index" is missing.',
      `Add "## Module Index" with the table ${indexHeader}.`,
    );
  else if (table === undefined)
    problems.error(place, 'The module index has no table.', `Write the table ${indexHeader}.`);
  if (table === undefined) return [];
  const missing = ['ID', 'Module', 'Deps'].filter((column) => columnOf(table, column) === -1);
  for (const column of missing)
    problems.error(
      { file, line: table.line },
      `The module index has no column "${column}".`,
      `Add the column: ${indexHeader}.`,
    );
  if (missing.length > 0) return [];
  const rows = realRows(table);
  if (rows.length === 0)
    problems.error(
      { file, line: table.line },
      'The module index names no module.',
      'Add one row per module, such as | M-001 | Task store | … | — | — | … |.',
    );
  const seen = new Map<string, number>();
  return rows.flatMap((row) => {
    const found = indexedModule(row, table, file);
    const at = { file, line: row.line };
    if (found === undefined) {
      problems.error(
        at,
        `${quoteText(cellText(row, columnOf(table, 'ID')))} is not a module id.`,
        'Write M- and at least three digits, such as M-001.',
      );
      return [];
    }
    const before = seen.get(found.id);
    if (before !== undefined) {
      problems.error(
        at,
        `${found.id} is in the index twice; the first time in line ${before}.`,
        'Remove one row or give the module a new id.',
      );
      return [];
    }
    seen.set(found.id, row.line);
    checkDepsCell(cellText(row, columnOf(table, 'Deps')), at, problems);
    return [found];
  });
}

const otherNames: Readonly<Record<string, readonly string[]>> = {
  Deps: ['Dependencies', 'Depends On'],
  Module: ['Name'],
  Impl: ['Impl Status', 'Implementation'],
};

function columnOf(table: MarkdownTable, column: string): number {
  return columnAt(table, column, ...(otherNames[column] ?? []));
}

function indexedModule(row: MarkdownRow, table: MarkdownTable, file: string): IndexedModule | undefined {
  const cell = (column: string): string => cellText(row, columnOf(table, column));
  const id = leadingId(cell('ID'), 'M');
  if (id === undefined) return undefined;
  const spec = columnOf(table, 'Spec');
  const links = [row.cells[spec], row.cells[columnOf(table, 'ID')], row.cells[columnOf(table, 'Module')]];
  return {
    id,
    name: nameAfterId(cell('Module')),
    type: cell('Type'),
    responsibility: cell('Responsibility'),
    complexity: cell('Complexity'),
    ...dependenciesIn(cell('Deps')),
    impl: cell('Impl'),
    specLink:
      links.flatMap((each) => each?.links ?? []).find((url) => url.includes('.md')) ??
      row.cells[spec]?.links.find((url) => resolveLink(file, url).status !== 'other'),
    indexed: { file, line: row.line },
  };
}

/** `—`, `M-001, M-003`, or `M-007 (+ M-022 via consumer-side interface)`. */
export function dependenciesIn(cell: string): Pick<IndexedModule, 'depends' | 'viaInterface'> {
  const aside = [...cell.matchAll(/\(([^()]*)\)/g)]
    .map(([, text = '']) => text)
    .filter((text) => /\bvia\b/i.test(text));
  const viaInterface = idsIn(aside.join(' '), 'M');
  const plain = aside.reduce((text, part) => text.replace(`(${part})`, ' '), cell);
  const depends = idsIn(plain, 'M');
  return { depends, viaInterface: viaInterface.filter((id) => !depends.includes(id)) };
}

function checkDepsCell(cell: string, at: DesignPlace, problems: DesignProblems): void {
  if (isBlankCell(cell) || idsIn(cell, 'M').length > 0) return;
  problems.error(
    at,
    `The dependencies ${quoteText(cell)} name no module.`,
    'Write module ids such as "M-001, M-003", or "—" for none.',
  );
}

export function readMapping(readme: OpenDocument, problems: DesignProblems): readonly FeatureUse[] {
  const { file, document } = readme;
  const section = findSection(document, 'Feature-Module Mapping', 'Feature Module Map', 'Feature-Module Map');
  if (section === undefined) {
    problems.error(
      { file, line: document.title?.line ?? 1 },
      'The section "Feature-Module Mapping" is missing.',
      'Add it: one row per feature, one column per module, ✦ where the feature changes the module, △ where it reads it.',
    );
    return [];
  }
  const table = section.tables.find(({ header }) => header.some(({ text }) => leadingId(text, 'M') !== undefined));
  if (table === undefined) {
    problems.error(
      { file, line: section.line },
      'The feature-module mapping has no column that names a module.',
      'Write the header | Feature | M-001 name | M-002 name | ….',
    );
    return [];
  }
  const columns = table.header.map(({ text }) => leadingId(text, 'M'));
  return realRows(table).flatMap((row) => {
    const feature = leadingId(cellText(row, 0), 'F');
    const at = { file, line: row.line };
    if (feature === undefined) {
      problems.error(
        at,
        `${quoteText(cellText(row, 0))} is not a feature id.`,
        'Start the row with the id, such as "F-001 Sign in".',
      );
      return [];
    }
    return columns.flatMap((module, column): FeatureUse[] => {
      const mark = cellText(row, column);
      if (module === undefined || column === 0 || isBlankCell(mark)) return [];
      const use = mark.includes('✦') ? 'changes' : mark.includes('△') ? 'reads' : undefined;
      if (use === undefined)
        problems.error(
          at,
          `The mark ${quoteText(mark)} means nothing here.`,
          'Use ✦ for changes, △ for reads, or leave the cell empty.',
        );
      return use === undefined ? [] : [{ feature, module, use, ...at }];
    });
  });
}

export function readProtocols(
  readme: OpenDocument,
  modules: readonly IndexedModule[],
  problems: DesignProblems,
): readonly Protocol[] {
  const { file, document } = readme;
  const section = findSection(document, 'Module Interaction Protocols', 'Interaction Protocols');
  const table = section?.tables[0];
  if (table === undefined && modules.some(({ depends }) => depends.length > 0))
    problems.warn(
      { file, line: section?.line ?? document.title?.line ?? 1 },
      'No protocol says how the modules talk to each other.',
      'Add "## Module Interaction Protocols" with one row per pair, such as | M-003 Storage → M-001 Links |.',
    );
  return realRows(table).flatMap((row) => {
    const at = { file, line: row.line };
    const [interaction = '', ...others] = row.cells.map(({ text }) => text);
    const ends = [interaction, ...others].map((text) => idsIn(text, 'M')).find((ids) => ids.length >= 2);
    const [from, to] = ends ?? [];
    if (from === undefined || to === undefined) {
      problems.error(
        at,
        `The interaction ${quoteText(interaction)} does not name two modules.`,
        'Write "M-001 Store → M-002 Api" in one cell.',
      );
      return [];
    }
    return [{ name: interaction, from, to, text: row.cells.map(({ text }) => text).join(' | '), ...at }];
  });
}

export function readPromotions(readme: OpenDocument): readonly Promotion[] {
  const section = findSection(readme.document, 'Production Promotion Plan', 'Prototype-to-Production Mapping');
  const table = findTable(section, 'Module', 'Action') ?? findTable(section, 'Target Module', 'Action');
  if (table === undefined) return [];
  const module = columnAt(table, 'Module', 'Target Module');
  const action = columnAt(table, 'Action');
  return realRows(table).flatMap((row) => {
    const id = leadingId(cellText(row, module), 'M');
    const text = row.cells.map((cell) => cell.text).join(' | ');
    return id === undefined
      ? []
      : [{ module: id, action: cellText(row, action), text, file: readme.file, line: row.line }];
  });
}
