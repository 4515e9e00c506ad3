/**
 * The delivery discipline in Python, on the syntax tree: soft passes, skips without an issue, "no error" as success, handlers
 * that do nothing, writes nobody looks at. Pure.
 */
import { issueIn } from '../../design/design-ids.ts';
import { type PyNode, parsePython } from '../../evidence/contracts/python-tree.ts';
import { isTestFile } from '../../evidence/test-files.ts';
import { rulesOf } from '../../evidence/weakened/language-rules.ts';
import { lineFinder } from '../../evidence/weakened/outline.ts';
import type { FoundIssue } from '../plan-issue.ts';
import { findAbandonment } from './comment-rules.ts';
import {
  argumentsOf,
  childNamed,
  functionAround,
  isTest,
  nameOfFunction,
  type PySource,
  type PyVisit,
  statementsOf,
  visitsOf,
} from './python-source.ts';
import { checkPythonWrites } from './python-writes.ts';
import { ruleIssue } from './rule-texts.ts';
import { asksAboutMachine, namesOutput, promisedStatus } from './test-words.ts';

/** Undefined where the text is not Python the parser can read. Comments are read by the caller. */
export function pythonDiscipline(path: string, source: string): FoundIssue[] | undefined {
  const tree = parsePython(source);
  if (tree.status !== 'tree') return undefined;
  const found: FoundIssue[] = [];
  const lineOf = lineFinder(source);
  const file: PySource = {
    source,
    all: visitsOf(tree.root),
    textOf: (node) => (node === undefined ? '' : source.slice(node.from, node.to)),
    add: (rule, node, detail) => void found.push(ruleIssue(rule, lineOf(node.from), detail)),
    addIssues: (issues) => void found.push(...issues),
    lineOf: (node) => lineOf(node.from),
  };
  const inTests = isTestFile(path) || /\bpytest\b|^\s*(?:async )?def test_/m.test(source);
  // Elsewhere an assertion is a guard of the code itself.
  if (inTests) aboutAssertions(file);
  const helpers = assertingFunctions(file);
  for (const visit of file.all) {
    if (visit.node.name === 'TryStatement') aboutTry(visit, file);
    if (visit.node.name === 'WithStatement') aboutSuppressed(visit, file);
    if (inTests && isTest(visit.node, file)) aboutTest(visit, file, helpers);
    aboutSkip(visit, file);
  }
  aboutRaised(file);
  if (!isTestFile(path)) checkPythonWrites(file);
  return found;
}

/** What an assertion says, for the test it stands in. */
interface Asserted {
  readonly node: PyNode;
  readonly visit: PyVisit;
  readonly unit: PyNode | undefined;
  readonly onlyNoError: boolean;
  readonly onlyLogs: boolean;
}

function aboutAssertions(file: PySource): void {
  const asserted: Asserted[] = [];
  for (const visit of file.all) {
    const found = assertionAt(visit, file);
    if (found === undefined) continue;
    if (found.acceptsSeveral) file.add('several-outcomes', visit.node);
    if (found.isEmpty) file.add('tautology', visit.node);
    const { onlyNoError } = found;
    const onlyLogs = /\bcaplog\.(?:text|messages|records|record_tuples)\b|\bassertLogs\b/.test(file.textOf(visit.node));
    asserted.push({ node: visit.node, visit, unit: functionAround(visit), onlyNoError, onlyLogs });
  }
  const units = new Map<PyNode | undefined, Asserted[]>();
  for (const each of asserted) units.set(each.unit, [...(units.get(each.unit) ?? []), each]);
  for (const [first, ...rest] of units.values()) {
    if (first !== undefined && [first, ...rest].every(({ onlyNoError }) => onlyNoError))
      file.add('no-error', first.node);
    const test = first?.unit;
    if (first === undefined || test === undefined || !isTest(test, file)) continue;
    const isLogged = [first, ...rest].every(({ onlyLogs }) => onlyLogs);
    if (isLogged && !namesOutput(nameOfFunction(test, file))) file.add('only-logs', first.node);
    const conditions = new Set([first, ...rest].map(({ visit }) => conditionAround(visit, test)));
    const [only] = conditions;
    if (conditions.size === 1 && only !== undefined && !asksAboutMachine(file.textOf(only)))
      file.add('conditional', only);
  }
}

