/**
 * What of a piece of JavaScript runs for certain, under a condition, never, or without its failures being seen. Looks
 * at one node and its children only, so that a walk over a file stays linear: what follows a `return` in the same
 * list is dead, a branch is conditional unless its condition is a constant, and a `try` whose `catch` neither
 * throws nor calls anything nor keeps anything swallows what its block asserts.
 */
import { childNodes, constantOf, isCall, isFunction, nameOf, nodeAt, nodesAt, type Node } from './js-nodes.ts';

export type Reach = 'runs' | 'conditional' | 'dead' | 'swallowed';

export interface ReachedNode {
  readonly node: Node;
  readonly reach: Reach;
}

/** In source order. */
export function reachedChildren(node: Node): ReachedNode[] {
  const reachOf = reachIn(node);
  return childNodes(node).map((child) => ({ node: child, reach: reachOf(child) }));
}

/** `return;` and the like: what a test gives back that is no promise and no value. */
export function isBareReturn(node: Node): boolean {
  if (node.type !== 'ReturnStatement') return false;
  const value = nodeAt(node, 'argument');
  return (
    value === undefined ||
    constantOf(value) !== undefined ||
    (value.type === 'UnaryExpression' && value['operator'] === 'void')
  );
}

function reachIn(node: Node): (child: Node) => Reach {
  switch (node.type) {
    case 'Program':
    case 'BlockStatement':
      return afterEnd(nodesAt(node, 'body'));
    case 'SwitchCase':
      return () => 'conditional';
    case 'IfStatement':
    case 'ConditionalExpression':
      return branches(node);
    case 'LogicalExpression': {
      const left = constantOf(nodeAt(node, 'left'));
      const decided =
        left === undefined ? 'conditional' : left.truthy === (node['operator'] === '&&') ? 'runs' : 'dead';
      return (child) => (child === node['right'] ? decided : 'runs');
    }
    case 'TryStatement': {
      const swallowed = swallows(node);
      return (child) => (swallowed && child === node['block'] ? 'swallowed' : 'runs');
    }
    default:
      return () => 'runs';
  }
}

function afterEnd(statements: readonly Node[]): (child: Node) => Reach {
  const end = statements.find((statement) => ends(statement, 0));
  // Functions are declared before anything runs.
  return (child) =>
    end !== undefined && child.start > end.start && child.type !== 'FunctionDeclaration' ? 'dead' : 'runs';
}

function branches(node: Node): (child: Node) => Reach {
  const test = nodeAt(node, 'test');
  // Vitest's tests within a source file stand in `if (import.meta.vitest)`.
  const inSource = nodeAt(test, 'object')?.type === 'MetaProperty' && nameOf(nodeAt(test, 'property')) === 'vitest';
  const constant = inSource ? { truthy: true } : constantOf(test);
  return (child) => {
    if (child !== node['consequent'] && child !== node['alternate']) return 'runs';
    if (constant === undefined) return 'conditional';
    return constant.truthy === (child === node['consequent']) ? 'runs' : 'dead';
  };
}

const maxDepth = 12;

/** Does nothing after the statement run? Nested blocks are looked into up to a depth. */
function ends(node: Node | undefined, depth: number): boolean {
  if (node === undefined || depth > maxDepth) return false;
  switch (node.type) {
    case 'ReturnStatement':
    case 'ThrowStatement':
    case 'BreakStatement':
    case 'ContinueStatement':
      return true;
    case 'BlockStatement':
      return nodesAt(node, 'body').some((statement) => ends(statement, depth + 1));
    case 'IfStatement': {
      const constant = constantOf(nodeAt(node, 'test'));
      const [then, otherwise] = [nodeAt(node, 'consequent'), nodeAt(node, 'alternate')];
      if (constant !== undefined) return ends(constant.truthy ? then : otherwise, depth + 1);
      return ends(then, depth + 1) && ends(otherwise, depth + 1);
    }
    default:
      return false;
  }
}

/** More than any handler that only swallows. */
const maxHandler = 300;

function swallows(node: Node): boolean {
  const last = nodesAt(nodeAt(node, 'finalizer'), 'body').at(-1);
  if (last !== undefined && isBareReturn(last)) return true;
  const handler = nodeAt(node, 'handler');
  if (handler === undefined) return false;
  const stack = nodesAt(nodeAt(handler, 'body'), 'body');
  for (let seen = 0; stack.length > 0; seen += 1) {
    const next = stack.pop();
    if (next === undefined || seen > maxHandler) return false;
    // A call may assert or end the test, an assignment keeps something to be looked at later.
    if (/^(?:ThrowStatement|AssignmentExpression|UpdateExpression)$/.test(next.type)) return false;
    if (isCall(next) && !isConsole(next)) return false;
    if (isFunction(next) || (next.type === 'ReturnStatement' && !isBareReturn(next))) return false;
    stack.push(...childNodes(next));
  }
  return true;
}

function isConsole(call: Node): boolean {
  return nameOf(nodeAt(nodeAt(call, 'callee'), 'object')) === 'console';
}
