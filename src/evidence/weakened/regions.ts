/**
 * Where the tests and suites of a file begin and end, from blanked code: by indentation in Python, by brackets
 * elsewhere. A region includes the decorators, annotations or attributes above it, so that a skip up there
 * belongs to its test.
 */
import type { Language } from './blank.ts';

export interface Region {
  readonly kind: 'test' | 'suite';
  readonly name: string;
  readonly leaf: string;
  readonly start: number;
  readonly end: number;
  /** Where the declaration itself stands. */
  readonly head: number;
}

export interface SourceText {
  readonly source: string;
  readonly code: string;
  readonly language: Language;
  readonly pairs: ReadonlyMap<number, number>;
}

export function regionsOf(text: SourceText): Region[] {
  const found = finders[text.language](text).sort((a, b) => a.start - b.start || b.end - a.end);
  // Names get the suites (and tests) around them.
  const open: Region[] = [];
  return found.map((each) => {
    while (open.length > 0 && (open.at(-1)?.end ?? 0) <= each.start) open.pop();
    const around = open.at(-1)?.name;
    const named = around === undefined ? each : { ...each, name: `${around} > ${each.leaf}`.slice(-maxName) };
    if (open.length < maxDepth) open.push(named);
    return named;
  });
}

const maxDepth = 20;
const maxName = 1000;

const finders: Readonly<Record<Language, (text: SourceText) => Region[]>> = {
  python: pythonRegions,
  go: goRegions,
  rust: rustRegions,
  java: javaRegions,
  js: jsRegions,
};

function region(kind: Region['kind'], leaf: string, at: { start: number; end: number; head: number }): Region {
  return { kind, name: leaf, leaf, ...at };
}

function pythonRegions({ code }: SourceText): Region[] {
  const regions: Region[] = [];
  const open: { readonly indent: number; readonly region: Region }[] = [];
  let decorated: number | undefined;
  let depth = 0;
  let offset = 0;
  let lastEnd = 0;
  for (const line of code.split('\n')) {
    const start = offset;
    offset += line.length + 1;
    const continued = depth > 0;
    for (const char of line) {
      if ('([{'.includes(char)) depth += 1;
      else if (')]}'.includes(char)) depth = Math.max(0, depth - 1);
    }
    const body = line.trim();
    if (body === '' || continued) {
      if (continued) lastEnd = offset;
      continue;
    }
    const indent = line.length - line.trimStart().length;
    while (open.length > 0 && indent <= (open.at(-1)?.indent ?? 0)) {
      const closed = open.pop();
      if (closed !== undefined) regions.push({ ...closed.region, end: lastEnd });
    }
    lastEnd = offset;
    const declared = /^(?:async\s{1,9})?(def|class)\s{1,9}(\w{1,200})/.exec(body);
    if (body.startsWith('@')) decorated ??= start;
    else {
      const name = declared?.[2] ?? '';
      const kind = declared?.[1] === 'class' ? 'suite' : /^test/i.test(name) ? 'test' : undefined;
      if (declared !== null && kind !== undefined) {
        open.push({
          indent,
          region: region(kind, name, { start: decorated ?? start, end: code.length, head: start + indent }),
        });
      }
      decorated = undefined;
    }
  }
  for (const closed of open) regions.push({ ...closed.region, end: code.length });
  return regions;
}

