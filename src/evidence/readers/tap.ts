/**
 * TAP 13 and 14, as node:test, tap, tape, ava and vitest write it: nested subtests (children before their
 * parent, or in braces after it), SKIP and TODO, YAML diagnostics, node's closing figures. A parent that only
 * fails because of a child is not named again. Without figures the leaves are counted.
 */
import { nodeTotals } from './figures.ts';
import { toReading, type Point, type Reading, type RunOutput, type Totals } from './reading.ts';
import { indentOf, namesFile, plainLines, saysNotLoaded, stablePath } from './text.ts';

const maxDepth = 20;

export function read(output: RunOutput): Reading | undefined {
  const lines = plainLines(output.stdout);
  const isTap = lines.some((line) => /^TAP version 1[34]\b/.test(line));
  const hasPlan = lines.some((line) => /^\d*\.\.\d+/.test(line)) && lines.some((line) => /^(?:not )?ok \d/.test(line));
  if (!isTap && !hasPlan) return undefined;
  const document = parse(lines);
  const totals = totalsOf(lines);
  const points = flatten(document.nodes, output.root);
  if (document.bailOut !== undefined) points.push({ name: `Bail out! ${document.bailOut}`.trim(), status: 'failed' });
  if (points.length === 0 && totals === undefined && !isTap) return undefined;
  return toReading(points, output.root, totals);
}

interface Node {
  readonly ok: boolean;
  readonly name: string;
  readonly directive: 'skip' | 'todo' | undefined;
  readonly children: Node[];
  /** Chatter just before this point holds an assertion error: a script that asserts without a test around it. */
  readonly assertedAloud: boolean;
  readonly diagnostics: Map<string, string>;
}

function parse(lines: readonly string[]): { readonly nodes: readonly Node[]; readonly bailOut: string | undefined } {
  /** Finished points by indent, waiting for the parent that follows them. */
  const waiting: { readonly indent: number; readonly nodes: Node[] }[] = [];
  const braces: { readonly indent: number; readonly node: Node }[] = [];
  let yaml: { readonly indent: number; readonly node: Node; key: string } | undefined;
  let last: Node | undefined;
  let asserted = false;
  let bailOut: string | undefined;

  const finish = (node: Node, indent: number): void => {
    const deeper: Node[][] = [];
    while ((waiting.at(-1)?.indent ?? -1) > indent) deeper.push(waiting.pop()?.nodes ?? []);
    for (const nodes of deeper.toReversed()) for (const child of nodes) node.children.push(child);
    if (waiting.at(-1)?.indent === indent) waiting.at(-1)?.nodes.push(node);
    else waiting.push({ indent, nodes: [node] });
  };

  for (const line of lines) {
    const indent = indentOf(line);
    if (yaml !== undefined) {
      if (line.trim() === '' || indent >= yaml.indent) {
        if (line.trim() === '...') yaml = undefined;
        else diagnose(yaml, line, indent);
        continue;
      }
      yaml = undefined;
    }
    const body = line.slice(indent);
    if (body === '---' && last !== undefined) {
      yaml = { indent, node: last, key: '' };
      continue;
    }
    if (body === '}' && braces.at(-1)?.indent === indent) {
      const brace = braces.pop();
      if (brace !== undefined) finish(brace.node, indent);
      continue;
    }
    if (body.startsWith('Bail out!')) bailOut ??= body.slice('Bail out!'.length).trim();
    if (body.startsWith('#') && /\b(?:AssertionError|ERR_ASSERTION)\b/.test(body)) asserted = true;
    const point = pointOf(body, asserted);
    if (point === undefined) continue;
    last = point.node;
    if (indent === 0) asserted = false;
    if (point.opens && braces.length < maxDepth) braces.push({ indent, node: point.node });
    else finish(point.node, indent);
  }
  for (const brace of braces.toReversed()) finish(brace.node, brace.indent);
  return { nodes: waiting.flatMap((each) => each.nodes), bailOut };
}

