/**
 * A design directory, understood: README, modules, interfaces, the PRD it names, the coding standards. Always gives what
 * could be read together with every problem found; whoever starts work looks at the problems first. Reads only through the
 * tree it is given. Pure.
 */
import { findSection, labelValue, plainName } from '../markdown/section-lookup.ts';
import { checkConsistency } from './check-consistency.ts';
import { checkUniqueFiles } from './check-unique-files.ts';
import { mergeStandards } from './coding-standards.ts';
import type { Design, DesignModule } from './design.ts';
import { leadingId } from './design-ids.ts';
import { type DesignProblem, DesignProblems, quoteText } from './design-problems.ts';
import { type DocumentReader, type OpenDocument, openDocuments } from './document-reader.ts';
import { type IndexedModule, readMapping, readModuleIndex, readPromotions, readProtocols } from './read-index.ts';
import { keptSections, readApi, readModule, valueIn } from './read-module.ts';
import { readPrd } from './read-prd.ts';
import { resolveLink, type SourceTree } from './source-tree.ts';

export interface DesignReading {
  /** Undefined where there is no README to start from. */
  readonly design: Design | undefined;
  readonly problems: readonly DesignProblem[];
}

/** `dir` is relative to the repository. */
export function readDesign(tree: SourceTree, dir: string): DesignReading {
  const problems = new DesignProblems();
  const reader = openDocuments(tree, problems);
  const readme = reader.required(
    `${dir}/README.md`,
    'Write the design there, or name the directory that holds its README.md.',
  );
  if (readme === undefined) return { design: undefined, problems: problems.sorted() };
  const { file, document } = readme;
  const title = document.title;
  if (title === undefined)
    problems.error({ file, line: 1 }, 'The design has no title.', 'Start the file with "# System Design: name".');
  const status =
    valueIn(findSection(document, 'Design Input') ?? document.lead, 'status') ||
    labelValue(document.lead, 'status')?.text ||
    '';
  const moduleFiles = reader.listDocuments(`${dir}/modules`);
  const apiFiles = reader.listDocuments(`${dir}/api`);
  checkUniqueFiles(moduleFiles, 'M', problems);
  checkUniqueFiles(apiFiles, 'API', problems);
  const prdDir = sourceOf(readme, reader);
  const indexed = readModuleIndex(readme, problems);
  const design: Design = {
    file,
    line: title?.line ?? 1,
    dir,
    name: (title?.text ?? '').replace(/^System Design:\s*/i, ''),
    objective: document.lead.text.replaceAll(/^>\s?/gm, '').trim(),
    status,
    modules: indexed.flatMap((entry) => moduleOf(entry, { dir, moduleFiles, reader })),
    mapping: readMapping(readme, problems),
    protocols: readProtocols(readme, indexed, problems),
    promotions: readPromotions(readme),
    apis: apiFiles.flatMap((path) => {
      const opened = reader.optional(path);
      const api = opened === undefined ? undefined : readApi(opened, reader);
      return api === undefined ? [] : [api];
    }),
    techStack: findSection(document, 'Tech Stack', 'Technology Stack')?.text ?? '',
    testStrategy: findSection(document, 'Test Strategy')?.text ?? '',
    prd: prdDir === undefined ? undefined : readPrd(reader, prdDir),
    standards: mergeStandards({
      project: ['CLAUDE.md', 'AGENTS.md'].flatMap((name) => reader.optional(name) ?? []),
      design: readme,
      prd: prdDir === undefined ? [] : architectureFiles(prdDir, reader),
    }),
    extra: keptSections(readme, knownSections),
  };
  checkStatus(design, problems);
  checkConsistency(design, moduleFiles, problems);
  return { design, problems: problems.sorted() };
}

