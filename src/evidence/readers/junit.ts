/**
 * JUnit XML from any runner: result files first, then a report among the output. Entities are not expanded
 * by the parser (a document type can define what it likes, it has no effect); the five predefined ones and
 * character references are decoded here. Nested suites and namespaces are accepted, broken XML is not a reading.
 */
import { XMLParser } from 'fast-xml-parser';
import { mergeReadings, toReading, type Point, type Reading, type RunOutput } from './reading.ts';
import { namesFile, saysNotLoaded } from './text.ts';

export function read(output: RunOutput): Reading | undefined {
  const fromFiles = (output.files ?? []).flatMap((file) => {
    const reading = readReport(file.content, output.root);
    return reading === undefined ? [] : [reading];
  });
  return mergeReadings(fromFiles) ?? readReport(output.stdout, output.root);
}

function readReport(text: string, root: string | undefined): Reading | undefined {
  const start = /<(?:[\w.-]+:)?testsuites?[\s>/]/.exec(text);
  if (start === null) return undefined;
  const close = Math.max(text.lastIndexOf('testsuite>'), text.lastIndexOf('testsuites>'), text.lastIndexOf('/>'));
  const end = text.indexOf('>', close);
  const report = text.slice(start.index, end === -1 ? undefined : end + 1);
  let document: unknown;
  try {
    document = parser.parse(report);
  } catch {
    return undefined;
  }
  const points = collect(document);
  return points === undefined ? undefined : toReading(points, root);
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  textNodeName: '#text',
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: false,
});

type Element = Readonly<Record<string, unknown>>;

function collect(document: unknown): Point[] | undefined {
  const points: Point[] = [];
  const roots = [...children(document, 'testsuites'), ...children(document, 'testsuite')];
  if (roots.length === 0) return undefined;
  const stack = roots.toReversed().map((suite) => ({ suite, path: [] as readonly string[] }));
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { suite } = next;
    const path = [...next.path, attribute(suite, 'name')].filter((part) => part !== '');
    for (const testCase of children(suite, 'testcase')) points.push(fromCase(testCase, path));
    const inner = [...children(suite, 'testsuite'), ...children(suite, 'testsuites')];
    for (const each of inner.toReversed()) stack.push({ suite: each, path });
  }
  return points;
}

function fromCase(testCase: Element, suites: readonly string[]): Point {
  const own = attribute(testCase, 'name');
  const owner = ownerOf(testCase, suites);
  const name = owner === '' || owner === own ? own : `${owner} > ${own}`;
  const wholeFile = (owner === own || owner === '') && namesFile(own);
  // A failing test that is marked todo carries both elements.
  if ('skipped' in testCase || attribute(testCase, 'status') === 'notrun') return { name, status: 'skipped' };
  const trouble = [...children(testCase, 'failure'), ...children(testCase, 'error')];
  if (trouble.length === 0) return { name, status: 'passed', unloaded: wholeFile };
  const message = trouble.map((each) => attribute(each, 'message') || textOf(each)).join('\n');
  return {
    name,
    status: 'failed',
    unloaded: wholeFile || message.startsWith('collection failure') || saysNotLoaded(message),
  };
}

/** The class or file where one is given; node:test writes the class `test` for all, there the suites tell more. */
function ownerOf(testCase: Element, suites: readonly string[]): string {
  const className = attribute(testCase, 'classname');
  if ('@classname' in testCase && className !== 'test') return className;
  return [attribute(testCase, 'file'), ...suites].filter((part) => part !== '').join(' > ');
}

function children(parent: unknown, tag: string): Element[] {
  if (typeof parent !== 'object' || parent === null) return [];
  const value: unknown = Object.hasOwn(parent, tag) ? (parent as Element)[tag] : undefined;
  const list: unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value];
  return list.map((each) =>
    typeof each === 'object' && each !== null ? (each as Element) : { '#text': String(each) },
  );
}

function attribute(element: Element, name: string): string {
  const value = element[`@${name}`];
  return typeof value === 'string' ? decoded(value) : '';
}

function textOf(element: Element): string {
  const value = element['#text'];
  return typeof value === 'string' ? decoded(value).trim() : '';
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function decoded(text: string): string {
  return text.replaceAll(
    /&(?:(lt|gt|amp|quot|apos)|#(\d{1,7})|#x([0-9a-fA-F]{1,6}));/g,
    (whole, name, decimal, hex) => {
      if (typeof name === 'string') return entities[name] ?? whole;
      const code = typeof decimal === 'string' ? Number(decimal) : Number.parseInt(String(hex), 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
