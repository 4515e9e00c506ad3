/**
 * The delivery discipline in JavaScript and TypeScript, on the syntax tree: soft passes, skips without an issue, "no error" as
 * success, silent writes, names that promise more than the test does. Words in strings are not comments. Pure.
 */
import { parseJs } from '../../evidence/contracts/js-parse.ts';
import { type Visit, visitNodes } from '../../evidence/contracts/js-walk.ts';
import { isTestFile } from '../../evidence/test-files.ts';
import { assertionsOf, isBareExpect, namesAssertion } from '../../evidence/weakened/js-assertions.ts';
import { isCall, isFunction, type Node, nameOf, nodeAt, nodesAt } from '../../evidence/weakened/js-nodes.ts';
import { lineFinder } from '../../evidence/weakened/outline.ts';
import type { FoundIssue } from '../plan-issue.ts';
import { checkComments, commentLines, findAbandonment } from './comment-rules.ts';
import { asksAboutMachine, namesOutput } from './test-words.ts';
import {
  acceptsSeveral,
  type JsExpectation,
  expectationOf,
  isAboutImport,
  looksAtLogs,
  saysNoError,
} from './js-expectation.ts';
import { readNames } from './js-names.ts';
import { type JsSource, nodesWithin } from './js-source.ts';
import { checkDeclaredTests, type DeclaredTest, declaredTests } from './js-tests.ts';
import { checkWrites } from './js-writes.ts';
import { type RuleName, ruleIssue } from './rule-texts.ts';

/** Undefined where the text is not JavaScript the parser can read. */
export function jsDiscipline(path: string, source: string): FoundIssue[] | undefined {
  const tree = parseJs(path, source);
  if (tree.status !== 'tree') return undefined;
  const all = visitNodes(tree.program);
  const { comments } = tree;
  const file: JsSource = {
    isTest: isTestFile(path),
    source,
    all,
    comments,
    calls: all
      .map(({ node }) => node)
      .filter(isCall)
      .toSorted((a, b) => a.start - b.start),
    tests: declaredTests(all, source),
    names: readNames(all),
    lineOf: lineFinder(source),
    hasComment: (node) => nodesWithin(comments, node).length > 0,
  };
  const prose = comments.flatMap((comment) => commentLines(commentText(comment), file.lineOf(comment.start)));
  return [
    ...checkComments(prose, file.isTest),
    ...aboutThrown(file),
    ...aboutExpectations(file),
    ...aboutCatches(file),
    ...checkDeclaredTests(file),
    ...(file.isTest ? [] : checkWrites(file)),
  ];
}

export function commentText(comment: Node): string {
  return typeof comment['value'] === 'string' ? comment['value'] : '';
}

/** The test around a node, else the function, else the file. */
function unitOf(visit: Visit, tests: ReadonlyMap<Node, DeclaredTest>): Node | undefined {
  let closest: Node | undefined;
  for (let at = visit.parent; at !== undefined; at = at.parent) {
    if (!isFunction(at.node)) continue;
    if (tests.has(at.node)) return at.node;
    closest ??= at.node;
  }
  return closest;
}

interface Asserted {
  readonly line: number;
  readonly visit: Visit;
  readonly unit: Node | undefined;
  readonly expectation: JsExpectation | undefined;
}

