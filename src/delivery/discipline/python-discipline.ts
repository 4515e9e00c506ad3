/**
 * The delivery discipline in Python, on the syntax tree: soft passes, skips without an issue, "no error" as success, handlers
 * that do nothing, writes nobody looks at. Pure.
 */
import { issueIn } from '../../design/design-ids.ts';
import { type PyNode, parsePython } from '../../evidence/contracts/python-tree.ts';
import { rulesOf } from '../../evidence/weakened/language-rules.ts';
import { lineFinder } from '../../evidence/weakened/outline.ts';
import type { FoundIssue } from '../plan-issue.ts';
import { type RuleName, ruleIssue } from './rule-texts.ts';

interface PyVisit {
  readonly node: PyNode;
  readonly parent: PyVisit | undefined;
}

interface PySource {
  readonly source: string;
  readonly all: readonly PyVisit[];
  textOf(node: PyNode): string;
  add(rule: RuleName, node: PyNode): void;
}

/** Undefined where the text is not Python the parser can read. Comments are read by the caller. */
export function pythonDiscipline(source: string): FoundIssue[] | undefined {
  const tree = parsePython(source);
  if (tree.status !== 'tree') return undefined;
  const found: FoundIssue[] = [];
  const lineOf = lineFinder(source);
  const file: PySource = {
    source,
    all: visitsOf(tree.root),
    textOf: (node) => source.slice(node.from, node.to),
    add: (rule, node) => void found.push(ruleIssue(rule, lineOf(node.from))),
  };
  aboutAssertions(file);
  for (const visit of file.all) {
    if (visit.node.name === 'TryStatement') aboutTry(visit, file);
    if (visit.node.name === 'FunctionDefinition' && isTest(visit, file)) aboutTest(visit, file);
    aboutSkip(visit, file);
    aboutWrite(visit, file);
  }
  return found;
}

function visitsOf(root: PyNode): PyVisit[] {
  const found: PyVisit[] = [];
  const stack: PyVisit[] = [{ node: root, parent: undefined }];
  for (let visit = stack.pop(); visit !== undefined; visit = stack.pop()) {
    found.push(visit);
    for (const node of visit.node.children.toReversed()) stack.push({ node, parent: visit });
  }
  return found;
}

/** What an assertion says, for the test it stands in. */
interface Asserted {
  readonly node: PyNode;
  readonly unit: PyNode | undefined;
  readonly onlyNoError: boolean;
}

function aboutAssertions(file: PySource): void {
  const asserted: Asserted[] = [];
  for (const visit of file.all) {
    const found = assertionAt(visit, file);
    if (found === undefined) continue;
    if (found.acceptsSeveral) file.add('several-outcomes', visit.node);
    if (found.isEmpty) file.add('tautology', visit.node);
    asserted.push({ node: visit.node, unit: functionAround(visit), onlyNoError: found.onlyNoError });
  }
  const units = new Map<PyNode | undefined, Asserted[]>();
  for (const each of asserted) units.set(each.unit, [...(units.get(each.unit) ?? []), each]);
  for (const [first, ...rest] of units.values()) {
    if (first !== undefined && [first, ...rest].every(({ onlyNoError }) => onlyNoError))
      file.add('no-error', first.node);
  }
}

interface PyAssertion {
  readonly acceptsSeveral: boolean;
  readonly onlyNoError: boolean;
  readonly isEmpty: boolean;
}

const errorName = /^(?:\w+\.)*(?:err|error|e|ex|exc|exception|failure)$/;

