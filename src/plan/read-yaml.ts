/**
 * The only way to YAML that somebody else wrote: a document as the parser reads it, or one with the parser's own kind
 * of error. The parser calls itself for every level, and text that is nested without end would use up the stack, so such
 * text is refused by its tokens first. Aliases that lead nowhere, round in a circle or to an enormous value are errors of
 * the document too: what comes back without errors can be made plain, with `mostAliases`. Pure.
 */
import { CST, type Document, Lexer, LineCounter, parseDocument, YAMLParseError } from 'yaml';

type YamlOptions = NonNullable<Parameters<typeof parseDocument>[1]>;

/** No file that a person writes comes near this. */
const deepestYaml = 200;

export function readYaml(text: string, options: YamlOptions = {}): Document.Parsed {
  const at = tooDeepAt(text);
  if (at === undefined) return withPlainAliases(text, parseDocument(text, options));
  const refused = parseDocument('', options);
  const { line } = lineAt(text, at, options.lineCounter);
  const message = `It is nested more than ${deepestYaml} levels deep at line ${line}`;
  refused.errors.push(new YAMLParseError([at, at + 1], 'IMPOSSIBLE', message));
  return refused;
}

/** For `toJS`: how often values may be repeated by aliases, all in all. */
export const mostAliases = 100;

function withPlainAliases(text: string, document: Document.Parsed): Document.Parsed {
  if (document.errors.length > 0 || !text.includes('*')) return document;
  try {
    JSON.stringify(document.toJS({ maxAliasCount: mostAliases }));
  } catch (error) {
    const isCircle = error instanceof TypeError && /circular/i.test(error.message);
    const message = isCircle ? 'An alias leads back to what it is part of' : yamlProblem(error);
    document.errors.push(new YAMLParseError([text.indexOf('*'), text.indexOf('*') + 1], 'BAD_ALIAS', message));
  }
  return document;
}

/** What is wrong, in one line; the lines after it repeat the text. */
export function yamlProblem(error: unknown): string {
  const [first = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
  return first.replace(/:$/, '');
}

/** Where it goes deeper than is read, if it does. */
function tooDeepAt(text: string): number | undefined {
  const columns: number[] = [];
  let flow = 0;
  let offset = 0;
  let lineStart = 0;
  let isLineBegun = false;
  for (const token of new Lexer().lex(text)) {
    const type = CST.tokenType(token);
    const column = offset - lineStart;
    if (type === 'flow-map-start' || type === 'flow-seq-start') flow += 1;
    else if (type === 'flow-map-end' || type === 'flow-seq-end') flow -= 1;
    const isIndicator = type === 'seq-item-ind' || type === 'explicit-key-ind';
    if (flow === 0 && !isBlank(type) && (isIndicator || !isLineBegun)) {
      while ((columns.at(-1) ?? -1) >= column) columns.pop();
      columns.push(column);
    }
    if (columns.length + flow > deepestYaml) return offset;
    if (!isBlank(type)) isLineBegun = true;
    offset += isMark(type) ? 0 : token.length;
    const newline = token.lastIndexOf('\n');
    if (newline >= 0) {
      lineStart = offset - (token.length - newline - 1);
      isLineBegun = false;
    }
  }
  return undefined;
}

function isBlank(type: CST.TokenType | null): boolean {
  return type === 'space' || type === 'newline' || type === 'comment' || isMark(type);
}

/** What the lexer says between tokens; it has no place in the text. */
function isMark(type: CST.TokenType | null): boolean {
  return type === null || type === 'doc-mode' || type === 'flow-error-end' || type === 'scalar';
}

function lineAt(text: string, at: number, given: LineCounter | undefined): { readonly line: number } {
  const counter = given ?? new LineCounter();
  if (given === undefined || given.lineStarts.length < 2) {
    counter.lineStarts = [0];
    for (let next = text.indexOf('\n'); next >= 0; next = text.indexOf('\n', next + 1)) counter.addNewLine(next + 1);
  }
  return counter.linePos(at);
}