function moduleOf(
  entry: IndexedModule,
  {
    dir,
    moduleFiles,
    reader,
  }: { readonly dir: string; readonly moduleFiles: readonly string[]; readonly reader: DocumentReader },
): DesignModule[] {
  const linked = entry.specLink === undefined ? undefined : reader.follow(entry.indexed, entry.specLink);
  const path = linked ?? moduleFiles.find((file) => leadingId(file.slice(file.lastIndexOf('/') + 1), 'M') === entry.id);
  if (path === undefined) {
    reader.problems.error(
      entry.indexed,
      `${entry.id} has no file in ${dir}/modules.`,
      `Write ${dir}/modules/${entry.id}-name.md.`,
    );
    return [bareModule(entry)];
  }
  const opened = reader.required(path, `Write the module there: "# ${entry.id}: name".`);
  return [opened === undefined ? bareModule(entry) : readModule(opened, entry, reader)];
}

/** Kept in the graph, so that one missing file is reported once and not again by everything that depends on it. */
function bareModule(entry: IndexedModule): DesignModule {
  const nothing = { features: [], interfaces: '', dataModels: '', acceptance: [], edgeCases: [], apis: [], extra: [] };
  return { ...entry, ...entry.indexed, ...nothing, ui: undefined, text: '' };
}

/** The PRD's directory, from `Design Input > Source`; undefined where the design does not come from a PRD. */
function sourceOf(readme: OpenDocument, reader: DocumentReader): string | undefined {
  const { file, document } = readme;
  const section = findSection(document, 'Design Input');
  const fix = 'Add "## Design Input" with "- **Source:** [PRD](../../prd/<name>/README.md)".';
  if (section === undefined) {
    reader.problems.error({ file, line: document.title?.line ?? 1 }, 'The section "Design Input" is missing.', fix);
    return undefined;
  }
  const place = { file, line: section.line };
  const value = valueIn(section, 'source');
  const link = [
    ...(labelValue(section, 'source')?.links ?? []),
    ...section.items.filter(({ text }) => /^source\b/i.test(text)).flatMap(({ links }) => links),
    ...section.tables
      .flatMap(({ rows }) => rows)
      .filter((row) => /^source\b/i.test(row.cells[0]?.text ?? ''))
      .flatMap((row) => row.cells[1]?.links ?? []),
  ][0];
  if (link === undefined) {
    if (/\b(?:draft|interactive)/i.test(value))
      reader.problems.warn(place, 'The design names no PRD, so there are no acceptance criteria to prove.', fix);
    else
      reader.problems.error(
        place,
        value === '' ? 'The design does not name its source.' : `The source ${quoteText(value)} is not a link.`,
        fix,
      );
    return undefined;
  }
  if (resolveLink(file, link).status === 'other')
    reader.problems.error(place, `The source ${quoteText(link)} is not in this repository.`, fix);
  const path = reader.follow(place, link);
  return path?.replace(/\/?README\.md$/i, '') || undefined;
}

function architectureFiles(dir: string, reader: DocumentReader): OpenDocument[] {
  const single = reader.optional(`${dir}/architecture.md`);
  if (single !== undefined) return [single];
  return reader.listDocuments(`${dir}/architecture`).flatMap((file) => reader.optional(file) ?? []);
}

function checkStatus({ status, file, line }: Design, problems: DesignProblems): void {
  if (/\b(?:finalized|implementing|implemented)\b/i.test(status)) return;
  const problem =
    status === '' ? 'The design does not say whether it is finished.' : `The design's status is ${quoteText(status)}.`;
  problems.warn(
    { file, line },
    problem,
    'Set "**Status:** Finalized" under "Design Input" when the design is complete.',
  );
}

const knownSections: ReadonlySet<string> = new Set(
  [
    'Design Input',
    'Architecture Overview',
    'Dependency Layering',
    'Key Technical Decisions',
    'Implementation Conventions',
    'Module Index',
    'NFR Allocation',
    'Test Strategy',
    'Feature-Module Mapping',
    'Feature-Module Map',
    'Feature Module Map',
    'Module Interaction Protocols',
    'Interaction Protocols',
    'View / Screen Index',
    'Production Promotion Plan',
    'Prototype-to-Production Mapping',
    'Design System Conventions',
    'API Index',
    'Analytics Coverage',
    'References',
    'Tech Stack',
    'Technology Stack',
  ].map(plainName),
);