function aboutExpectations(file: JsSource): FoundIssue[] {
  const tests = new Map(
    file.tests.flatMap((test) => (test.callback === undefined ? [] : [[test.callback, test] as const])),
  );
  const found: FoundIssue[] = [];
  const asserted: Asserted[] = [];
  const seen = new Set<Node>();
  const add = (rule: RuleName, line: number): void => void found.push(ruleIssue(rule, line));
  for (const visit of file.all) {
    const { node } = visit;
    if (isBareExpect(node)) add('bare-expect', file.lineOf(node.start));
    if (seen.has(node)) continue;
    const { count, empty, nodes } = assertionsOf(node, file.source, parameterOf(unitOf(visit, tests)));
    for (const inner of nodes) seen.add(inner);
    const helper = isCall(node) && namesAssertion(nameOf(nodeAt(node, 'callee')) ?? '');
    if (count === 0 && !helper) continue;
    const line = file.lineOf(node.start);
    const expectation = expectationOf(node);
    // Outside tests `assert(…)` is a guard of the code itself.
    if (!file.isTest && file.tests.length === 0 && expectation?.style === 'assert') continue;
    if (empty || (expectation !== undefined && isAboutImport(expectation, file.names))) add('tautology', line);
    if (expectation !== undefined && acceptsSeveral(expectation, file.names)) add('several-outcomes', line);
    asserted.push({ line, visit, unit: unitOf(visit, tests), expectation });
  }
  for (const unit of grouped(asserted)) {
    const [first] = unit;
    if (first === undefined) continue;
    if (unit.every(({ expectation }) => expectation !== undefined && saysNoError(expectation)))
      add('no-error', first.line);
    const test = first.unit === undefined ? undefined : tests.get(first.unit);
    const isLogged = unit.every(({ expectation }) => expectation !== undefined && looksAtLogs(expectation, file.names));
    if (isLogged && !namesOutput(test?.name ?? '')) add('only-logs', first.line);
    const condition = test === undefined || test.isRepeated ? undefined : onlyCondition(unit, test);
    if (condition !== undefined && !asksAboutMachine(file.source.slice(condition.start, condition.end)))
      add('conditional', file.lineOf(condition.start));
  }
  return found;
}

/** The condition of the one `if` without an `else` that all assertions of a test stand in. */
function onlyCondition(unit: readonly Asserted[], test: DeclaredTest): Node | undefined {
  const conditions = new Set(unit.map(({ visit }) => conditionAround(visit, test.callback)));
  const [only] = conditions;
  return conditions.size === 1 ? only : undefined;
}

function conditionAround(visit: Visit, within: Node | undefined): Node | undefined {
  let inner = visit.node;
  for (let at = visit.parent; at !== undefined && at.node !== within; at = at.parent) {
    const { node } = at;
    // What runs more than once, or somewhere else, may well assert in one of its turns.
    if (isFunction(node) || /^(?:For|While|DoWhile|Try)/.test(node.type)) return undefined;
    if (node.type === 'IfStatement' && node['consequent'] === inner && nodeAt(node, 'alternate') === undefined)
      return nodeAt(node, 'test');
    inner = node;
  }
  return undefined;
}

/** By the test they stand in. */
function grouped(asserted: readonly Asserted[]): Asserted[][] {
  const groups = new Map<Node | undefined, Asserted[]>();
  for (const each of asserted) groups.set(each.unit, [...(groups.get(each.unit) ?? []), each]);
  return [...groups.values()];
}

function parameterOf(unit: Node | undefined): string | undefined {
  return nameOf(nodesAt(unit, 'params')[0]);
}

/** `throw new Error('waiting for M-007')` is a stub too. */
function aboutThrown({ all, source, lineOf }: JsSource): FoundIssue[] {
  return all.flatMap(({ node, parent }) => {
    const text = node.type === 'TemplateElement' ? source.slice(node.start, node.end) : nameOf(node);
    const isText = node.type === 'StringLiteral' || node.type === 'TemplateElement';
    return isText && isWithinThrow(parent) ? findAbandonment({ text: text ?? '', line: lineOf(node.start) }) : [];
  });
}

function isWithinThrow(visit: Visit | undefined): boolean {
  let at = visit;
  for (let depth = 0; at !== undefined && depth < 4; depth += 1, at = at.parent) {
    if (at.node.type === 'ThrowStatement') return true;
    if (isFunction(at.node)) return false;
  }
  return false;
}

/** A catch that does nothing hides every failure; a comment in it says why it may. */
function aboutCatches(file: JsSource): FoundIssue[] {
  return file.all.flatMap(({ node }) => {
    const body = node.type === 'CatchClause' ? nodeAt(node, 'body') : catchCallback(node);
    if (body?.type !== 'BlockStatement' || nodesAt(body, 'body').length > 0 || file.hasComment(body)) return [];
    return [ruleIssue('empty-catch', file.lineOf(node.type === 'CatchClause' ? node.start : body.start))];
  });
}

/** The body of `.catch(() => {})`. */
function catchCallback(node: Node): Node | undefined {
  const callee = isCall(node) ? nodeAt(node, 'callee') : undefined;
  if (callee?.type !== 'MemberExpression' || nameOf(nodeAt(callee, 'property')) !== 'catch') return undefined;
  const [handler] = nodesAt(node, 'arguments');
  return isFunction(handler) ? nodeAt(handler, 'body') : undefined;
}