function assertionAt({ node }: PyVisit, file: PySource): PyAssertion | undefined {
  const text = file.textOf(node);
  if (node.name === 'AssertStatement') {
    const [, condition] = node.children;
    const claim = condition === undefined ? '' : file.textOf(condition);
    return {
      acceptsSeveral: isChoice(condition),
      onlyNoError:
        errorName.test(claim.replace(/\s+is\s+None$|\s*==\s*None$|^not\s+/, '')) &&
        claim.search(/\bis\s+None$|== *None$|^not\s/) !== -1,
      isEmpty: rulesOf('python').isEmpty(text),
    };
  }
  if (
    node.name === 'WithStatement' &&
    /^(?:async\s+)?with\s+(?:pytest\.)?(?:raises|assertRaises|self\.assertRaises)\b/.test(text)
  ) {
    const body = node.children.findLast(({ name }) => name === 'Body');
    return { acceptsSeveral: false, onlyNoError: body !== undefined && doesNothing(body, file), isEmpty: false };
  }
  if (node.name !== 'CallExpression') return undefined;
  const method = /^(?:self|cls)\.(assert\w+|fail)\s*\(/.exec(text)?.[1] ?? /^\w+\.(assert_\w+)\s*\(/.exec(text)?.[1];
  if (method === undefined) return undefined;
  const args = argumentsOf(node);
  const [first] = args;
  return {
    acceptsSeveral: method === 'assertIn' && isLongList(args[1]) && first?.name !== 'String',
    onlyNoError: /^assert(?:IsNone|False)$/.test(method) && first !== undefined && errorName.test(file.textOf(first)),
    isEmpty: rulesOf('python').isEmpty(text),
  };
}

function argumentsOf(call: PyNode): PyNode[] {
  const list = call.children.find(({ name }) => name === 'ArgList');
  return (list?.children ?? []).filter(({ name }) => !/^[(),]$/.test(name));
}

/** `x in (200, 400)`, `x == 200 or x == 400`. */
function isChoice(node: PyNode | undefined): boolean {
  if (node?.name === 'ParenthesizedExpression') return isChoice(node.children[1]);
  if (node?.name !== 'BinaryExpression') return false;
  const [left, operator, right] = node.children;
  if (operator?.name === 'in') return left?.name !== 'String' && isLongList(right);
  if (operator?.name !== 'or') return false;
  return [left, right].every((side) => isEquality(side) || isChoice(side));
}

function isEquality(node: PyNode | undefined): boolean {
  return node?.name === 'BinaryExpression' && node.children[1]?.name === 'CompareOp';
}

function isLongList(node: PyNode | undefined): boolean {
  if (node === undefined || !/^(?:Tuple|Array|Set)Expression$/.test(node.name)) return false;
  return node.children.filter(({ name }) => !/^[()[\]{},]$|^Comment$/.test(name)).length > 1;
}

function functionAround(visit: PyVisit): PyNode | undefined {
  for (let at = visit.parent; at !== undefined; at = at.parent)
    if (at.node.name === 'FunctionDefinition') return at.node;
  return undefined;
}

function isTest({ node }: PyVisit, file: PySource): boolean {
  return /^(?:async\s+)?def\s+test\w*\s*\(/.test(file.textOf(node).slice(0, 200));
}

function isInTest(visit: PyVisit, file: PySource): boolean {
  for (let at = visit.parent; at !== undefined; at = at.parent)
    if (at.node.name === 'FunctionDefinition' && isTest(at, file)) return true;
  return false;
}

/** `pass`, `...` or a docstring, and no comment that says why. */
function doesNothing(body: PyNode, file: PySource): boolean {
  return body.children.every(
    (node) =>
      node.name === ':' ||
      node.name === 'PassStatement' ||
      (node.name === 'ExpressionStatement' && /^(?:\.\.\.|["'rRbBuU]+[^]*["'])$/.test(file.textOf(node).trim())),
  );
}

function aboutTry(visit: PyVisit, file: PySource): void {
  const { node } = visit;
  const tried = node.children.find(({ name }) => name === 'Body');
  const inTest = isInTest(visit, file);
  node.children.forEach((word, at) => {
    if (word.name !== 'except') return;
    const rest = node.children.slice(at + 1);
    const body = rest.find(({ name }) => name === 'Body');
    if (body === undefined) return;
    const caught = file.source.slice(word.to, body.from);
    const isBroad = caught.trim() === '' || /\b(?:Base)?Exception\b|\bAssertionError\b/.test(caught);
    if (doesNothing(body, file)) {
      if (isBroad || inTest) file.add('empty-catch', word);
      return;
    }
    const swallows = inTest && isBroad && /\bassert\b/.test(tried === undefined ? '' : file.textOf(tried));
    if (swallows && !/\braise\b|\bassert|\bfail\b/.test(file.textOf(body))) file.add('catch-all', word);
  });
}

const assertionWords = /assert|raises|expect|verif|check|should|fail|warns|ensure|match|benchmark|snapshot/i;

function aboutTest(visit: PyVisit, file: PySource): void {
  const { node } = visit;
  const body = node.children.find(({ name }) => name === 'Body');
  const skipped =
    visit.parent?.node.name === 'DecoratedStatement' &&
    /mark\.(?:skip|xfail)\b|@(?:unittest\.)?skip/.test(file.textOf(visit.parent.node).slice(0, 500));
  if (body === undefined || skipped) return;
  if (doesNothing(body, file)) {
    file.add('empty-test', node);
    return;
  }
  if (!assertionWords.test(file.textOf(body))) file.add('no-assertion', node);
  for (const statement of body.children.filter(({ name }) => name === 'IfStatement')) {
    const branch = statement.children.find(({ name }) => name === 'Body');
    const parts = (branch?.children ?? []).filter(({ name }) => name !== ':' && name !== 'Comment');
    const returns = parts.filter((part) => part.name === 'ReturnStatement' && part.children.length === 1);
    const prints = parts.filter((part) =>
      /^(?:print|warnings\.warn|log(?:ger|ging)?\.\w+)\s*\(/.test(file.textOf(part)),
    );
    if (parts.length === 0 || statement.children.some(({ name }) => name === 'else')) continue;
    if (prints.length > 0 && prints.length + returns.length === parts.length) file.add('warn-and-go-on', statement);
    else if (returns.length === parts.length && !hasReference(file, statement)) file.add('early-return', statement);
  }
}

function aboutSkip(visit: PyVisit, file: PySource): void {
  const { node } = visit;
  const text = file.textOf(node).slice(0, 500);
  const marks =
    node.name === 'Decorator' &&
    /^@\s*(?:pytest\.)?(?:mark\.(?:skip|xfail)\b(?!if)|(?:unittest\.)?(?:skip|expectedFailure)\b)/.test(text);
  const calls = node.name === 'CallExpression' && /^(?:pytest\.(?:skip|xfail)|(?:self|cls)\.skipTest)\s*\(/.test(text);
  if ((marks || calls) && !hasReference(file, node)) file.add('skip-without-issue', node);
}

/** On its own lines, or in the comment above. */
function hasReference({ source }: PySource, node: PyNode): boolean {
  const start = source.lastIndexOf('\n', node.from - 1) + 1;
  const before = source.slice(source.lastIndexOf('\n', start - 2) + 1, Math.max(0, start - 1));
  const end = source.indexOf('\n', Math.min(node.to, node.from + 400) - 1);
  const own = source.slice(start, end === -1 ? source.length : Math.max(end, start));
  return issueIn(own) !== undefined || (/^\s*#/.test(before) && issueIn(before) !== undefined);
}

/** An UPDATE or DELETE as a statement of its own, in a function that never looks at `rowcount`. */
function aboutWrite(visit: PyVisit, file: PySource): void {
  const { node } = visit;
  if (node.name !== 'ExpressionStatement') return;
  if (
    !/^(?:await\s+)?[\w.]+\.execute\s*\(\s*[frbu]*["']{1,3}\s*(?:UPDATE|DELETE\s+FROM)\b/i.test(
      file.textOf(node).slice(0, 300),
    )
  )
    return;
  const around = functionAround(visit);
  if (!(around === undefined ? file.source : file.textOf(around)).includes('rowcount')) file.add('silent-write', node);
}