/** The condition of an `if` without an `else` around it; none where it runs more than once. */
function conditionAround(visit: PyVisit, within: PyNode): PyNode | undefined {
  for (let at = visit.parent; at !== undefined && at.node !== within; at = at.parent) {
    if (/^(?:For|While|Try|Match)Statement$|^FunctionDefinition$|^LambdaExpression$/.test(at.node.name))
      return undefined;
    if (at.node.name === 'IfStatement')
      return at.node.children.some(({ name }) => name === 'else' || name === 'elif') ? undefined : at.node.children[1];
  }
  return undefined;
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
      acceptsSeveral:
        isChoice(condition) ||
        isInStatuses(condition, file) ||
        isAnyOf(condition, file) ||
        isStatusRange(condition, file),
      onlyNoError:
        errorName.test(claim.replace(/\s+is\s+None$|\s*==\s*None$|^not\s+/, '')) &&
        claim.search(/\bis\s+None$|== *None$|^not\s/) !== -1,
      isEmpty: rulesOf('python').isEmpty(text) || isAlwaysThere(condition, file),
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

/** `x in (200, 400)`, `x == 200 or x == 400`. */
function isChoice(node: PyNode | undefined): boolean {
  if (node?.name === 'ParenthesizedExpression') return isChoice(node.children[1]);
  if (node?.name !== 'BinaryExpression') return false;
  const [left, operator, right] = node.children;
  if (operator?.name === 'in') return left?.name !== 'String' && isLongList(right);
  if (operator?.name !== 'or') return false;
  return [left, right].every((side) => isEquality(side) || isChoice(side));
}

/** A tuple, or something that is imported or defined by its name. */
function isAlwaysThere(node: PyNode | undefined, file: PySource): boolean {
  if (node?.name === 'TupleExpression') return node.children.length > 2;
  if (node?.name !== 'VariableName') return false;
  const name = file.textOf(node);
  const isAssigned = new RegExp(
    String.raw`\b${name}\b[^=\n]{0,200}(?<![=!<>])=(?!=)|\b(?:as|for)\s+${name}\b|[(,]\s*${name}\s*[,):=]`,
  );
  return (
    !isAssigned.test(file.source) &&
    new RegExp(
      String.raw`^(?:from\s.*\simport\s.*\b${name}\b|(?:async\s+)?def\s+${name}\b|class\s+${name}\b)`,
      'm',
    ).test(file.source)
  );
}

/** `r.status_code in ok`, where `ok` is a constant with several statuses. */
function isInStatuses(node: PyNode | undefined, file: PySource): boolean {
  const [, left = '', name = ''] = /^([\w.]+)\s+in\s+(\w+)$/.exec(file.textOf(node).trim()) ?? [];
  if (!statusName.test(left)) return false;
  const given = [...file.source.matchAll(new RegExp(String.raw`^[ \t]*${name}\s*=(?!=)(.*)$`, 'gm'))];
  return given.length === 1 && /^\s*[([{]\s*[1-5]\d\d\s*,\s*[1-5]\d\d[\s,\d]*[)\]}]\s*$/.test(given[0]?.[1] ?? '');
}

const statusName = /\bstatus(?:_?code)?$/i;

/** `r.status_code < 500`, `200 <= r.status_code < 300`. */
function isStatusRange(node: PyNode | undefined, file: PySource): boolean {
  if (node?.name === 'ParenthesizedExpression') return isStatusRange(node.children[1], file);
  if (node?.name !== 'BinaryExpression') return false;
  const [left, operator, right] = node.children;
  if (operator?.name === 'and') return isStatusRange(left, file) && isStatusRange(right, file);
  if (operator?.name !== 'CompareOp' || !/^[<>]=?$/.test(file.textOf(operator))) return false;
  return [left, right].some((side) => statusName.test(file.textOf(side))) || isStatusRange(left, file);
}

/** `any(r.status_code == each for each in (200, 400))`. */
function isAnyOf(node: PyNode | undefined, file: PySource): boolean {
  if (node?.name !== 'CallExpression' || !/^any\s*\(/.test(file.textOf(node))) return false;
  return /^any\s*\(\s*[^=()]{1,60}==[^=()]{1,60}\bfor\b[^()]{1,60}\bin\s*[([{][^()]*,/.test(file.textOf(node));
}

function isEquality(node: PyNode | undefined): boolean {
  return node?.name === 'BinaryExpression' && node.children[1]?.name === 'CompareOp';
}

function isLongList(node: PyNode | undefined): boolean {
  if (node === undefined || !/^(?:Tuple|Array|Set)Expression$/.test(node.name)) return false;
  return node.children.filter(({ name }) => !/^[()[\]{},]$|^Comment$/.test(name)).length > 1;
}

function isInTest(visit: PyVisit, file: PySource): boolean {
  for (let at = visit.parent; at !== undefined; at = at.parent) if (isTest(at.node, file)) return true;
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
  const otherwise = node.children.findIndex(({ name }) => name === 'else');
  // `except KeyError: pass`, `else: self.fail(…)`: that it came is what is asserted.
  const expected =
    otherwise !== -1 &&
    /\bfail\b|\braise\b|\bassert/.test(
      file.textOf(node.children[otherwise + 1]) + file.textOf(node.children[otherwise + 2]),
    );
  node.children.forEach((word, at) => {
    if (word.name !== 'except') return;
    const rest = node.children.slice(at + 1);
    const body = rest.find(({ name }) => name === 'Body');
    if (body === undefined) return;
    const caught = file.source.slice(word.to, body.from);
    const isBroad = caught.trim() === '' || /\b(?:Base)?Exception\b|\bAssertionError\b/.test(caught);
    if (doesNothing(body, file)) {
      if (isBroad || (inTest && !expected)) file.add('empty-catch', word);
      return;
    }
    const swallows = inTest && isBroad && /\bassert\b/.test(tried === undefined ? '' : file.textOf(tried));
    if (swallows && !/\braise\b|\bassert|\bfail\b/.test(file.textOf(body))) file.add('catch-all', word);
  });
}

/** `with suppress(Exception): assert …`. */
function aboutSuppressed(visit: PyVisit, file: PySource): void {
  const text = file.textOf(visit.node);
  const isBroad = /^(?:async\s+)?with\s+(?:contextlib\.)?suppress\([^)]*\b(?:Base)?(?:Exception|AssertionError)\b/.test(
    text,
  );
  if (isBroad && isInTest(visit, file) && /\bassert\b/.test(text)) file.add('catch-all', visit.node);
}

const assertionWords = /assert|raises|expect|verif|check|should|fail|warns|ensure|match|benchmark|snapshot/i;

/** By its own words, or by those of a function of this file that it calls. */
function mayAssert(body: PyNode, file: PySource, helpers: ReadonlySet<string>): boolean {
  if (assertionWords.test(withoutComments(body, file))) return true;
  const called = file.textOf(body).matchAll(/(?:^|[^.\w])(?:self\.)?(\w+)\s*\(/g);
  return [...called].some(([, name = '']) => helpers.has(name));
}

/** Functions of the file that assert something. */
function assertingFunctions(file: PySource): ReadonlySet<string> {
  const functions = file.all.map(({ node }) => node).filter(({ name }) => name === 'FunctionDefinition');
  return new Set(
    functions
      .filter((node) => assertionWords.test(withoutComments(node, file)))
      .map((node) => nameOfFunction(node, file)),
  );
}

function withoutComments(node: PyNode, file: PySource): string {
  return file.textOf(node).replaceAll(/(^|\s)#[^\n]*/g, '');
}

function aboutTest(visit: PyVisit, file: PySource, helpers: ReadonlySet<string>): void {
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
  if (!mayAssert(body, file, helpers)) file.add('no-assertion', node);
  // The only thing it can fail by is that an error comes.
  const words = withoutComments(body, file);
  if (
    /\bexcept\b[^\n]*:\s*(?:pytest|self)\.fail\(/.test(words) &&
    words.match(new RegExp(assertionWords, 'gi'))?.length === 1
  )
    file.add('no-error', node);
  const status = promisedStatus(nameOfFunction(node, file));
  if (
    status !== undefined &&
    !file.textOf(body).includes(status) &&
    !/HTTPStatus|status\.HTTP_|snapshot/.test(file.textOf(body))
  )
    file.add('name-and-content', node, `status ${status}`);
  const asserted = body.children.find((each) => assertionWords.test(withoutComments(each, file)));
  for (const statement of body.children.filter(({ name }) => name === 'IfStatement')) {
    const branch = childNamed(statement, 'Body');
    const parts = statementsOf(branch);
    const returns = parts.filter((part) => part.name === 'ReturnStatement' && part.children.length === 1);
    const prints = parts.filter((part) =>
      /^(?:print|warnings\.warn|log(?:ger|ging)?\.\w+)\s*\(/.test(file.textOf(part)),
    );
    const isWarning = prints.length > 0 && prints.length + returns.length === parts.length;
    if (isWarning && (returns.length > 0 || prints.some((part) => /^(?:warnings|log)/.test(file.textOf(part)))))
      file.add('warn-and-go-on', statement);
    if (isWarning || returns.length !== parts.length || parts.length === 0) continue;
    const test = statement.children[1];
    // What leaves after an assertion has asserted something.
    if (asserted !== undefined && asserted.from < statement.from) continue;
    if (asksAboutMachine(file.textOf(test)) || statement.children.some(({ name }) => name === 'else')) continue;
    if (!hasReference(file, statement)) file.add('early-return', statement);
  }
}

/** `raise NotImplementedError("waiting for M-007")` is a stub too. */
function aboutRaised(file: PySource): void {
  for (const { node } of file.all) {
    if (node.name !== 'RaiseStatement') continue;
    file.addIssues(findAbandonment({ text: file.textOf(node), line: file.lineOf(node) }));
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
