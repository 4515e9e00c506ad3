/**
 * What can be said of several modules' files without running them: that they exist, that they parse, and that what one
 * imports or calls is what another exports and takes. Pure: texts in, results out, in one order. The first rule is that
 * nothing is reported that could be right: whatever is not certain is left out, and so is what the work did not touch.
 */
import type { ContractResult } from '../../policy/contract-result.ts';
import { compareShapes, type ShapePair } from './compare.ts';
import { likelyMeant, resolveJs } from './js-resolve.ts';
import { joinPath, type Paths, pathsOf } from './paths.ts';
import { hasSubmodule, resolvePython } from './python-resolve.ts';
import { type FileReading, isPage, readFiles } from './read-files.ts';
import { type PageReading, readPages } from './read-pages.ts';
import type { Shape } from './shape.ts';

export interface ModuleFile {
  readonly task: string;
  readonly path: string;
  /** Undefined when it is not there or is not text. */
  readonly text: string | undefined;
  readonly exists: boolean;
  /** Found by a pattern: nobody said that just this file would be there. */
  readonly expanded?: boolean;
  /** As it was before the work: a fault in it is not the work's. */
  readonly unchanged?: boolean;
}

export interface ContractMatter {
  readonly files: readonly ModuleFile[];
  /** Every path of the commit, to resolve imports. */
  readonly all: readonly string[];
  /** Only results that have to do with this module. */
  readonly about: string | undefined;
}

export function checkContracts({ files, all, about }: ContractMatter): readonly ContractResult[] {
  const own = new Set(files.filter(({ task }) => about === undefined || task === about).map(({ path }) => path));
  const texts = new Map(files.flatMap(({ path, text }) => (text === undefined ? [] : [[path, text] as const])));
  const old = new Set(files.filter(({ unchanged }) => unchanged === true).map(({ path }) => path));
  // What is declared and still to come resolves, to nothing that is known.
  const paths = pathsOf([...new Set([...all, ...files.map(({ path }) => path)])]);
  // The module's own files first: if not all can be read, those are.
  const listed = [...texts].map(([path, text]) => ({ path, text }));
  const inOrder = [...listed.filter(({ path }) => own.has(path)), ...listed.filter(({ path }) => !own.has(path))];
  const readings = readFiles(inOrder);
  const pages = readPages(
    listed.filter(({ path }) => isPage(path)),
    (path) => texts.get(path),
    paths,
  );
  const shapes = new Map(pages.map(({ path, shape }) => [path, shape]));
  for (const [path, reading] of readings)
    if (reading.status === 'read' && reading.shape !== undefined) shapes.set(path, reading.shape);
  const isOurs = ({ about: involved }: Finding): boolean => involved.some((path) => own.has(path));
  const isNews = ({ about: involved, result }: Finding): boolean =>
    result.passed || !involved.every((path) => old.has(path));
  const findings = [
    ...fileChecks(files),
    ...syntaxChecks(readings, pages),
    ...pairChecks(comparePaths(shapes, paths)),
    ...pages.flatMap(pageChecks),
    ...misspelled(shapes, paths),
  ];
  return arranged(findings.filter((finding) => isOurs(finding) && isNews(finding)).map(({ result }) => result));
}

/** A result, and the files it is about. */
interface Finding {
  readonly about: readonly string[];
  readonly result: ContractResult;
}

function fileChecks(files: readonly ModuleFile[]): Finding[] {
  return files
    .filter(({ expanded }) => expanded !== true)
    .map(({ path, exists }) => {
      const message = exists ? '' : `${path} does not exist`;
      return {
        about: [path],
        result: { type: 'file_check', passed: exists, file: path, line: 0, message, name: `file ${path}` },
      };
    });
}

/** What tests feed to parsers, and what programs fill in, may be broken on purpose. */
const notCode =
  /(?:^|\/)(?:fixtures?|__fixtures__|test-?data|samples?|snapshots?|__snapshots__|templates?|skeletons?|cookiecutter[^/]*)\//i;

