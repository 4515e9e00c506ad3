/**
 * Whether what a plan promised is really there: each file exists, has substance, and something uses it; each link leads
 * from one file to the other. What cannot be decided by syntax is said to be approximate, never passed in silence. Pure.
 */
import type { Inspection, PromisedArtifact, PromisedLink, Promises } from '../../policy/promises.ts';
import { definedNames, importedModules, languageOf, usedNames } from './languages.ts';
import { findStubs } from './stubs.ts';

export interface PromisesQuestion {
  readonly promises: Promises;
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** Every path there is, also of files that were not read. */
  readonly all: readonly string[];
}

type InspectedArtifact = Inspection['artifacts'][number];
type InspectedLink = Inspection['links'][number];
type Files = ReadonlyMap<string, string>;

export function inspectPromises({ promises, files, all }: PromisesQuestion): Inspection {
  const { artifacts, links, expected } = promises;
  const texts: Files = new Map(files.map(({ path, text }) => [path, text]));
  const paths = new Set(all);
  const isThere = (path: string): boolean =>
    paths.has(path) || all.some((one) => one.startsWith(`${path.replace(/\/$/, '')}/`));
  return {
    artifacts: artifacts.map((one) => inspectArtifact(one, texts)),
    links: links.map((one) => inspectLink(one, texts)),
    missingOutput: expected.filter((path) => !isThere(path)),
    problem: '',
  };
}

function inspectArtifact({ path, minLines, stubPatterns }: PromisedArtifact, texts: Files): InspectedArtifact {
  const text = texts.get(path);
  if (text === undefined || text.trim() === '') {
    const detail = text === undefined ? 'The file is not there.' : 'The file is empty.';
    return { path, exists: false, substantive: null, wired: null, detail };
  }
  const lines = text.replace(/\n$/, '').split('\n').length;
  if (lines < minLines) {
    const detail = `It has ${lines} lines, and ${minLines} were promised.`;
    return { path, exists: true, substantive: false, wired: null, detail };
  }
  const [stub] = findStubs(path, text, stubPatterns);
  if (stub !== undefined) {
    const detail = `Line ${stub.line} looks like a stub (${stub.sign}).`;
    return { path, exists: true, substantive: false, wired: null, detail };
  }
  const wired = isWired(path, text, texts);
  const details = { true: '', false: 'No other file uses it.', approximate: 'Whether it is used cannot be seen.' };
  return { path, exists: true, substantive: true, wired, detail: details[String(wired) as keyof typeof details] };
}

/** Tests and entry points are used by whoever runs them. */
const startedByOthers =
  /(?:^|\/)(?:tests?|__tests__|spec|bin|scripts|migrations)\/|[._-](?:test|spec)\.|(?:^|\/)test_|(?:^|\/)(?:index|main|mod|lib|__init__|__main__|cli|app|server)\.[a-z]+$/i;

function isWired(path: string, text: string, texts: Files): boolean | 'approximate' {
  const language = languageOf(path);
  if (language === undefined || startedByOthers.test(path)) return 'approximate';
  const others = [...texts].filter(([other]) => other !== path && languageOf(other) !== undefined);
  if (language === 'javascript' || language === 'typescript') {
    return others.some(([other, source]) => importsFile(other, source, path));
  }
  // Other languages import names, not files: whoever uses a name that only this file defines uses the file.
  const own = [...definedNames(path, text).keys()].filter((name) => name.length > 2);
  if (own.length === 0) return 'approximate';
  const stem = stemOf(path);
  const near = others.filter(([, source]) => source.includes(stem) || own.some((name) => source.includes(name)));
  return near.some(([other, source]) => {
    const used = usedNames(other, source);
    return used.has(stem) || own.some((name) => used.has(name));
  });
}

function importsFile(from: string, source: string, path: string): boolean {
  if (!source.includes(stemOf(path))) {
    const folder = path.split('/').at(-2) ?? '';
    if (stemOf(path) !== 'index' || !source.includes(folder)) return false;
  }
  return importedModules(from, source).some((module) => resolves(from, module, path));
}

function resolves(from: string, module: string, path: string): boolean {
  const bare = withoutEnding(path);
  const targets = [bare, bare.replace(/\/index$/, '')];
  if (!module.startsWith('.')) {
    // An alias such as `@/lib/a` or `~/lib/a`: the end of the path says enough.
    const tail = withoutEnding(module.replace(/^[@~#]?\//, ''));
    return module.includes('/') && targets.some((target) => target === tail || target.endsWith(`/${tail}`));
  }
  const parts = from.split('/').slice(0, -1);
  for (const part of module.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return targets.includes(withoutEnding(parts.join('/')));
}

function inspectLink(link: PromisedLink, texts: Files): InspectedLink {
  const from = find(texts, link.from);
  const to = find(texts, link.to);
  if (from === undefined || to === undefined) {
    return { ...link, holds: false, detail: `${from === undefined ? link.from : link.to} is not there.` };
  }
  const language = languageOf(from);
  if (language === undefined) return { ...link, holds: 'approximate', detail: 'Its language is not read by syntax.' };
  const source = texts.get(from) ?? '';
  if (language === 'javascript' || language === 'typescript') {
    if (importsFile(from, source, to)) return { ...link, holds: true, detail: '' };
  }
  const used = usedNames(from, source);
  const named = [...definedNames(to, texts.get(to) ?? '').keys()].some((name) => name.length > 2 && used.has(name));
  if (named || used.has(stemOf(to))) return { ...link, holds: true, detail: '' };
  return { ...link, holds: false, detail: `${from} does not use ${to}.` };
}

/** A link may name a file by its whole path or by its end. */
function find(texts: Files, name: string): string | undefined {
  if (texts.has(name)) return name;
  return [...texts.keys()].find((path) => path.endsWith(`/${name}`));
}

function stemOf(path: string): string {
  return withoutEnding(path.slice(path.lastIndexOf('/') + 1));
}

function withoutEnding(path: string): string {
  return path.replace(/\.(?:[cm]?[jt]sx?|d\.ts|py|go|rs|java)$/, '');
}
