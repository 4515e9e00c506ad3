/**
 * The outline of a JavaScript or TypeScript test file from its syntax tree. Undefined where Babel can not
 * make a tree even with error recovery; the caller then reads the text. The walk keeps its own stack, so a
 * deeply nested file can not exhaust ours, and every node is looked at once.
 */
import { parse, type ParserPlugin } from '@babel/parser';
import { assertionsOf, isBareExpect, namesAssertion } from './js-assertions.ts';
import { bare, childNodes, isCall, isFunction, isNode, nameOf, nodeAt, nodesAt, type Node } from './js-nodes.ts';
import { testCallOf } from './js-test-calls.ts';
import { bodyReader, folded, lineFinder, type Marker, type Outline, type Tautology } from './outline.ts';

const maxSource = 2_000_000;
/** Recovery is slow where there is an error per character. */
const maxRecovered = 30_000;

export function jsOutline(path: string, source: string): Outline | undefined {
  if (source.length > maxSource) return undefined;
  const program = programOf(path, source);
  return program === undefined ? undefined : walk(program, source);
}

function programOf(path: string, source: string): Node | undefined {
  const typed = /\.[cm]?tsx?$/.test(path);
  const markup = !/\.[cm]?ts$/.test(path);
  const plugins: ParserPlugin[] = [
    'decorators',
    'explicitResourceManagement',
    ...(typed ? (['typescript'] as const) : []),
    ...(markup ? (['jsx'] as const) : []),
  ];
  for (const errorRecovery of source.length > maxRecovered ? [false] : [false, true]) {
    try {
      const file: unknown = parse(source, {
        sourceType: 'unambiguous',
        errorRecovery,
        allowReturnOutsideFunction: true,
        allowAwaitOutsideFunction: true,
        allowUndeclaredExports: true,
        plugins,
      });
      const program = isNode(file) ? file['program'] : undefined;
      if (isNode(program)) return program;
    } catch {
      // A syntax error, perhaps beyond recovery, or a nesting beyond Babel's own recursion.
    }
  }
  return undefined;
}

/** Assertions found directly, and plain calls that may lead to more in a helper of the same file. */
interface Tally {
  assertions: number;
  readonly calls: string[];
}

interface Context {
  readonly suites: readonly string[];
  readonly test: (Tally & { readonly name: string }) | undefined;
  /** The parameter of the test's callback: `t.skip()`, `t.is()`, `t.test()`. */
  readonly parameter: string | undefined;
  readonly helper: Tally | undefined;
}

const maxSuites = 20;

function walk(program: Node, source: string): Outline {
  const lineOf = lineFinder(source);
  const bodyOf = bodyReader(source);
  const tests: {
    readonly tally: Tally;
    readonly name: string;
    readonly leaf: string;
    readonly line: number;
    readonly body: string[];
  }[] = [];
  const markers: Marker[] = [];
  const tautologies: Tautology[] = [];
  const helpers = new Map<string, Tally>();
  const counted = new Set<Node>();
  const stack: { readonly node: Node; readonly context: Context }[] = [
    { node: program, context: { suites: [], test: undefined, parameter: undefined, helper: undefined } },
  ];

  const empty = (node: Node, context: Context): void => {
    tautologies.push({
      line: lineOf(node.start),
      test: context.test?.name,
      text: folded(source.slice(node.start, node.end)),
    });
  };

  const enter = (node: Node, context: Context): Context => {
    if (isBareExpect(node)) empty(node, context);
    const helper = context.test === undefined ? helperName(node) : undefined;
    if (helper !== undefined) {
      const tally = helpers.get(helper) ?? { assertions: 0, calls: [] };
      helpers.set(helper, tally);
      return { ...context, helper: tally };
    }
    const call = isCall(node) ? testCallOf(node, source, context.parameter) : undefined;
    if (call !== undefined) {
      const path = [...context.suites, call.name];
      const name = path.join(' > ');
      const line = lineOf(node.start);
      for (const marker of call.markers) markers.push({ ...marker, line, test: name });
      if (call.kind === 'suite') return { ...context, suites: path.slice(-maxSuites) };
      const tally = { assertions: 0, calls: [], name };
      const body = call.callback === undefined ? [] : bodyOf(call.callback.start, call.callback.end);
      tests.push({ tally, name, leaf: call.name, line, body });
      return { suites: path.slice(-maxSuites), test: tally, parameter: parameterOf(call.callback), helper: undefined };
    }
    const tally = context.test ?? context.helper;
    if (!counted.has(node)) {
      const found = assertionsOf(node, source, context.parameter);
      for (const each of found.nodes) counted.add(each);
      if (found.empty) empty(node, context);
      else if (tally !== undefined) tally.assertions += found.count;
    }
    if (isCall(node)) {
      const word = skipCall(node, context);
      if (word !== undefined) markers.push({ kind: 'skip', word, line: lineOf(node.start), test: context.test?.name });
      const callee = bare(nodeAt(node, 'callee'));
      const name = callee?.type === 'Identifier' ? nameOf(callee) : undefined;
      if (name !== undefined) tally?.calls.push(name);
    }
    return context;
  };

  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const context = enter(next.node, next.context);
    for (const child of childNodes(next.node).toReversed()) stack.push({ node: child, context });
  }
  const total = totalOf(helpers);
  const outlined = tests.map(({ tally, ...test }) => ({ ...test, assertions: total(tally) }));
  return { tests: outlined, markers, tautologies };
}

/** The name of a function defined in the file: `function f() {}` or `const f = () => {}`. */
function helperName(node: Node): string | undefined {
  if (node.type === 'FunctionDeclaration') return nameOf(nodeAt(node, 'id'));
  return node.type === 'VariableDeclarator' && isFunction(bare(nodeAt(node, 'init')))
    ? nameOf(nodeAt(node, 'id'))
    : undefined;
}

function parameterOf(callback: Node | undefined): string | undefined {
  return nameOf(nodesAt(callback, 'params')[0]);
}

/** `t.skip()`, `this.skip()`, `t.todo()` inside a test. */
function skipCall(node: Node, context: Context): string | undefined {
  const callee = nodeAt(node, 'callee');
  const object = nameOf(nodeAt(callee, 'object'));
  const method = nameOf(nodeAt(callee, 'property'));
  if (context.test === undefined || object === undefined || (method !== 'skip' && method !== 'todo')) return undefined;
  return object === context.parameter || object === 'this' ? `${object}.${method}()` : undefined;
}

const maxAssertions = 1_000_000;

/** Adds what local helpers assert; each helper is worked out once, and one that calls itself adds nothing more. */
function totalOf(helpers: ReadonlyMap<string, Tally>): (tally: Tally) => number {
  const known = new Map<string, number>();
  const worth = (name: string, depth: number): number => {
    const helper = helpers.get(name);
    if (helper === undefined) return namesAssertion(name) ? 1 : 0;
    const before = known.get(name);
    if (before !== undefined || depth > 50) return before ?? 0;
    known.set(name, 0);
    const value = Math.max(sum(helper, depth + 1), namesAssertion(name) ? 1 : 0);
    known.set(name, value);
    return value;
  };
  const sum = (tally: Tally, depth: number): number =>
    Math.min(
      maxAssertions,
      tally.calls.reduce((total, name) => total + worth(name, depth), tally.assertions),
    );
  return (tally) => sum(tally, 0);
}