function syntaxChecks(readings: ReadonlyMap<string, FileReading>, pages: readonly PageReading[]): Finding[] {
  const found: Finding[] = [];
  const add = (file: string, broken: { readonly line: number; readonly message: string } | undefined): void => {
    if (broken !== undefined && notCode.test(file)) return;
    const { line, message } = broken ?? { line: 0, message: '' };
    const said = message === '' ? '' : `syntax error: ${message}`;
    found.push({
      about: [file],
      result: { type: 'syntax_check', passed: broken === undefined, file, line, message: said, name: `syntax ${file}` },
    });
  };
  for (const [path, reading] of readings)
    if (reading.status !== 'unread') add(path, reading.status === 'broken' ? reading : undefined);
  for (const { path, broken } of pages) if (broken !== undefined) add(path, broken);
  return found;
}

function comparePaths(shapes: ReadonlyMap<string, Shape>, paths: Paths): ShapePair[] {
  const known = new Map<string, Map<string, string | undefined>>();
  return compareShapes({
    shapes,
    resolve: (importer, specifier) => {
      const found = known.get(importer) ?? new Map<string, string | undefined>();
      known.set(importer, found);
      if (!found.has(specifier)) {
        const resolve = importer.endsWith('.py') ? resolvePython : resolveJs;
        found.set(specifier, resolve(paths, importer, specifier));
      }
      return found.get(specifier);
    },
    hasSubmodule: (file, name) => hasSubmodule(paths, file, name),
  });
}

function pairChecks(pairs: readonly ShapePair[]): Finding[] {
  return pairs.flatMap(({ importer, exporter, mismatches }) => {
    const about = [importer, exporter];
    if (mismatches.length === 0) return [{ about, result: fitting(importer, exporter) }];
    return mismatches.map((mismatch) => ({ about, result: failing({ importer, exporter, ...mismatch }) }));
  });
}

function pageChecks({ path, verdict }: PageReading): Finding[] {
  const wrong = verdict.mismatches.map((mismatch) => ({
    about: [mismatch.importer, mismatch.exporter, path],
    result: failing(mismatch),
  }));
  const isWrong = (importer: string, exporter: string): boolean =>
    verdict.mismatches.some((each) => each.importer === importer && each.exporter === exporter);
  const right = verdict.fits
    .filter(({ importer, exporter }) => !isWrong(importer, exporter))
    .map(({ importer, exporter }) => ({ about: [importer, exporter, path], result: fitting(importer, exporter) }));
  return [...wrong, ...right];
}

/** Imports of files that are there under a slightly different name. */
function misspelled(shapes: ReadonlyMap<string, Shape>, paths: Paths): Finding[] {
  return [...shapes].flatMap(([importer, { kind, wants }]) => {
    if (kind === 'python') return [];
    return wants.flatMap(({ specifier, line }) => {
      const exporter = likelyMeant(paths, importer, specifier);
      if (exporter === undefined) return [];
      const message = `there is no ${joinPath(importer, specifier) ?? specifier}; did you mean ${exporter}?`;
      return [{ about: [importer, exporter], result: failing({ importer, exporter, what: specifier, line, message }) }];
    });
  });
}

function fitting(importer: string, exporter: string): ContractResult {
  const name = `contract ${importer} -> ${exporter}`;
  return { type: 'contract_check', passed: true, file: importer, line: 0, exporter, message: '', name };
}

function failing(mismatch: {
  readonly importer: string;
  readonly exporter: string;
  readonly what: string;
  readonly line: number;
  readonly message: string;
}): ContractResult {
  const { importer, exporter, what, line, message } = mismatch;
  const name = `contract ${importer} -> ${exporter}: ${what.slice(0, 200)}`;
  return {
    type: 'contract_check',
    passed: false,
    file: importer,
    line,
    exporter,
    message: message.slice(0, 500),
    name,
  };
}

const order = ['file_check', 'syntax_check', 'contract_check'] as const;

/** One result per name, whatever order the files came in; the same failure at several lines is told at the first. */
function arranged(results: readonly ContractResult[]): ContractResult[] {
  const sorted = results.toSorted(
    (a, b) =>
      order.indexOf(a.type) - order.indexOf(b.type) ||
      compareText(a.file, b.file) ||
      compareText(a.exporter ?? '', b.exporter ?? '') ||
      compareText(a.name, b.name) ||
      a.line - b.line,
  );
  const names = new Set<string>();
  return sorted.filter(({ name }) => !names.has(name) && names.add(name));
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