function pointOf(body: string, assertedAloud: boolean): { readonly node: Node; readonly opens: boolean } | undefined {
  const match = /^(not )?ok\b(?: +(\d+))?(?: +- +| +|$)(.*)$/.exec(body);
  if (match === null) return undefined;
  // "ok, now ..." is prose: a point has a number or a dash.
  if (match[2] === undefined && !/^(?:not )?ok(?: - |$)/.test(body)) return undefined;
  const { description, comment } = splitDirective(match[3] ?? '');
  const opens = comment.endsWith('{') || description.endsWith(' {');
  const directive = /^skip/i.test(comment) ? 'skip' : /^todo/i.test(comment) ? 'todo' : undefined;
  const node: Node = {
    ok: match[1] === undefined,
    name: (opens && description.endsWith(' {') ? description.slice(0, -2) : description)
      .replaceAll(/\\([\\#])/g, '$1')
      .trim(),
    directive,
    children: [],
    assertedAloud,
    diagnostics: new Map(),
  };
  return { node, opens };
}

function splitDirective(text: string): { readonly description: string; readonly comment: string } {
  for (let at = text.indexOf('#'); at !== -1; at = text.indexOf('#', at + 1)) {
    let slashes = 0;
    while (text[at - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 1 || (at > 0 && text[at - 1] !== ' ')) continue;
    const comment = text.slice(at + 1).trim();
    if (/^(?:skip|todo|time=)/i.test(comment)) return { description: text.slice(0, at).trim(), comment };
  }
  return { description: text.trim(), comment: '' };
}

function diagnose(
  yaml: { readonly indent: number; readonly node: Node; key: string },
  line: string,
  indent: number,
): void {
  const match = /^([A-Za-z_]+):(?: (.*))?$/.exec(line.slice(indent));
  const known = yaml.node.diagnostics;
  if (indent === yaml.indent && match !== null) {
    yaml.key = match[1] ?? '';
    const value = (match[2] ?? '').replace(/^(['"])(.*)\1$/, '$2');
    if (!known.has(yaml.key)) known.set(yaml.key, /^[|>]-?$/.test(value) ? '' : value);
  } else if (yaml.key === 'error' && (known.get('error') ?? '') === '') {
    // A block scalar's first line, or vitest's nested `error: { name, message }`.
    const nested = /^message: "?(.*?)"?$/.exec(line.trim());
    if (nested !== null) known.set('error', nested[1] ?? '');
    else if (match === null) known.set('error', line.trim());
  }
}

function flatten(nodes: readonly Node[], root: string | undefined): Point[] {
  const points: Point[] = [];
  const stack = nodes.toReversed().map((node) => ({ node, path: [] as readonly string[] }));
  for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
    const { node } = entry;
    const path = [...entry.path.slice(-maxDepth), node.name];
    const explained = node.children.some((child) => !child.ok && child.directive !== 'todo');
    if (node.children.length === 0 || (!node.ok && !explained && node.directive === undefined))
      points.push(pointFrom(node, path, root));
    for (const child of node.children.toReversed()) stack.push({ node: child, path });
  }
  return points;
}

function pointFrom(node: Node, path: readonly string[], root: string | undefined): Point {
  const file = fileOf(node, root);
  const name = (file === undefined || path[0] === file ? path : [file, ...path]).join(' > ');
  if (node.directive !== undefined) return { name, status: 'skipped' };
  const wholeFile = path.length === 1 && namesFile(node.name);
  if (node.ok) return { name, status: 'passed', unloaded: wholeFile };
  const error = node.diagnostics.get('error') ?? '';
  const fileFailed =
    wholeFile && (node.diagnostics.has('exitCode') || node.children.length === 0) && !node.assertedAloud;
  const notLoaded = node.diagnostics.get('code') === 'ERR_MODULE_NOT_FOUND' || saysNotLoaded(error);
  return { name: wholeFile ? node.name : name, status: 'failed', unloaded: fileFailed || notLoaded };
}

/** node:test says where a failing test stands; the file tells equal names apart, the line would not be stable. */
function fileOf(node: Node, root: string | undefined): string | undefined {
  const location = node.diagnostics.get('location');
  if (location === undefined) return undefined;
  const file = location.replace(/:\d+:\d+$/, '');
  return file === '' ? undefined : stablePath(file, root);
}

function totalsOf(lines: readonly string[]): Totals | undefined {
  const figures = new Map<string, number>();
  for (const line of lines) {
    const match = /^# (tests|pass|fail|cancelled|skipped|todo) +(\d{1,9})$/.exec(line);
    if (match === null) {
      if (line === '# ok' && figures.has('tests') && !figures.has('fail')) figures.set('fail', 0);
      continue;
    }
    // A later block replaces an earlier one as a whole: a test may print lines that look like figures.
    if (match[1] === 'tests') figures.clear();
    figures.set(match[1] ?? '', Number(match[2]));
  }
  return nodeTotals(figures);
}
