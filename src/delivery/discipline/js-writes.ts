/**
 * Silent writes in JavaScript: an UPDATE or DELETE whose result nobody looks at, access that is
 * allowed when the user is missing, a catch that reports success. Only what the syntax shows for certain. Pure.
 */
import { functionAround, type Visit } from '../../evidence/contracts/js-walk.ts';
import {
  chainOf,
  constantOf,
  isCall,
  isFunction,
  isMember,
  type Node,
  nameOf,
  nodeAt,
  nodesAt,
  unwrapNode,
} from '../../evidence/weakened/js-nodes.ts';
import type { FoundIssue } from '../plan-issue.ts';
import type { JsSource } from './js-source.ts';
import { ruleIssue } from './rule-texts.ts';
import { isAboutContext, isDoor, isPartialWrite } from './write-words.ts';

export function checkWrites({ all, source, lineOf }: JsSource): FoundIssue[] {
  return all.flatMap((visit): FoundIssue[] => {
    const { node } = visit;
    const line = lineOf(node.start);
    if (node.type === 'ExpressionStatement' && isDroppedWrite(nodeAt(node, 'expression'), source))
      return [ruleIssue('silent-write', line)];
    if (opensDoor(visit)) return [ruleIssue('open-door', line)];
    if (node.type === 'TryStatement' && hidesErrors(node))
      return [ruleIssue('error-as-success', lineOf(nodeAt(node, 'handler')?.start ?? node.start))];
    if (isCall(node) && hidesRejection(node)) return [ruleIssue('error-as-success', line)];
    return [];
  });
}

function isDroppedWrite(expression: Node | undefined, source: string): boolean {
  const call = unwrapNode(expression);
  if (call === undefined || !isCall(call)) return false;
  const { links, nodes } = chainOf(call, () => false);
  const method = links.at(-1) ?? '';
  const calls = [call, ...nodes].filter(isCall);
  if (/^(?:query|execute|exec|run|raw|\$executeRawUnsafe)$/.test(method))
    return calls.some((each) => isPartialWrite(sqlOf(nodesAt(each, 'arguments')[0], source)));
  // An object mapper: what it gives back says how many rows there were.
  const [first] = nodesAt(call, 'arguments');
  const isAll = first === undefined || constantOf(first)?.text === '{}';
  if (/^(?:updateMany|updateOne|deleteMany|deleteOne)$/.test(method)) return !isAll;
  return links.includes('where') && /^(?:update|del|delete|where)$/.test(method) && links.some(isChange);
}

const isChange = (link: string): boolean => /^(?:update|del|delete)$/.test(link);

