/**
 * Which names a Python file binds: those of the module itself, which others can import, and how often a name is bound
 * anywhere in it, so that one bound once can be taken for what it is. More names than there are do no harm here.
 */
import { boundBy, importsOf } from './python-imports.ts';
import type { PyNode } from './python-tree.ts';

export interface PyVisit {
  readonly node: PyNode;
  readonly parent: PyVisit | undefined;
}

/** In source order. */
export function pyVisits(root: PyNode): PyVisit[] {
  const found: PyVisit[] = [];
  const stack: PyVisit[] = [{ node: root, parent: undefined }];
  for (let visit = stack.pop(); visit !== undefined; visit = stack.pop()) {
    found.push(visit);
    for (let at = visit.node.children.length - 1; at >= 0; at -= 1) {
      const node = visit.node.children[at];
      if (node !== undefined) stack.push({ node, parent: visit });
    }
  }
  return found;
}

export interface PyNames {
  /** Bound in the module's own scope: the node that binds it, and how often. */
  readonly module: ReadonlyMap<string, { readonly node: PyNode; readonly count: number }>;
  readonly anywhere: ReadonlyMap<string, number>;
}

export function pythonNames(all: readonly PyVisit[], source: string): PyNames {
  const module = new Map<string, { node: PyNode; count: number }>();
  const anywhere = new Map<string, number>();
  const roots = new Set<string>();
  const add = (name: string, node: PyNode, isOwn: boolean): void => {
    anywhere.set(name, (anywhere.get(name) ?? 0) + 1);
    if (isOwn) module.set(name, { node, count: (module.get(name)?.count ?? 0) + 1 });
  };
  for (const visit of all) {
    const { node } = visit;
    const found = boundIn(node, source);
    if (found.length === 0) continue;
    const isOwn = !isInScope(visit) || node.name === 'ScopeStatement';
    for (const { name, again } of found) {
      if (again && roots.has(name)) continue;
      add(name, node, isOwn);
      if (again) roots.add(name);
    }
  }
  return { module, anywhere };
}

function isInScope(visit: PyVisit): boolean {
  for (let around = visit.parent; around !== undefined; around = around.parent)
    if (/^(?:FunctionDefinition|ClassDefinition|LambdaExpression)$/.test(around.node.name)) return true;
  return false;
}

interface Bound {
  readonly name: string;
  /** `import a.b` and `import a.c` bind the same `a`. */
  readonly again: boolean;
}

function boundIn(node: PyNode, source: string): Bound[] {
  if (node.name !== 'ImportStatement') return namesIn(node, source).map((name) => ({ name, again: false }));
  return importsOf(node, source).flatMap((found) => {
    const name = boundBy(found);
    return name === undefined ? [] : [{ name, again: found.type === 'module' && found.as === undefined }];
  });
}

function namesIn(node: PyNode, source: string): string[] {
  const { children } = node;
  switch (node.name) {
    case 'FunctionDefinition':
    case 'ClassDefinition':
    case 'NamedExpression':
    case 'TypeDefinition':
      return children
        .filter(({ name }) => name === 'VariableName')
        .slice(0, 1)
        .map(textIn(source));
    case 'AssignStatement':
      return targetNames(children.slice(0, Math.max(1, lastPlace(children, 'AssignOp'))), source);
    case 'UpdateStatement':
      return targetNames(children.slice(0, 1), source);
    case 'DeleteStatement':
    case 'ScopeStatement':
      return targetNames(children, source);
    case 'ParamList':
      return children
        .filter((child, at) => child.name === 'VariableName' && isParameter(children, at))
        .map(textIn(source));
    case 'WithStatement':
    case 'TryStatement':
      return children.flatMap((child, at) => (children[at - 1]?.name === 'as' ? targetNames([child], source) : []));
    default:
      if (!children.some((child) => child.name === 'for')) return [];
      return children.flatMap((child, at) => (isLoopTarget(children, at) ? targetNames([child], source) : []));
  }
}

function textIn(source: string): (node: PyNode) => string {
  return ({ from, to }) => source.slice(from, to);
}

function lastPlace(children: readonly PyNode[], name: string): number {
  return children.findLastIndex((child) => child.name === name);
}

/** A default's value is a name too, but not a parameter. */
function isParameter(children: readonly PyNode[], at: number): boolean {
  return children[at - 1]?.name !== 'AssignOp';
}

function isLoopTarget(children: readonly PyNode[], at: number): boolean {
  for (let before = at - 1; before >= Math.max(0, at - 50); before -= 1) {
    const name = children[before]?.name;
    if (name === 'in') return false;
    if (name === 'for') return true;
  }
  return false;
}

/** Names, and those within tuples and lists; not what only has a member set. */
function targetNames(nodes: readonly PyNode[], source: string): string[] {
  const names: string[] = [];
  const stack = nodes.toReversed();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.name === 'VariableName') names.push(source.slice(node.from, node.to));
    if (/^(?:Tuple|Array|Parenthesized)Expression$/.test(node.name)) stack.push(...node.children.toReversed());
  }
  return names;
}
