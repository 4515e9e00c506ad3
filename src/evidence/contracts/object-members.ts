/**
 * The members of a value that is written out: an object, a class, a function, or the object that a function called in
 * place returns. Undefined where something computed, spread or inherited may add more, or where a method sets members.
 */
import { isCall, isFunction, isMember, type Node, nameOf, nodeAt, nodesAt, unwrapNode } from '../weakened/js-nodes.ts';
import { functionAround, memberName, patternNames, visitNodes } from './js-walk.ts';

export function membersOf(value: Node | undefined): ReadonlySet<string> | undefined {
  const node = unwrapNode(value);
  if (node === undefined) return undefined;
  switch (node.type) {
    case 'ObjectExpression':
      return ofObject(node);
    case 'ClassDeclaration':
    case 'ClassExpression':
      return ofClass(node);
    case 'FunctionDeclaration':
      return new Set();
    case 'CallExpression':
      return ofReturned(node);
    case 'LogicalExpression':
      // `App || {}`: whoever else makes it is asked too.
      return membersOf(nodeAt(node, 'right'));
    default:
      return undefined;
  }
}

function ofObject(object: Node): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  for (const property of nodesAt(object, 'properties')) {
    const name = property['computed'] === true ? undefined : nameOf(nodeAt(property, 'key'));
    if (name === undefined) return undefined;
    names.add(name);
  }
  return addThis(object, names);
}

/** `this.x = …` in a method; a `this` that gets another name could do anything. */
function addThis(object: Node, names: Set<string>): ReadonlySet<string> | undefined {
  for (const { node, parent } of visitNodes(object)) {
    if (node.type !== 'ThisExpression') continue;
    const around = parent?.node;
    const member = around !== undefined && isMember(around) ? memberName(around) : undefined;
    if (member === undefined) return undefined;
    const outer = parent?.parent?.node;
    if (outer?.type === 'AssignmentExpression' && outer['left'] === around) names.add(member);
  }
  return names;
}

function ofClass(node: Node): ReadonlySet<string> | undefined {
  if (nodeAt(node, 'superClass') !== undefined || nodesAt(node, 'decorators').length > 0) return undefined;
  const names = new Set<string>();
  for (const member of nodesAt(nodeAt(node, 'body'), 'body')) {
    if (member.type === 'StaticBlock' || member['computed'] === true) return undefined;
    const name = nameOf(nodeAt(member, 'key'));
    if (member['static'] !== true || name === undefined) continue;
    names.add(name);
    if (addThis(member, names) === undefined) return undefined;
  }
  return names;
}

/** `(function () { …; return { a, b }; })()`, with one return only. */
function ofReturned(call: Node): ReadonlySet<string> | undefined {
  const callee = unwrapNode(nodeAt(call, 'callee'));
  const body = isCall(call) && isFunction(callee) ? nodeAt(callee, 'body') : undefined;
  if (body === undefined || callee?.['async'] === true) return undefined;
  const all = visitNodes(body);
  const returns = all.filter((visit) => visit.node.type === 'ReturnStatement' && functionAround(visit) === undefined);
  const value = unwrapNode(nodeAt(returns[0]?.node, 'argument'));
  if (returns.length !== 1 || value === undefined) return undefined;
  if (value.type === 'ObjectExpression') return ofObject(value);
  const name = nameOf(value);
  if (value.type !== 'Identifier' || name === undefined) return undefined;
  return ofLocal(name, all);
}

/** The object that goes by a name within the function, with what is set on it. */
function ofLocal(name: string, all: ReturnType<typeof visitNodes>): ReadonlySet<string> | undefined {
  const makers = all.filter(
    ({ node }) => node.type === 'VariableDeclarator' && patternNames(nodeAt(node, 'id')).includes(name),
  );
  const made = unwrapNode(nodeAt(makers[0]?.node, 'init'));
  if (makers.length !== 1 || made?.type !== 'ObjectExpression') return undefined;
  const names = new Set(ofObject(made) ?? []);
  if (ofObject(made) === undefined) return undefined;
  for (const { node, parent } of all) {
    if (node.type !== 'Identifier' || nameOf(node) !== name) continue;
    const around = parent?.node;
    const isKey = around?.type === 'VariableDeclarator' || around?.type === 'ReturnStatement';
    const member =
      around !== undefined && isMember(around) && around['object'] === node ? memberName(around) : undefined;
    if (member !== undefined) names.add(member);
    else if (
      !isKey &&
      !(around !== undefined && isMember(around) && around['computed'] !== true && around['property'] === node)
    )
      return undefined;
  }
  return names;
}
