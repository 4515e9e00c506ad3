/**
 * Reading a Babel syntax tree without trusting its shape: small questions about nodes, all total.
 */

export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
}

export function nodeAt(node: Node | undefined, key: string): Node | undefined {
  const value = node?.[key];
  return isNode(value) ? value : undefined;
}

export function nodesAt(node: Node | undefined, key: string): Node[] {
  const value = node?.[key];
  return Array.isArray(value) ? value.filter(isNode) : [];
}

const notChildren = new Set([
  'loc',
  'extra',
  'leadingComments',
  'trailingComments',
  'innerComments',
  'errors',
  'comments',
  'tokens',
]);

/** In source order. */
export function childNodes(node: Node): Node[] {
  const found: Node[] = [];
  for (const key of Object.keys(node)) {
    if (notChildren.has(key)) continue;
    const value = node[key];
    if (isNode(value)) found.push(value);
    else if (Array.isArray(value)) for (const each of value) if (isNode(each)) found.push(each);
  }
  return found;
}

export function nameOf(node: Node | undefined): string | undefined {
  if (node === undefined) return undefined;
  if (node.type === 'Identifier' && typeof node['name'] === 'string') return node['name'];
  if (node.type === 'StringLiteral' && typeof node['value'] === 'string') return node['value'];
  return node.type === 'ThisExpression' ? 'this' : undefined;
}

export function isFunction(node: Node | undefined): boolean {
  return (
    node?.type === 'ArrowFunctionExpression' ||
    node?.type === 'FunctionExpression' ||
    node?.type === 'FunctionDeclaration'
  );
}

export function isMember(node: Node): boolean {
  return node.type === 'MemberExpression' || node.type === 'OptionalMemberExpression';
}

export function isCall(node: Node): boolean {
  return node.type === 'CallExpression' || node.type === 'OptionalCallExpression';
}

/** Past what does not change the value: parentheses, type assertions, await. */
export function unwrapNode(node: Node | undefined): Node | undefined {
  let inner = node;
  while (
    inner !== undefined &&
    /^(?:ParenthesizedExpression|TSAsExpression|TSSatisfiesExpression|TSNonNullExpression|TSTypeAssertion|AwaitExpression|ChainExpression)$/.test(
      inner.type,
    )
  ) {
    inner = nodeAt(inner, inner.type === 'AwaitExpression' ? 'argument' : 'expression');
  }
  return inner;
}

const maxLinks = 100;

export interface Chain {
  /** `test.skip.each(table)` is root `test`, links `skip`, `each`. */
  readonly root: Node;
  readonly links: readonly string[];
  /** Every node between the top and the root, the root included. */
  readonly nodes: readonly Node[];
}

/** A chain of members and calls down to what it starts from. */
export function chainOf(node: Node, stopAt: (node: Node) => boolean, limit = maxLinks): Chain {
  const links: string[] = [];
  const nodes: Node[] = [];
  let current: Node = node;
  for (let depth = 0; depth < limit; depth += 1) {
    const next = isMember(current)
      ? nodeAt(current, 'object')
      : isCall(current)
        ? nodeAt(current, 'callee')
        : current.type === 'TaggedTemplateExpression'
          ? nodeAt(current, 'tag')
          : undefined;
    if (next === undefined || stopAt(current)) break;
    if (isMember(current)) links.push(nameOf(nodeAt(current, 'property')) ?? '');
    current = unwrapNode(next) ?? next;
    nodes.push(current);
  }
  return { root: current, links: links.toReversed(), nodes };
}

/** A literal's value as comparable text and truth; undefined for anything that is not constant. */
export function constantOf(node: Node | undefined): { readonly text: string; readonly truthy: boolean } | undefined {
  const value = unwrapNode(node);
  if (value === undefined) return undefined;
  switch (value.type) {
    case 'BooleanLiteral':
    case 'NumericLiteral':
    case 'StringLiteral':
      return { text: JSON.stringify(value['value']), truthy: Boolean(value['value']) };
    case 'NullLiteral':
      return { text: 'null', truthy: false };
    case 'Identifier':
      return nameOf(value) === 'undefined' ? { text: 'undefined', truthy: false } : undefined;
    case 'UnaryExpression': {
      const inner = constantOf(nodeAt(value, 'argument'));
      if (inner === undefined) return undefined;
      if (value['operator'] === '!') return { text: String(!inner.truthy), truthy: !inner.truthy };
      return value['operator'] === '-' ? { text: `-${inner.text}`, truthy: inner.truthy } : undefined;
    }
    case 'ArrayExpression':
      return nodesAt(value, 'elements').length === 0 ? { text: '[]', truthy: true } : undefined;
    case 'ObjectExpression':
      return nodesAt(value, 'properties').length === 0 ? { text: '{}', truthy: true } : undefined;
    default:
      return undefined;
  }
}

/** Whether evaluating it twice must give the same: names, members and constants only. */
export function isPure(node: Node | undefined): boolean {
  let value = unwrapNode(node);
  for (let depth = 0; value !== undefined && depth < maxLinks; depth += 1) {
    if (constantOf(value) !== undefined || value.type === 'Identifier' || value.type === 'ThisExpression') return true;
    if (!isMember(value) || value['computed'] === true) return false;
    value = unwrapNode(nodeAt(value, 'object'));
  }
  return false;
}
