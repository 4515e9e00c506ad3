/**
 * Every node of a tree with what lies around it, and what a name means where it stands: whether it is a reference at
 * all, and whether its value is written, tested, needed or merely handed on. The walk keeps its own stack. No scopes:
 * a name that is declared once in a file can only mean that declaration, and others are left alone.
 */
import { childNodes, isFunction, isMember, type Node, nameOf, nodeAt, nodesAt } from '../weakened/js-nodes.ts';

export interface Visit {
  readonly node: Node;
  readonly parent: Visit | undefined;
  readonly depth: number;
}

/** In source order. */
export function visitNodes(program: Node): Visit[] {
  const found: Visit[] = [];
  const stack: Visit[] = [{ node: program, parent: undefined, depth: 0 }];
  for (let visit = stack.pop(); visit !== undefined; visit = stack.pop()) {
    found.push(visit);
    const children = childNodes(visit.node);
    for (let at = children.length - 1; at >= 0; at -= 1) {
      const node = children[at];
      if (node !== undefined) stack.push({ node, parent: visit, depth: visit.depth + 1 });
    }
  }
  return found;
}

/** How often each name is declared in the whole file, at any depth; assigning to it counts as declaring it again. */
export function countDeclarations(all: readonly Visit[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const count = (name: string | undefined): void => {
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  };
  for (const { node } of all) for (const name of declaredBy(node)) count(name);
  return counts;
}

function declaredBy(node: Node): (string | undefined)[] {
  switch (node.type) {
    case 'VariableDeclarator':
      return patternNames(nodeAt(node, 'id'));
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
    case 'ObjectMethod':
    case 'ClassMethod':
    case 'ClassPrivateMethod':
      return [
        ...(node.type.startsWith('Function') ? [nameOf(nodeAt(node, 'id'))] : []),
        ...nodesAt(node, 'params').flatMap((param) => patternNames(param)),
      ];
    case 'ClassDeclaration':
    case 'ClassExpression':
    case 'TSEnumDeclaration':
    case 'TSModuleDeclaration':
    case 'TSImportEqualsDeclaration':
      return [nameOf(nodeAt(node, 'id'))];
    case 'ImportSpecifier':
    case 'ImportDefaultSpecifier':
    case 'ImportNamespaceSpecifier':
      return [nameOf(nodeAt(node, 'local'))];
    case 'CatchClause':
      return patternNames(nodeAt(node, 'param'));
    case 'AssignmentExpression':
    case 'ForInStatement':
    case 'ForOfStatement':
      return patternNames(nodeAt(node, 'left'));
    case 'UpdateExpression':
      return [nameOf(nodeAt(node, 'argument'))];
    default:
      return [];
  }
}

/** The names a pattern binds. */
export function patternNames(pattern: Node | undefined): string[] {
  const names: string[] = [];
  const stack = pattern === undefined ? [] : [pattern];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const name = node.type === 'Identifier' ? nameOf(node) : undefined;
    if (name !== undefined) names.push(name);
    for (const key of ['left', 'argument', 'parameter'] as const) {
      const inner = partOfPattern(node, key);
      if (inner !== undefined) stack.push(inner);
    }
    if (node.type === 'ArrayPattern') stack.push(...nodesAt(node, 'elements'));
    if (node.type === 'ObjectPattern') {
      for (const property of nodesAt(node, 'properties')) {
        const inner = property.type === 'RestElement' ? property : nodeAt(property, 'value');
        if (inner !== undefined) stack.push(inner);
      }
    }
  }
  return names;
}

function partOfPattern(node: Node, key: 'left' | 'argument' | 'parameter'): Node | undefined {
  const holder = { left: 'AssignmentPattern', argument: 'RestElement', parameter: 'TSParameterProperty' }[key];
  return node.type === holder ? nodeAt(node, key) : undefined;
}

/** An identifier that stands for a value, not for a key, a label or a declaration. */
export function isReference({ node, parent }: Visit): boolean {
  if (node.type !== 'Identifier' && node.type !== 'JSXIdentifier') return false;
  const around = parent?.node;
  if (around === undefined) return false;
  switch (around.type) {
    case 'MemberExpression':
    case 'OptionalMemberExpression':
      return around['object'] === node || around['computed'] === true;
    case 'JSXMemberExpression':
      return around['object'] === node;
    case 'TSQualifiedName':
      return around['left'] === node;
    case 'ObjectProperty':
    case 'ClassProperty':
    case 'ClassAccessorProperty':
      return around['value'] === node || (around['computed'] === true && around['key'] === node);
    case 'ObjectMethod':
    case 'ClassMethod':
    case 'TSPropertySignature':
    case 'TSMethodSignature':
    case 'TSDeclareMethod':
    case 'TSEnumMember':
      return around['computed'] === true && around['key'] === node;
    case 'VariableDeclarator':
      return around['init'] === node;
    case 'AssignmentPattern':
      return around['right'] === node;
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return around['body'] === node;
    case 'ClassDeclaration':
    case 'ClassExpression':
      return around['superClass'] === node;
    case 'LabeledStatement':
    case 'BreakStatement':
    case 'ContinueStatement':
    case 'MetaProperty':
    case 'ImportSpecifier':
    case 'ImportDefaultSpecifier':
    case 'ImportNamespaceSpecifier':
    case 'ImportAttribute':
    case 'RestElement':
    case 'CatchClause':
    case 'JSXAttribute':
    case 'JSXNamespacedName':
    case 'ArrayPattern':
    case 'ObjectPattern':
      return false;
    default:
      return true;
  }
}