/** The text of a statement: a string, a template, or one with a tag. */
function sqlOf(node: Node | undefined, source: string): string {
  if (node === undefined) return '';
  const text = source.slice(node.start, Math.min(node.end, node.start + 2000));
  return /^(?:[\w.$]+\s*)?([`'"])/.test(text) ? text.replace(/^(?:[\w.$]+\s*)?[`'"]/, '') : '';
}

/** `if (!req.user) return next();`, `return !user || …` in what decides about access. */
function opensDoor(visit: Visit): boolean {
  const { node } = visit;
  if (node.type === 'IfStatement' && isMissingContext(nodeAt(node, 'test'))) {
    const way = wayOf(nodeAt(node, 'consequent'));
    return way === 'next' || (way === 'true' && isDoor(nameAround(visit)));
  }
  if (node.type !== 'LogicalExpression' || node['operator'] !== '||' || !isMissingContext(nodeAt(node, 'left')))
    return false;
  const isResult = visit.parent?.node.type === 'ReturnStatement' || isFunction(visit.parent?.node);
  const name = nameAround(visit);
  return isResult && name !== '' && isDoor(name);
}

/** What the function around is called, or what it is assigned to. */
function nameAround(visit: Visit): string {
  const around = functionAround(visit);
  for (let at = visit.parent; at !== undefined; at = at.parent) {
    if (at.node !== around) continue;
    const holder = at.parent?.node;
    const own = nameOf(nodeAt(around, 'id')) ?? nameOf(nodeAt(around, 'key'));
    return own ?? nameOf(nodeAt(holder, 'id')) ?? nameOf(nodeAt(holder, 'key')) ?? '';
  }
  return '';
}

/** `!user`, `!req.session`, `ctx.tenant == null`. */
function isMissingContext(test: Node | undefined): boolean {
  const value = unwrapNode(test);
  const subject =
    value?.type === 'UnaryExpression' && value['operator'] === '!'
      ? unwrapNode(nodeAt(value, 'argument'))
      : value?.type === 'BinaryExpression' &&
          /^={2,3}$/.test(String(value['operator'])) &&
          /^(?:null|undefined)$/.test(constantOf(nodeAt(value, 'right'))?.text ?? '')
        ? unwrapNode(nodeAt(value, 'left'))
        : undefined;
  if (subject === undefined) return false;
  return isAboutContext(nameOf(isMember(subject) ? nodeAt(subject, 'property') : subject) ?? '');
}

/** `return next()`, `next()`, `{ next(); return; }`, `return true`. */
function wayOf(branch: Node | undefined): 'next' | 'true' | undefined {
  const statements = branch?.type === 'BlockStatement' ? nodesAt(branch, 'body') : branch === undefined ? [] : [branch];
  const [first, second, ...more] = statements;
  const isBare =
    second === undefined || (second.type === 'ReturnStatement' && nodeAt(second, 'argument') === undefined);
  if (first === undefined || !isBare || more.length > 0) return undefined;
  const value = unwrapNode(nodeAt(first, first.type === 'ReturnStatement' ? 'argument' : 'expression'));
  if (value === undefined) return undefined;
  if (isCall(value))
    return nameOf(nodeAt(value, 'callee')) === 'next' && nodesAt(value, 'arguments').length === 0 ? 'next' : undefined;
  return first.type === 'ReturnStatement' && constantOf(value)?.text === 'true' ? 'true' : undefined;
}

/** A catch that answers as if nothing had happened. What returns something else than `true` when all is well asks a question. */
function hidesErrors(node: Node): boolean {
  const statements = nodesAt(nodeAt(nodeAt(node, 'handler'), 'body'), 'body');
  const last = statements.at(-1);
  if (last === undefined || statements.some(({ type }) => type === 'ThrowStatement' || type === 'IfStatement'))
    return false;
  const value = unwrapNode(nodeAt(last, last.type === 'ReturnStatement' ? 'argument' : 'expression'));
  if (saysSuccess(value)) return true;
  if (last.type !== 'ReturnStatement' || constantOf(value)?.text !== 'true') return false;
  return returnsIn(nodeAt(node, 'block')).every((each) => constantOf(each)?.text === 'true');
}

function returnsIn(block: Node | undefined): Node[] {
  return nodesAt(block, 'body').flatMap((statement) => {
    const value = statement.type === 'ReturnStatement' ? nodeAt(statement, 'argument') : undefined;
    if (value !== undefined) return [value];
    if (statement.type === 'BlockStatement') return returnsIn(statement);
    if (statement.type !== 'IfStatement') return [];
    return [nodeAt(statement, 'consequent'), nodeAt(statement, 'alternate')].flatMap((branch) =>
      branch?.type === 'BlockStatement'
        ? returnsIn(branch)
        : branch?.type === 'ReturnStatement'
          ? (nodeAt(branch, 'argument') ?? [])
          : [],
    );
  });
}

/** `.catch(() => true)`, `.catch(() => ({ ok: true }))`. */
function hidesRejection(call: Node): boolean {
  const callee = nodeAt(call, 'callee');
  if (callee === undefined || !isMember(callee) || nameOf(nodeAt(callee, 'property')) !== 'catch') return false;
  const [handler] = nodesAt(call, 'arguments');
  const value = isFunction(handler) ? unwrapNode(nodeAt(handler, 'body')) : undefined;
  return saysSuccess(value) || (value?.type === 'BooleanLiteral' && constantOf(value)?.text === 'true');
}

/** `{ ok: true }`, `{ status: 'ok' }`, or an answer with one: `res.json({ success: true })`. */
function saysSuccess(value: Node | undefined): boolean {
  if (value === undefined) return false;
  if (isCall(value)) {
    const callee = nodeAt(value, 'callee');
    const isAnswer =
      callee !== undefined && isMember(callee) && /^(?:json|send)$/.test(nameOf(nodeAt(callee, 'property')) ?? '');
    return (
      isAnswer && nodesAt(value, 'arguments').some((each) => each.type === 'ObjectExpression' && saysSuccess(each))
    );
  }
  return nodesAt(value, 'properties').some((property) => {
    const key = nameOf(nodeAt(property, 'key')) ?? '';
    const text = constantOf(nodeAt(property, 'value'))?.text ?? '';
    if (/^(?:ok|success|succeeded)$/.test(key)) return text === 'true';
    return /^(?:status|result)$/.test(key) && /^"(?:ok|success|succeeded)"$/i.test(text);
  });
}