function goRegions(text: SourceText): Region[] {
  const regions: Region[] = [];
  for (const match of text.code.matchAll(
    /^func (?:\([^)\n]{0,100}\) )?((?:Test|Benchmark|Fuzz|Example)\w{0,200})\(/gm,
  )) {
    const end = bodyEnd(text, match.index + match[0].length - 1);
    regions.push(region('test', match[1] ?? '', { start: match.index, end, head: match.index }));
  }
  for (const match of text.code.matchAll(/\.Run\(\s{0,99}(["`])( {0,500})\1,\s{0,99}func\(/g)) {
    const quote = match.index + match[0].indexOf(match[1] ?? '"');
    const leaf = text.source.slice(quote + 1, quote + 1 + (match[2] ?? '').length);
    const end = (text.pairs.get(match.index + 4) ?? text.code.length) + 1;
    regions.push(region('test', leaf, { start: match.index, end, head: match.index }));
  }
  return regions;
}

/** The end of the braces that follow a parameter list. */
function bodyEnd(text: SourceText, parenthesis: number): number {
  const close = text.pairs.get(parenthesis) ?? parenthesis;
  const open = text.code.indexOf('{', close);
  const stop = text.code.slice(close, open === -1 ? close : Math.min(open, close + 1000));
  if (open === -1 || stop.includes(';')) return close + 1;
  return (text.pairs.get(open) ?? text.code.length) + 1;
}

function rustRegions(text: SourceText): Region[] {
  const regions: Region[] = [];
  for (const match of text.code.matchAll(/\bmod\s{1,9}(\w{1,200})\s{0,9}\{/g)) {
    const end = (text.pairs.get(match.index + match[0].length - 1) ?? text.code.length) + 1;
    regions.push(region('suite', match[1] ?? '', { start: match.index, end, head: match.index }));
  }
  const declaration =
    /\s*(?:pub(?:\([^)\n]{0,40}\))?\s{1,99})?(?:async\s{1,99})?(?:unsafe\s{1,99})?fn\s{1,99}(\w{1,200})[^({;]{0,200}\(/y;
  for (const group of annotated(text, '#[')) {
    declaration.lastIndex = group.end;
    const match = declaration.exec(text.code);
    if (
      match === null ||
      !/#\[\s*(?:[\w:]{0,80}::)?(?:test|rstest|test_case|test_log|quickcheck|proptest)\b/.test(group.text)
    )
      continue;
    const end = bodyEnd(text, group.end + match[0].length - 1);
    const head = group.end + match[0].length - match[0].trimStart().length;
    regions.push(region('test', match[1] ?? '', { start: group.start, end, head }));
  }
  return regions;
}

function javaRegions(text: SourceText): Region[] {
  const regions: Region[] = [];
  for (const match of text.code.matchAll(/\b(?:class|object)\s{1,9}(\w{1,200})[^;{}()]{0,300}\{/g)) {
    const end = (text.pairs.get(match.index + match[0].length - 1) ?? text.code.length) + 1;
    regions.push(region('suite', match[1] ?? '', { start: match.index, end, head: match.index }));
  }
  const declaration = /([\w\s<>[\],.?]{1,300}?)(?:`([^`\n]{0,200})`|\b(\w{1,200}))\s{0,9}\(/y;
  for (const group of annotated(text, '@')) {
    declaration.lastIndex = group.end;
    const match = declaration.exec(text.code);
    if (match === null || !/@(?:\w{0,40}Test|TestFactory|TestTemplate)\b/.test(group.text)) {
      // An annotation above a class: the class's region starts there.
      const type = /^[\w\s]{0,100}?\bclass\s{1,9}(\w{1,200})/.exec(text.code.slice(group.end, group.end + 400));
      const owner = type === null ? undefined : regions.find((each) => each.kind === 'suite' && each.leaf === type[1]);
      if (owner !== undefined)
        regions[regions.indexOf(owner)] = { ...owner, start: Math.min(owner.start, group.start) };
      continue;
    }
    const open = group.end + match[0].length - 1;
    const head = group.end + match[0].length - match[0].trimStart().length;
    regions.push(region('test', match[2] ?? match[3] ?? '', { start: group.start, end: bodyEnd(text, open), head }));
  }
  return regions;
}

/** Runs of attributes or annotations, arguments included, with nothing but white space between them. */
function annotated(
  text: SourceText,
  opener: '#[' | '@',
): { readonly start: number; readonly end: number; readonly text: string }[] {
  const groups: { start: number; end: number; text: string }[] = [];
  let at = text.code.indexOf(opener);
  while (at !== -1) {
    const end = opener === '#[' ? (text.pairs.get(at + 1) ?? at + 1) + 1 : annotationEnd(text, at);
    const last = groups.at(-1);
    const gap = last === undefined ? 'x' : text.code.slice(last.end, Math.min(at, last.end + 1000));
    if (last !== undefined && gap.trim() === '' && at - last.end < 1000) {
      last.end = end;
      if (last.text.length < 2000) last.text += text.code.slice(at, Math.min(end, at + 300));
    } else groups.push({ start: at, end, text: text.code.slice(at, Math.min(end, at + 300)) });
    at = text.code.indexOf(opener, Math.max(end, at + 1));
  }
  return groups;
}

function annotationEnd(text: SourceText, at: number): number {
  let end = at + 1;
  while (/[\w.]/.test(text.code[end] ?? '')) end += 1;
  return text.code[end] === '(' ? (text.pairs.get(end) ?? end) + 1 : end;
}

function jsRegions(text: SourceText): Region[] {
  const regions: Region[] = [];
  const declaration =
    /(?<![\w.$])[xf]?(test|it|specify|describe|suite|context)(?:\.\w{1,30}){0,3}\s{0,9}\(\s{0,99}(["'`])([ \n\r]{0,500})\2/g;
  for (const match of text.code.matchAll(declaration)) {
    const quote = match.index + match[0].length - (match[3] ?? '').length - 1;
    const leaf = text.source
      .slice(quote, quote + (match[3] ?? '').length)
      .replaceAll(/\s+/g, ' ')
      .trim();
    const open = match.index + match[0].indexOf('(');
    const end = (text.pairs.get(open) ?? text.code.length) + 1;
    const kind = /^(?:test|it|specify)$/.test(match[1] ?? '') ? 'test' : 'suite';
    regions.push(region(kind, leaf, { start: match.index, end, head: match.index }));
  }
  return regions;
}
