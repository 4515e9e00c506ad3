/**
 * The outline of a JavaScript or TypeScript test file from its syntax tree. Undefined where Babel cannot
 * make a tree even with error recovery; the caller then reads the text. The walk keeps its own stack, so a
 * deeply nested file cannot exhaust ours, and every node is looked at once. Only assertions that can run count
 * (see js-reach.ts); a test that is declared under a condition, or never, or that may return before its first
 * assertion, is as good as skipped.
 */
import type { ParserPlugin } from '@babel/parser';
import { parseBounded } from '../parse-bounded.ts';
import { expectationText } from './expectation.ts';
import { assertionsOf, isBareExpect, namesAssertion } from './js-assertions.ts';
import { isCall, isFunction, isNode, type Node, nameOf, nodeAt, nodesAt, unwrapNode } from './js-nodes.ts';
import { isBareReturn, type Reach, reachedChildren } from './js-reach.ts';
import { testCallOf } from './js-test-calls.ts';
import { bodyReader, foldSpaces, lineFinder, type Marker, type TestOutline, type Tautology } from './outline.ts';

const maxSource = 2_000_000;
/** Recovery is slow where there is an error per character. */
const maxRecovered = 30_000;

export function jsOutline(path: string, source: string): TestOutline | undefined {
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
      const file: unknown = parseBounded(source, {
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
      // A syntax error, perhaps beyond recovery, or a nesting beyond Babel's own recursion or beyond any work it is worth.
    }
  }
  return undefined;
}

/** Assertions found directly, and plain calls that may lead to more in a helper of the same file. */
interface Tally {
  assertions: number;
  readonly expectations: string[];
  readonly calls: string[];
}

interface Context {
  readonly suites: readonly string[];
  readonly test: (Tally & { readonly name: string }) | undefined;
  /** The parameter of the test's callback: `t.skip()`, `t.is()`, `t.test()`. */
  readonly parameter: string | undefined;
  readonly helper: Tally | undefined;
  /** Why a test that is declared here may be left out. */
  readonly leftOut: string | undefined;
  /** Assertions here cannot run, or their failures are not seen. */
  readonly mute: boolean;
  readonly repeated: boolean;
  /** The callback of the test, as long as the walk is in that very function. */
  readonly body: Node | undefined;
}

const top: Context = {
  suites: [],
  test: undefined,
  parameter: undefined,
  helper: undefined,
  leftOut: undefined,
  mute: false,
  repeated: false,
  body: undefined,
};

const maxSuites = 20;
const mostExpectations = 1000;

