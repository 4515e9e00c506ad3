/**
 * The scripts of a page in the order in which browsers run them. A scanner, not a parser: it knows comments, tags,
 * quoted attributes and where a script's text ends. One pass; whatever is unterminated ends with the page.
 */
import { joinPath, type Paths } from './paths.ts';

export interface PageScript {
  /** The path of its file; the page's own where the text stands in it; undefined where no file of the commit fits. */
  readonly path: string | undefined;
  /** Only of one whose text stands in the page. */
  readonly text: string | undefined;
  /** Where that text begins. */
  readonly line: number;
  /** Runs at a time of its own, or not as a script: what it defines counts, what it uses does not. */
  readonly apart: boolean;
  /** Comes from another site, and knows nothing of this project. */
  readonly foreign: boolean;
  readonly module: boolean;
}

const maxPage = 1_000_000;
const maxScripts = 200;

/** Undefined for a page that is made by a program, or whose addresses mean something else. */
export function pageScripts(page: string, source: string, paths: Paths): readonly PageScript[] | undefined {
  if (source.length > maxPage || /\{\{|\{%|<%|<\?php|<base\b/i.test(source)) return undefined;
  const now: PageScript[] = [];
  const later: PageScript[] = [];
  let at = 0;
  let line = 1;
  let counted = 0;
  const lower = source.toLowerCase();
  while (now.length + later.length < maxScripts) {
    const open = lower.indexOf('<', at);
    if (open === -1) break;
    if (lower.startsWith('<!--', open)) {
      const end = lower.indexOf('-->', open + 4);
      at = end === -1 ? source.length : end + 3;
      continue;
    }
    if (!/^<script[\s>/]/.test(lower.slice(open, open + 8))) {
      at = open + 1;
      continue;
    }
    const tag = readTag(source, open + 7);
    const close = lower.indexOf('</script', tag.end);
    const end = close === -1 ? source.length : close;
    for (; counted < tag.end; counted += 1) if (source[counted] === '\n') line += 1;
    const script = scriptOf(page, { attributes: tag.attributes, text: source.slice(tag.end, end), line }, paths);
    if (script !== undefined) (isDeferred(tag.attributes) ? later : now).push(script);
    at = end + 1;
  }
  return [...now, ...later];
}

interface Tag {
  readonly attributes: ReadonlyMap<string, string>;
  readonly end: number;
}

function readTag(source: string, start: number): Tag {
  const attributes = new Map<string, string>();
  const pattern = /\s*(?:(>)|\/|([^\s=>/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?)/y;
  pattern.lastIndex = start;
  // A tag is short; one that is not is not a tag.
  for (let count = 0; count < 50; count += 1) {
    const found = pattern.exec(source);
    if (found === null) break;
    if (found[1] !== undefined) return { attributes, end: pattern.lastIndex };
    if (found[2] !== undefined) attributes.set(found[2].toLowerCase(), found[3] ?? found[4] ?? found[5] ?? '');
  }
  const end = source.indexOf('>', start);
  return { attributes, end: end === -1 ? source.length : end + 1 };
}

function isDeferred(attributes: Tag['attributes']): boolean {
  return attributes.has('src') && attributes.has('defer') && !attributes.has('async');
}

const classic = /^(?:|(?:text|application)\/(?:x-)?(?:java|ecma)script)$/i;

function scriptOf(
  page: string,
  { attributes, text, line }: { readonly attributes: Tag['attributes']; readonly text: string; readonly line: number },
  paths: Paths,
): PageScript | undefined {
  const type = (attributes.get('type') ?? '').trim();
  const isModule = type.toLowerCase() === 'module';
  // Templates, data, import maps.
  if (!isModule && !classic.test(type)) return undefined;
  const address = attributes.get('src');
  const apart = isModule || attributes.has('async') || attributes.has('nomodule');
  if (address === undefined) return { path: page, text, line, apart, foreign: false, module: isModule };
  const foreign = /^(?:https?:)?\/\//i.test(address.trim());
  return { path: fileOf(page, address.trim(), paths), text: undefined, line, apart, foreign, module: isModule };
}

function fileOf(page: string, address: string, paths: Paths): string | undefined {
  const path = address.split(/[?#]/, 1)[0] ?? '';
  if (path === '' || /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(path)) return undefined;
  const found = path.startsWith('/')
    ? ['', 'public/', 'static/', 'src/'].map((root) => root + path.slice(1)).filter((each) => paths.has(each))
    : [joinPath(page, path)].filter((each) => each !== undefined && paths.has(each));
  return found.length === 1 ? found[0] : undefined;
}