export type NameUse = 'written' | 'tested' | 'needed' | 'passed';

/** What happens to the value of an expression: `needed` throws, or makes nonsense, where there is none. */
export function useOf(visit: Visit): NameUse {
  let { node, parent } = visit;
  while (parent !== undefined && wrappers.has(parent.node.type)) ({ node, parent } = parent);
  const around = parent?.node;
  if (around === undefined) return 'passed';
  const at = (key: string): boolean => around[key] === node;
  switch (around.type) {
    case 'AssignmentExpression':
    case 'ForInStatement':
      return at('left') ? 'written' : isPattern(nodeAt(around, 'left')) ? 'needed' : 'passed';
    case 'ForOfStatement':
      return at('left') ? 'written' : at('right') ? 'needed' : 'passed';
    case 'UpdateExpression':
    case 'ArrayPattern':
    case 'RestElement':
      return 'written';
    case 'ObjectProperty':
      return parent?.parent?.node.type === 'ObjectPattern' ? 'written' : 'passed';
    case 'UnaryExpression':
      return unaryUse(String(around['operator']));
    case 'IfStatement':
    case 'WhileStatement':
    case 'DoWhileStatement':
    case 'ForStatement':
    case 'ConditionalExpression':
      return at('test') ? 'tested' : 'passed';
    case 'SwitchStatement':
    case 'LogicalExpression':
      return 'tested';
    case 'BinaryExpression':
      return binaryUse(String(around['operator']), at('left'));
    case 'MemberExpression':
    case 'TSQualifiedName':
    case 'JSXMemberExpression':
      return at('object') || at('left') ? 'needed' : 'passed';
    case 'OptionalMemberExpression':
    case 'OptionalCallExpression':
      if (!at('object') && !at('callee')) return 'passed';
      return around['optional'] === true ? 'tested' : 'needed';
    case 'CallExpression':
    case 'NewExpression':
      return at('callee') ? 'needed' : 'passed';
    case 'TaggedTemplateExpression':
    case 'TemplateLiteral':
    case 'JSXOpeningElement':
      return 'needed';
    case 'ClassDeclaration':
    case 'ClassExpression':
      return at('superClass') ? 'needed' : 'passed';
    case 'SpreadElement':
      return parent?.parent?.node.type === 'ObjectExpression' ? 'passed' : 'needed';
    case 'VariableDeclarator':
      return isPattern(nodeAt(around, 'id')) ? 'needed' : 'passed';
    default:
      return 'passed';
  }
}

const wrappers = new Set([
  'ParenthesizedExpression',
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSTypeAssertion',
]);

function isPattern(node: Node | undefined): boolean {
  return node?.type === 'ObjectPattern' || node?.type === 'ArrayPattern';
}

function unaryUse(operator: string): NameUse {
  if (operator === 'delete') return 'written';
  return operator === '-' || operator === '+' || operator === '~' ? 'needed' : 'tested';
}

function binaryUse(operator: string, left: boolean): NameUse {
  if (/^[!=]==?$/.test(operator)) return 'tested';
  return left && /^(?:instanceof|in)$/.test(operator) ? 'tested' : 'needed';
}

/** The innermost function around, or none. */
export function functionAround(visit: Visit): Node | undefined {
  for (let around = visit.parent; around !== undefined; around = around.parent)
    if (isFunction(around.node) || /^(?:Object|Class|ClassPrivate)Method$/.test(around.node.type)) return around.node;
  return undefined;
}

/** Whether it may be left out while everything around it runs, up to `within`. */
export function isConditional(visit: Visit, within: Node): boolean {
  let inner = visit.node;
  for (let around = visit.parent; around !== undefined && inner !== within; around = around.parent) {
    if (mayLeaveOut(around.node, inner)) return true;
    inner = around.node;
  }
  return false;
}

export function mayLeaveOut(around: Node, inner: Node): boolean {
  switch (around.type) {
    case 'IfStatement':
    case 'ConditionalExpression':
      return around['test'] !== inner;
    case 'LogicalExpression':
      return around['left'] !== inner;
    case 'ForStatement':
      return around['init'] !== inner && around['test'] !== inner;
    case 'WhileStatement':
      return around['test'] !== inner;
    case 'ForInStatement':
    case 'ForOfStatement':
      return around['right'] !== inner;
    case 'SwitchCase':
    case 'CatchClause':
    case 'TryStatement':
    case 'AssignmentPattern':
    case 'OptionalMemberExpression':
    case 'OptionalCallExpression':
      return true;
    default:
      return false;
  }
}

/** The member's name where it is written out: `a.b`, not `a[b]`. */
export function memberName(node: Node): string | undefined {
  if (node.type === 'TSQualifiedName') return nameOf(nodeAt(node, 'right'));
  if (node.type === 'JSXMemberExpression') return jsxName(nodeAt(node, 'property'));
  const property = nodeAt(node, 'property');
  if (!isMember(node) || property === undefined) return undefined;
  if (node['computed'] === true) return property.type === 'StringLiteral' ? nameOf(property) : undefined;
  return property.type === 'Identifier' ? nameOf(property) : undefined;
}

export function jsxName(node: Node | undefined): string | undefined {
  return node?.type === 'JSXIdentifier' && typeof node['name'] === 'string' ? node['name'] : nameOf(node);
}