function walk(program: Node, source: string): TestOutline {
  const lineOf = lineFinder(source);
  const bodyOf = bodyReader(source);
  const tests: {
    readonly tally: Tally;
    readonly name: string;
    readonly leaf: string;
    readonly line: number;
    readonly body: string[];
    readonly repeated: boolean;
  }[] = [];
  const returns = new Map<Tally & { readonly name: string }, { readonly line: number; readonly calls: number }>();
  const markers: Marker[] = [];
  const tautologies: Tautology[] = [];
  const helpers = new Map<string, Tally>();
  const counted = new Set<Node>();
  const stack: { readonly node: Node; readonly context: Context }[] = [{ node: program, context: top }];

  const empty = (node: Node, context: Context): void => {
    tautologies.push({
      line: lineOf(node.start),
      test: context.test?.name,
      text: foldSpaces(source.slice(node.start, node.end)),
    });
  };

  const enter = (node: Node, context: Context): Context => {
    if (isBareExpect(node)) empty(node, context);
    const helper = context.test === undefined ? helperName(node) : undefined;
    if (helper !== undefined) {
      const tally = helpers.get(helper) ?? { assertions: 0, expectations: [], calls: [] };
      helpers.set(helper, tally);
      return { ...context, helper: tally, mute: false };
    }
    const call = isCall(node) ? testCallOf(node, source, context.parameter) : undefined;
    if (call !== undefined) {
      const path = [...context.suites, call.name];
      const name = path.join(' > ');
      const line = lineOf(node.start);
      for (const marker of call.markers) markers.push({ ...marker, line, test: name });
      if (context.leftOut !== undefined) markers.push({ kind: 'skip', word: context.leftOut, line, test: name });
      const repeated = context.repeated || call.repeated;
      const inside = { ...context, suites: path.slice(-maxSuites), leftOut: undefined, mute: false, repeated };
      if (call.kind === 'suite') return inside;
      const tally = { assertions: 0, expectations: [], calls: [], name };
      const body = call.callback === undefined ? [] : bodyOf(call.callback.start, call.callback.end);
      tests.push({ tally, name, leaf: call.name, line, body, repeated });
      return { ...inside, test: tally, parameter: parameterOf(call.callback), helper: undefined, body: call.callback };
    }
    const tally = context.test ?? context.helper;
    if (!counted.has(node)) {
      const found = assertionsOf(node, source, context.parameter);
      for (const each of found.nodes) counted.add(each);
      if (found.empty) empty(node, context);
      else if (tally !== undefined && !context.mute) {
        tally.assertions += found.count;
        if (found.count > 0 && tally.expectations.length < mostExpectations)
          tally.expectations.push(expectationText(source.slice(node.start, node.end)));
      }
    }
    if (isCall(node)) {
      const word = skipCall(node, context);
      if (word !== undefined) markers.push({ kind: 'skip', word, line: lineOf(node.start), test: context.test?.name });
      const callee = unwrapNode(nodeAt(node, 'callee'));
      const name = callee?.type === 'Identifier' ? nameOf(callee) : undefined;
      if (name !== undefined && !context.mute) tally?.calls.push(name);
    }
    const { test, body } = context;
    if (test !== undefined && body !== undefined && test.assertions === 0 && !context.mute && isBareReturn(node)) {
      if (!returns.has(test)) returns.set(test, { line: lineOf(node.start), calls: test.calls.length });
    }
    return isFunction(node) && node !== body ? { ...context, body: undefined } : context;
  };

  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const context = enter(next.node, next.context);
    const loops = isLoop(next.node);
    for (const child of reachedChildren(next.node).toReversed()) {
      stack.push({ node: child.node, context: reached(context, child.reach, loops) });
    }
  }
  const total = totalOf(helpers);
  for (const [test, { line, calls }] of returns) {
    const before = total({ assertions: 0, expectations: [], calls: test.calls.slice(0, calls) });
    if (before === 0 && total(test) > 0)
      markers.push({ kind: 'skip', word: 'a return before its assertions', line, test: test.name });
  }
  const outlined = tests.map(({ tally, ...test }) => ({
    ...test,
    assertions: total(tally),
    expectations: tally.expectations,
  }));
  return { tests: outlined, markers, tautologies };
}

function reached(context: Context, reach: Reach, loops: boolean): Context {
  const repeated = context.repeated || loops;
  if (reach === 'conditional') return { ...context, leftOut: context.leftOut ?? 'under a condition', repeated };
  if (reach === 'dead') return { ...context, leftOut: 'never reached', mute: true, repeated };
  if (reach === 'swallowed') return { ...context, mute: true, repeated };
  return repeated === context.repeated ? context : { ...context, repeated };
}

/** What declares a test any number of times: a loop, or a function handed to `forEach` and its kind. */
function isLoop(node: Node): boolean {
  if (/^(?:For|ForIn|ForOf|While|DoWhile)Statement$/.test(node.type)) return true;
  const callee = isCall(node) ? nodeAt(node, 'callee') : undefined;
  return /^(?:forEach|map|flatMap|reduce|filter)$/.test(nameOf(nodeAt(callee, 'property')) ?? '');
}

/** The name of a function defined in the file: `function f() {}` or `const f = () => {}`. */
function helperName(node: Node): string | undefined {
  if (node.type === 'FunctionDeclaration') return nameOf(nodeAt(node, 'id'));
  return node.type === 'VariableDeclarator' && isFunction(unwrapNode(nodeAt(node, 'init')))
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
