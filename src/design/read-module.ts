/**
 * One `modules/M-*.md`: interfaces, data models, source features, criteria, edge cases, UI architecture. The three names that
 * templates use for interfaces are one. Sections without a meaning here are kept. Pure.
 */
import type { MarkdownContent, MarkdownDocument } from '../markdown/markdown-document.ts';
import { cellText, findSection, isBlankCell, labelValue, plainName } from '../markdown/section-lookup.ts';
import type { ApiContract, DesignModule, KeptSection, UiArchitecture } from './design.ts';
import { idsIn, leadingId, nameAfterId } from './design-ids.ts';
import { quoteText } from './design-problems.ts';
import type { DocumentReader, OpenDocument } from './document-reader.ts';
import type { IndexedModule } from './read-index.ts';

const interfaceNames = ['Public Interfaces', 'Interfaces', 'Interface Definition', 'Interface Definitions'];
const dataNames = ['Data Models', 'Data Model'];

export function readModule(opened: OpenDocument, entry: IndexedModule, reader: DocumentReader): DesignModule {
  const { file, document, text } = opened;
  const title = document.title;
  const place = { file, line: title?.line ?? 1 };
  const titled = title === undefined ? undefined : leadingId(title.text, 'M');
  if (titled !== entry.id)
    reader.problems.error(
      place,
      titled === undefined
        ? 'The title does not name the module.'
        : `The title names ${titled}, the module index says ${entry.id}.`,
      `Start the file with "# ${entry.id}: ${entry.name || 'name'}".`,
    );
  const interfaces = findSection(document, ...interfaceNames);
  if (interfaces === undefined)
    reader.problems.warn(
      place,
      'The module has no public interfaces.',
      'Add "## Interfaces" with what other modules may use, or one sentence that says it has none.',
    );
  const features = sourceFeatures(document);
  if (features.length === 0)
    reader.problems.warn(
      place,
      'The module names no source feature.',
      'Add "## Source Features" with links to the features it serves.',
    );
  return {
    ...entry,
    ...place,
    name: entry.name || nameAfterId(title?.text ?? ''),
    features,
    interfaces: interfaces?.text ?? '',
    dataModels: findSection(document, ...dataNames)?.text ?? '',
    acceptance: itemTexts(findSection(document, 'Acceptance Criteria')),
    edgeCases: itemTexts(findSection(document, 'Edge Cases')),
    apis: idsIn(text, 'API'),
    ui: uiArchitecture(opened, reader),
    text,
    extra: keptSections(opened, knownSections),
  };
}

function sourceFeatures(document: MarkdownDocument): string[] {
  const named = labelValue(document.lead, 'source features', 'source feature');
  const section = findSection(document, 'Source Features');
  return idsIn(`${named?.text ?? ''} ${section?.text ?? ''}`, 'F');
}

function uiArchitecture({ file, document }: OpenDocument, reader: DocumentReader): UiArchitecture | undefined {
  const section = findSection(document, 'UI Architecture');
  if (section === undefined) return undefined;
  const action = valueIn(section, 'promotion action', 'action');
  const draft = valueIn(section, 'draft path', 'draft source');
  const word = /\b(promote|extend|rewrite)\b/i.exec(action)?.[1]?.toLowerCase() as UiArchitecture['action'];
  const place = { file, line: section.line };
  if (!isBlankCell(action) && word === undefined)
    reader.problems.error(
      place,
      `The promotion action ${quoteText(action)} is not known.`,
      'Write Promote, Extend or Rewrite.',
    );
  const path = draft.replace(/^`|`$/g, '').trim();
  if (word === undefined || word === 'rewrite' || isBlankCell(path)) {
    if ((word === 'promote' || word === 'extend') && isBlankCell(path))
      reader.problems.error(
        place,
        `The action is ${word}, but no draft path is given.`,
        'Add "**Draft path:** src/…", relative to the repository.',
      );
    return { action: word, draftPath: undefined };
  }
  // Relative to the repository, whatever document it stands in.
  const inside = reader.follow(place, `/${path.replace(/^\.?\//, '')}`);
  return { action: word, draftPath: inside };
}

/** A value by its label, in bold, in a list (`Label: value`) or in a table of fields. */
export function valueIn(content: MarkdownContent, ...names: readonly string[]): string {
  const bold = labelValue(content, ...names)?.text;
  if (bold !== undefined) return bold;
  const listed = content.items.find(({ text }) => names.includes(text.split(':', 1)[0]?.trim().toLowerCase() ?? ''));
  if (listed !== undefined) return listed.text.slice(listed.text.indexOf(':') + 1).trim();
  const row = content.tables
    .flatMap(({ rows }) => rows)
    .find((each) => names.includes(cellText(each, 0).toLowerCase()));
  return row === undefined ? '' : cellText(row, 1);
}

export function itemTexts(content: MarkdownContent | undefined): string[] {
  return (content?.items ?? []).filter(({ depth, text }) => depth === 0 && text !== '').map(({ text }) => text);
}

/** Sections of level two whose names are not among the known ones. */
export function keptSections({ file, document }: OpenDocument, known: ReadonlySet<string>): KeptSection[] {
  return document.sections
    .filter(({ level, title }) => level === 2 && !known.has(plainName(title)))
    .map(({ title, text, line }) => ({ title, text, file, line }));
}

const knownSections: ReadonlySet<string> = new Set(
  [
    ...interfaceNames,
    ...dataNames,
    'Change Scope',
    'Responsibility',
    'Architecture Position',
    'Source Features',
    'API Surface',
    'Boundary Enforcement',
    'Module Deps',
    'Dependencies',
    'Test Strategy',
    'Testing',
    'NFR Decomposition',
    'Non-Functional Requirements',
    'Observability',
    'Error Handling',
    'Internal Design',
    'UI Architecture',
    'Backend i18n Implementation',
    'Relevant Conventions',
    'Implementation Constraints',
    'Acceptance Criteria',
    'Edge Cases',
  ].map(plainName),
);

export function readApi({ file, document, text }: OpenDocument, reader: DocumentReader): ApiContract | undefined {
  const place = { file, line: document.title?.line ?? 1 };
  const id = leadingId(document.title?.text ?? '', 'API');
  const named = leadingId(file.slice(file.lastIndexOf('/') + 1), 'API');
  if (id === undefined || (named !== undefined && named !== id)) {
    reader.problems.error(
      place,
      'The title does not name the interface.',
      `Start the file with "# ${named ?? 'API-001'}: name".`,
    );
    return undefined;
  }
  return { id, name: nameAfterId(document.title?.text ?? ''), text, ...place };
}
