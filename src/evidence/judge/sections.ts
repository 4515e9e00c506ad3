/**
 * pyproject.toml and setup.cfg: sections that set up test runners, task runners and linters judge, the rest
 * (metadata, dependencies, build) is the commit's. Sections are told apart by their headers, outside multi-line
 * strings; no value is interpreted. A file that could hide such settings elsewhere (a bare `[tool]`, dotted or
 * inline keys below `tool`) is not taken apart: the base's file judges.
 */

export type SectionSyntax = 'toml' | 'ini';

export function sectionChanges(syntax: SectionSyntax, before: string | undefined, after: string | undefined): string[] {
  if (after === undefined) return ['deleted'];
  if (isHidden(syntax, after)) return ['keeps tool settings in a form that cannot be told apart'];
  const base = judging(syntax, before ?? '');
  const commit = judging(syntax, after);
  const names = [...new Set([...base.keys(), ...commit.keys()])].sort();
  return names.flatMap((name) => {
    const [from, to] = [base.get(name), commit.get(name)];
    if (from === to) return [];
    return [`[${name}] ${from === undefined ? 'added' : to === undefined ? 'deleted' : 'changed'}`];
  });
}

export function sectionOverlay(syntax: SectionSyntax, base: string | undefined, commit: string): string | undefined {
  if (isHidden(syntax, commit) || (base !== undefined && isHidden(syntax, base))) return base;
  const ours = sectionsOf(syntax, base ?? '').sections.filter((section) => judges(section.name));
  const theirs = sectionsOf(syntax, commit).sections.filter((section) => !judges(section.name));
  if (base === undefined && theirs.every((section) => section.text.trim() === '')) return undefined;
  return [...theirs, ...ours].map((section) => (section.text === '' ? '' : `${section.text.trimEnd()}\n`)).join('\n');
}

interface Section {
  /** Quotes and spaces around the parts of the header are gone; the text before the first header has no name. */
  readonly name: string;
  readonly text: string;
}

function sectionsOf(
  syntax: SectionSyntax,
  text: string,
): { readonly sections: readonly Section[]; readonly open: boolean } {
  const sections: { name: string; lines: string[] }[] = [{ name: '', lines: [] }];
  let quote: string | undefined;
  for (const line of text.split('\n')) {
    const header = quote === undefined ? headerOf(syntax, line) : undefined;
    if (header !== undefined) sections.push({ name: normal(header), lines: [] });
    sections.at(-1)?.lines.push(line);
    // A quote means nothing in an ini file: there it could only hide a header from us.
    if (syntax === 'toml') quote = quoteAfter(line, quote);
  }
  const found = sections.map((section) => ({ name: section.name, text: section.lines.join('\n') }));
  return { sections: found.filter((section) => section.text.trim() !== ''), open: quote !== undefined };
}

function headerOf(syntax: SectionSyntax, line: string): string | undefined {
  const text = line.slice(0, 500).trimEnd();
  // An indented line of an ini file continues a value.
  return (syntax === 'ini' ? /^\[(.+)\]/ : /^\s*\[\[?([^\]]+)\]\]?\s*(?:#.*)?$/).exec(text)?.[1];
}

function normal(header: string): string {
  return header
    .split('.')
    .map((part) => part.trim().replace(/^(["'])(.*)\1$/, '$2'))
    .join('.');
}

/** Which multi-line quote is open after a line. */
function quoteAfter(line: string, open: string | undefined): string | undefined {
  let quote = open;
  for (let at = 0; at < line.length; at += 1) {
    const three = line.slice(at, at + 3);
    if (quote !== undefined) {
      if (line[at] === '\\' && quote === '"""') at += 1;
      else if (three === quote) {
        quote = undefined;
        at += 2;
      }
    } else if (line[at] === '#') break;
    else if (three === '"""' || three === "'''") {
      quote = three;
      at += 2;
    } else if (line[at] === '"' || line[at] === "'") {
      const close = closing(line, at);
      if (close === -1) break;
      at = close;
    }
  }
  return quote;
}

function closing(line: string, at: number): number {
  const quote = line[at];
  for (let end = at + 1; end < line.length; end += 1) {
    if (line[end] === '\\' && quote === '"') end += 1;
    else if (line[end] === quote) return end;
  }
  return -1;
}

const tools =
  'pytest|tox|nox|coverage|hatch|poe|pdm|taskipy|taskipy_tasks|tasks|ruff|mypy|pyright|pylint|flake8|isort|black|pytest-\\w+|cibuildwheel|interrogate|behave';
const judgingName = new RegExp(
  `^(?:tool\\.(?:${tools})(?:\\..*)?|tool:pytest|pytest|coverage:.*|tox(?::.*)?|testenv.*|flake8(?::.*)?|mypy(?:-.*)?|pylint.*|isort|aliases)$`,
  'i',
);

function judges(name: string): boolean {
  return judgingName.test(name);
}

function judging(syntax: SectionSyntax, text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const section of sectionsOf(syntax, text).sections) {
    if (!judges(section.name)) continue;
    found.set(section.name, `${found.get(section.name) ?? ''}${section.text.replaceAll('\r', '').trimEnd()}\n`);
  }
  return found;
}

/** Settings below `tool` without a plain header of their own, or a text that would swallow what follows it. */
function isHidden(syntax: SectionSyntax, text: string): boolean {
  if (syntax === 'ini') return false;
  const { sections, open } = sectionsOf(syntax, text);
  if (open) return true;
  return sections.some((section) => {
    const lines = section.text.split('\n');
    if (/^tool$/i.test(section.name) && lines.slice(1).some((line) => /^\s*[^\s#]/.test(line))) return true;
    if (section.name.includes('\\')) return true;
    if (lines.some((line) => /^\s*\[\[?\s*["']?t/i.test(line) && headerOf(syntax, line) === undefined)) return true;
    return section.name === '' && lines.some((line) => /^\s*["']?tool["']?\s*[.=]|^\s*"[^"]{0,200}\\/i.test(line));
  });
}
