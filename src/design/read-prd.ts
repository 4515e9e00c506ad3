/**
 * The PRD behind a design: feature index, feature files with their acceptance criteria, journeys with touchpoints and
 * scenarios. Criteria carry no ids in the text; the number of a criterion is its place among the bullets. Pure.
 */
import {
  cellText,
  columnAt,
  findSection,
  findTable,
  hasPlaceholder,
  isBlankCell,
  plainName,
  realRows,
} from '../markdown/section-lookup.ts';
import { checkUniqueFiles } from './check-unique-files.ts';
import type { Feature, Journey, ProductRequirements } from './design.ts';
import { criterionId, idsIn, leadingId, nameAfterId } from './design-ids.ts';
import { quoteText } from './design-problems.ts';
import type { DocumentReader, OpenDocument } from './document-reader.ts';
import { itemTexts, keptSections } from './read-module.ts';

const indexHeader = '| ID | Feature | Type | Impact | Effort | Priority | Deps | Spec |';

export function readPrd(reader: DocumentReader, dir: string): ProductRequirements | undefined {
  const readme = reader.required(
    `${dir}/README.md`,
    'Write the PRD there, or name another one in the design: Design Input > Source.',
  );
  if (readme === undefined) return undefined;
  const { file, document } = readme;
  return {
    file,
    line: document.title?.line ?? 1,
    dir,
    name: (document.title?.text ?? '').replace(/^PRD:\s*/i, ''),
    features: readFeatures(readme, dir, reader),
    journeys: readJourneys(readme, dir, reader),
    extra: keptSections(readme, knownSections),
  };
}

const knownSections: ReadonlySet<string> = new Set(
  [
    'Problem & Goals',
    'Evidence Base',
    'Competitive Landscape',
    'Target Users',
    'User Journeys',
    'Cross-Journey Patterns',
    'Feature Index',
    'Constraints',
    'Risks',
    'Roadmap',
    'Glossary',
    'References',
  ].map(plainName),
);

function readFeatures(readme: OpenDocument, dir: string, reader: DocumentReader): readonly Feature[] {
  const { file, document } = readme;
  const section = findSection(document, 'Feature Index');
  const table = findTable(section, 'ID', 'Feature');
  if (table === undefined) {
    const line = section?.line ?? document.title?.line ?? 1;
    reader.problems.error(
      { file, line },
      'The PRD has no feature index.',
      `Add "## Feature Index" with the table ${indexHeader}.`,
    );
    return [];
  }
  const files = reader.listDocuments(`${dir}/features`);
  const spec = columnAt(table, 'Spec');
  const priorities = columnAt(table, 'Priority');
  if (priorities === -1)
    reader.problems.warn(
      { file, line: table.line },
      'The feature index has no column "Priority", so no feature counts as one that must not fail.',
      `Add the column with P0, P1 or P2: ${indexHeader}.`,
    );
  const seen = new Set<string>();
  const found = realRows(table).flatMap((row) => {
    const at = { file, line: row.line };
    const cell = cellText(row, columnAt(table, 'ID'));
    const id = leadingId(cell, 'F');
    if (id === undefined || seen.has(id)) {
      const problem = id === undefined ? `${quoteText(cell)} is not a feature id.` : `${id} is in the index twice.`;
      reader.problems.error(at, problem, 'Write F- and at least three digits, such as F-001, each once.');
      return [];
    }
    seen.add(id);
    const linked = row.cells[spec]?.links.map((url) => reader.follow(at, url)).find((path) => path !== undefined);
    const path = linked ?? files.find((name) => isNamed(name, id));
    if (path === undefined) {
      reader.problems.error(at, `${id} has no file in ${dir}/features.`, `Write ${dir}/features/${id}-name.md.`);
    }
    const fix = `Write the feature there: "# ${id}: name", then "## Acceptance Criteria".`;
    const opened = path === undefined ? undefined : reader.required(path, fix);
    const priority = cellText(row, priorities);
    if (priorities !== -1 && !/^P\d\b/i.test(priority))
      reader.problems.warn(
        at,
        `${id} has the priority ${quoteText(priority)}, which Forge does not know.`,
        'Write P0, P1 or P2.',
      );
    // Without its file it stays in the index, so that nothing that names it is reported as well.
    const feature = opened === undefined ? { ...at, ...bareFeature(id) } : readFeature(opened, id, reader);
    return [{ ...feature, priority, depends: idsIn(cellText(row, columnAt(table, 'Deps')), 'F') }];
  });
  checkUniqueFiles(files, 'F', reader.problems);
  for (const each of files) {
    const id = leadingId(each.slice(each.lastIndexOf('/') + 1), 'F');
    if (id !== undefined && !seen.has(id))
      reader.problems.error(
        { file: each, line: 1 },
        `${id} is not in the feature index.`,
        `Add a row for it to ${file}, or remove the file.`,
      );
  }
  for (const { depends, id, ...place } of found) {
    for (const other of depends.filter((each) => !seen.has(each)))
      reader.problems.error(
        place,
        `${id} depends on ${other}, which is not in the feature index.`,
        `Add ${other} or remove the dependency.`,
      );
  }
  return found;
}

