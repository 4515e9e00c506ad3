/** The pages among the files: their scripts in order, what does not fit among them, and the modules they load. */
import { pageScripts, type PageScript } from './html-scripts.ts';
import { readJs } from './js-reader.ts';
import { checkPage, type PageVerdict } from './page-check.ts';
import type { Paths } from './paths.ts';
import { readScript, type ScriptReading } from './script-globals.ts';
import { emptyShape, type Shape } from './shape.ts';

export interface PageReading {
  readonly path: string;
  readonly verdict: PageVerdict;
  /** What the modules that stand in the page expect of others. */
  readonly shape: Shape;
  /** The first script in the page that does not parse. */
  readonly broken: { readonly line: number; readonly message: string } | undefined;
}

const maxPages = 50;

export function readPages(
  pages: readonly { readonly path: string; readonly text: string }[],
  textOf: (path: string) => string | undefined,
  paths: Paths,
): PageReading[] {
  const read = new Map<string, ScriptReading>();
  const readPath = (path: string): ScriptReading => {
    const known = read.get(path);
    if (known !== undefined) return known;
    const text = textOf(path);
    const reading: ScriptReading = text === undefined ? { status: 'unread' } : readScript(path, text);
    read.set(path, reading);
    return reading;
  };
  return pages.slice(0, maxPages).flatMap(({ path, text }) => {
    const scripts = pageScripts(path, text, paths);
    return scripts === undefined ? [] : [readPage(path, scripts, readPath)];
  });
}

function readPage(
  page: string,
  scripts: readonly PageScript[],
  readPath: (path: string) => ScriptReading,
): PageReading {
  let broken: PageReading['broken'];
  const loaded = scripts.map(({ path, text, line, apart, foreign }) => {
    const reading: ScriptReading =
      text !== undefined
        ? readScript(`${page}.js`, text, line)
        : path === undefined
          ? { status: 'unread' }
          : readPath(path);
    if (text !== undefined && reading.status === 'broken') broken ??= reading;
    return { path, apart, foreign, globals: reading.status === 'read' ? reading.globals : undefined };
  });
  return { path: page, verdict: checkPage(page, loaded), shape: inlineModules(page, scripts), broken };
}

function inlineModules(page: string, scripts: readonly PageScript[]): Shape {
  const shapes = scripts.flatMap(({ module, text, line }) => {
    const reading = module && text !== undefined ? readJs(`${page}.js`, text) : undefined;
    return reading?.status === 'read' ? [{ shape: reading.shape, before: line - 1 }] : [];
  });
  return {
    kind: 'es',
    ...emptyShape,
    wants: shapes.flatMap(({ shape, before }) => shape.wants.map((want) => ({ ...want, line: want.line + before }))),
    calls: shapes.flatMap(({ shape, before }) => shape.calls.map((call) => ({ ...call, line: call.line + before }))),
    touches: shapes.flatMap(({ shape }) => shape.touches),
  };
}
