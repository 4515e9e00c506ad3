/**
 * Silent writes in JavaScript: an UPDATE or DELETE whose result nobody looks at, a door that is open when nobody stands in
 * front of it, a catch that reports success. Only what the syntax shows for certain. Pure.
 */
import {
  constantOf,
  isCall,
  isMember,
  type Node,
  nameOf,
  nodeAt,
  nodesAt,
  unwrapNode,
} from '../../evidence/weakened/js-nodes.ts';
import type { FoundIssue } from '../plan-issue.ts';
import type { JsSource } from './js-discipline.ts';
import { ruleIssue } from './rule-texts.ts';

export function checkWrites({ all, source, lineOf }: JsSource): FoundIssue[] {
  return all.flatMap(({ node }): FoundIssue[] => {
    const line = lineOf(node.start);
    if (node.type === 'ExpressionStatement' && isDroppedWrite(nodeAt(node, 'expression'), source))
      return [ruleIssue('silent-write', line)];
    if (node.type === 'IfStatement' && isMissingContext(nodeAt(node, 'test')) && lets(nodeAt(node, 'consequent')))
      return [ruleIssue('open-door', line)];
    if (node.type === 'CatchClause' && returnsSuccess(nodeAt(node, 'body')))
      return [ruleIssue('error-as-success', line)];
    return [];
  });
}

function isDroppedWrite(expression: Node | undefined, source: string): boolean {
  const call = unwrapNode(expression);
  const callee = call !== undefined && isCall(call) ? nodeAt(call, 'callee') : undefined;
  if (call === undefined || callee === undefined || !isMember(callee)) return false;
  if (!/^(?:query|execute|exec|run|raw|\$executeRawUnsafe)$/.test(nameOf(nodeAt(callee, 'property')) ?? ''))
    return false;
  const [first] = nodesAt(call, 'arguments');
  const text = first === undefined ? '' : source.slice(first.start, Math.min(first.end, first.start + 200));
  return /^[`'"]\s*(?:UPDATE|DELETE\s+FROM)\b/i.test(text);
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
  const name = nameOf(isMember(subject) ? nodeAt(subject, 'property') : subject) ?? '';
  return /^(?:user|currentUser|session|auth|principal|tenant|role|roles|permissions?|claims|actor)$/.test(name);
}

/** `return next()`, `return true`, `next()`. */
function lets(branch: Node | undefined): boolean {
  const statements = branch?.type === 'BlockStatement' ? nodesAt(branch, 'body') : branch === undefined ? [] : [branch];
  const [only] = statements;
  if (statements.length !== 1 || only === undefined) return false;
  const value = unwrapNode(nodeAt(only, only.type === 'ReturnStatement' ? 'argument' : 'expression'));
  if (value === undefined) return false;
  if (isCall(value)) return nameOf(nodeAt(value, 'callee')) === 'next' && nodesAt(value, 'arguments').length === 0;
  return only.type === 'ReturnStatement' && constantOf(value)?.text === 'true';
}

function returnsSuccess(body: Node | undefined): boolean {
  const statements = nodesAt(body, 'body');
  const last = statements.at(-1);
  if (
    last?.type !== 'ReturnStatement' ||
    statements.some(({ type }) => type === 'ThrowStatement' || type === 'IfStatement')
  )
    return false;
  const value = unwrapNode(nodeAt(last, 'argument'));
  if (constantOf(value)?.text === 'true') return true;
  return nodesAt(value, 'properties').some(
    (property) =>
      /^(?:ok|success|succeeded)$/.test(nameOf(nodeAt(property, 'key')) ?? '') &&
      constantOf(nodeAt(property, 'value'))?.text === 'true',
  );
}