function bareFeature(id: string): Omit<Feature, 'file' | 'line'> {
  return { id, name: '', priority: '', depends: [], criteria: [], edgeCases: [], text: '' };
}

function readFeature({ file, document, text }: OpenDocument, id: string, reader: DocumentReader): Feature {
  const place = { file, line: document.title?.line ?? 1 };
  if (leadingId(document.title?.text ?? '', 'F') !== id)
    reader.problems.error(place, `The title does not name ${id}.`, `Start the file with "# ${id}: name".`);
  const section = findSection(document, 'Acceptance Criteria');
  const written = (section?.items ?? []).filter(({ depth, text: bullet }) => depth === 0 && bullet !== '');
  const bullets = written.filter(({ text: bullet }) => !hasPlaceholder(bullet));
  for (const { line, text: bullet } of written.filter((each) => hasPlaceholder(each.text)))
    reader.problems.warn(
      { file, line },
      `${quoteText(bullet)} still has a placeholder, so it is not a criterion.`,
      'Write what it stands for, or remove the bullet.',
    );
  if (bullets.length === 0)
    reader.problems.error(
      { file, line: section?.line ?? place.line },
      `${id} has no acceptance criteria.`,
      'Add "## Acceptance Criteria" with one bullet per criterion: Given … When … Then ….',
    );
  return {
    ...place,
    id,
    name: nameAfterId(document.title?.text ?? ''),
    priority: '',
    depends: [],
    criteria: bullets.map((bullet, at) => ({
      id: criterionId(id, at + 1),
      text: bullet.text,
      file,
      line: bullet.line,
    })),
    edgeCases: itemTexts(findSection(document, 'Edge Cases')),
    text,
  };
}

function readJourneys({ file, document }: OpenDocument, dir: string, reader: DocumentReader): readonly Journey[] {
  const files = reader.listDocuments(`${dir}/journeys`);
  checkUniqueFiles(files, 'J', reader.problems);
  const table = findTable(findSection(document, 'User Journeys'), 'ID');
  for (const row of realRows(table)) {
    const id = leadingId(cellText(row, columnAt(table ?? { header: [] }, 'ID')), 'J');
    if (id !== undefined && !files.some((path) => isNamed(path, id)))
      reader.problems.error(
        { file, line: row.line },
        `${id} has no file in ${dir}/journeys.`,
        `Write ${dir}/journeys/${id}-name.md, or remove the row.`,
      );
  }
  const seen = new Set<string>();
  return files.flatMap((path) => {
    const opened = reader.optional(path);
    const journey = opened === undefined ? undefined : readJourney(opened, reader);
    if (journey === undefined || seen.has(journey.id)) return [];
    seen.add(journey.id);
    return [journey];
  });
}

function readJourney({ file, document }: OpenDocument, reader: DocumentReader): Journey | undefined {
  const place = { file, line: document.title?.line ?? 1 };
  const named = leadingId(file.slice(file.lastIndexOf('/') + 1), 'J');
  const id = leadingId(document.title?.text ?? '', 'J');
  if (id === undefined || (named !== undefined && named !== id)) {
    reader.problems.error(
      place,
      'The title does not name the journey.',
      `Start the file with "# ${named ?? 'J-001'}: name".`,
    );
    return undefined;
  }
  const touchpoints = findSection(document, 'Touchpoints')?.tables[0];
  const rows = realRows(touchpoints);
  if (rows.length === 0)
    reader.problems.error(
      place,
      `${id} has no touchpoints.`,
      'Add "## Touchpoints" with one row per step of the journey.',
    );
  const mapped = touchpoints === undefined ? -1 : columnAt(touchpoints, 'Mapped Feature', 'Mapped Features');
  const scenarios = findSection(document, 'E2E Test Scenarios');
  const table = findTable(scenarios, 'Scenario', 'Path');
  const paths = realRows(table).map((row) => ({
    file,
    line: row.line,
    name: cellText(row, columnAt(table ?? { header: [] }, 'Scenario')),
    path: cellText(row, columnAt(table ?? { header: [] }, 'Path')),
  }));
  if (scenarios !== undefined && !paths.some(({ path }) => !isBlankCell(path) && !/^happy\b/i.test(path)))
    reader.problems.warn(
      { file, line: scenarios.line },
      `${id} has no scenario off the happy path.`,
      'Add a scenario with the path "Error & Recovery" or "Alternative".',
    );
  return {
    ...place,
    id,
    name: nameAfterId(document.title?.text ?? ''),
    touchpoints: rows.map((row) => ({
      file,
      line: row.line,
      text: row.cells.map(({ text }) => text).join(' | '),
      features: idsIn(cellText(row, mapped), 'F'),
    })),
    scenarios: paths,
  };
}

function isNamed(path: string, id: string): boolean {
  return leadingId(path.slice(path.lastIndexOf('/') + 1), id.startsWith('J') ? 'J' : 'F') === id;
}
