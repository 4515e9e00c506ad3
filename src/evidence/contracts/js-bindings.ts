/**
 * Which names of a JavaScript file stand for another module or for one of its names: imports, `require` in its usual
 * forms, `await import()` and `import().then()`. A name that is declared twice in a file could mean either and is left
 * out. What is loaded within a `try` may be missing, and what a test replaces is not what it names.
 */
import { isCall, isFunction, isMember, type Node, nameOf, nodeAt, nodesAt, unwrapNode } from '../weakened/js-nodes.ts';
import { memberName, type Visit } from './js-walk.ts';
import type { ImportForm } from './shape.ts';

export interface Binding {
  readonly specifier: string;
  /** `*` for the whole module. */
  readonly name: string;
  readonly access: ImportForm;
}

/** A name of another module that a statement takes: a missing one is missing there. */
export interface TakenMembers extends Binding {
  readonly node: Node;
}

export interface Bindings {
  readonly bound: ReadonlyMap<string, Binding>;
  readonly taken: readonly TakenMembers[];
  /** Modules whose names are set or replaced from here. */
  readonly touches: readonly string[];
}

export function jsBindings(all: readonly Visit[], declared: ReadonlyMap<string, number>): Bindings {
  const bound = new Map<string, Binding>();
  const taken: TakenMembers[] = [];
  const touches: string[] = [];
  const mocked = new Set<string>();
  const bind = (local: string | undefined, binding: Binding): void => {
    if (local !== undefined && declared.get(local) === 1) bound.set(local, binding);
  };
  for (const visit of all) {
    const { node } = visit;
    if (node.type === 'ImportDeclaration') readImport(node, bind, taken);
    else if (node.type === 'ExportNamedDeclaration') readReexport(node, taken);
    else if (node.type === 'TSImportEqualsDeclaration') {
      const specifier = nameOf(nodeAt(nodeAt(node, 'moduleReference'), 'expression'));
      if (specifier !== undefined) bind(nameOf(nodeAt(node, 'id')), { specifier, name: '*', access: 'require' });
    } else if (node.type === 'TSModuleDeclaration' && nodeAt(node, 'id')?.type === 'StringLiteral')
      touches.push(nameOf(nodeAt(node, 'id')) ?? '');
    else if (isCall(node) || node.type === 'ImportExpression') {
      const loaded = loads(node);
      const replaced = mocks(node);
      if (replaced !== undefined) mocked.add(replaced);
      if (loaded !== undefined && !isInTry(visit)) readLoaded(visit, loaded, { bind, taken });
    }
  }
  const isReal = ({ specifier }: Binding): boolean => !mocked.has(specifier);
  return {
    bound: new Map([...bound].filter(([, binding]) => isReal(binding))),
    taken: taken.filter(isReal),
    touches,
  };
}

type Bind = (local: string | undefined, binding: Binding) => void;

function readImport(node: Node, bind: Bind, taken: TakenMembers[]): void {
  const specifier = nameOf(nodeAt(node, 'source')) ?? '';
  for (const each of nodesAt(node, 'specifiers')) {
    const local = nameOf(nodeAt(each, 'local'));
    if (each.type === 'ImportNamespaceSpecifier') bind(local, { specifier, name: '*', access: 'import' });
    else {
      const name = each.type === 'ImportDefaultSpecifier' ? 'default' : (nameOf(nodeAt(each, 'imported')) ?? '');
      taken.push({ specifier, name, access: 'import', node: each });
      bind(local, { specifier, name, access: 'import' });
    }
  }
}

function readReexport(node: Node, taken: TakenMembers[]): void {
  const specifier = nameOf(nodeAt(node, 'source'));
  if (specifier === undefined) return;
  for (const each of nodesAt(node, 'specifiers')) {
    if (each.type === 'ExportNamespaceSpecifier') continue;
    const name = each.type === 'ExportDefaultSpecifier' ? 'default' : nameOf(nodeAt(each, 'local'));
    if (name !== undefined) taken.push({ specifier, name, access: 'import', node: each });
  }
}

interface Loaded {
  readonly specifier: string;
  readonly access: ImportForm;
}

/** `require('./a')` or `import('./a')` */
function loads(node: Node): Loaded | undefined {
  const callee = nodeAt(node, 'callee');
  const [first] = nodesAt(node, 'arguments');
  const source = node.type === 'ImportExpression' ? nodeAt(node, 'source') : first;
  const specifier = source?.type === 'StringLiteral' ? nameOf(source) : undefined;
  if (specifier === undefined) return undefined;
  if (node.type === 'ImportExpression' || callee?.type === 'Import') return { specifier, access: 'import' };
  return callee?.type === 'Identifier' && nameOf(callee) === 'require' ? { specifier, access: 'require' } : undefined;
}

/** `vi.mock('./a')`, `jest.doMock('./a')`, `mock.module('./a')`, `proxyquire('./a', …)` */
function mocks(node: Node): string | undefined {
  const callee = nodeAt(node, 'callee');
  const [first] = nodesAt(node, 'arguments');
  if (callee === undefined || first?.type !== 'StringLiteral') return undefined;
  const word = memberName(callee) ?? nameOf(callee) ?? '';
  return /mock|proxyquire|^replace|^module$/i.test(word) ? nameOf(first) : undefined;
}

function isInTry(visit: Visit): boolean {
  let inner = visit.node;
  for (let around = visit.parent; around !== undefined; around = around.parent) {
    if (around.node.type === 'TryStatement' && around.node['block'] === inner) return true;
    inner = around.node;
  }
  return false;
}

/** What becomes of a loaded module: a name for it, some of its names, a member, or a callback. */
function readLoaded(visit: Visit, loaded: Loaded, out: { readonly bind: Bind; readonly taken: TakenMembers[] }): void {
  let value = visit;
  while (
    value.parent !== undefined &&
    unwrapNode(value.parent.node) !== value.parent.node &&
    isOnly(value.parent.node, value.node)
  )
    value = value.parent;
  const around = value.parent?.node;
  // An import without `await` is a promise.
  const isPromise = loaded.access === 'import' && value.node.type !== 'AwaitExpression' && !hasAwait(visit, value);
  if (around === undefined) return;
  if (isMember(around) && around['object'] === value.node) {
    const name = memberName(around);
    if (isPromise) readThen(value, name, { loaded, out });
    else if (name !== undefined) readMember(value.parent, { ...loaded, name }, out);
  } else if (around.type === 'VariableDeclarator' && around['init'] === value.node && !isPromise) {
    takePattern(nodeAt(around, 'id'), loaded, out);
  }
}

function isOnly(wrapper: Node, inner: Node): boolean {
  return wrapper['expression'] === inner || wrapper['argument'] === inner;
}

function hasAwait(from: Visit, to: Visit): boolean {
  for (let visit: Visit | undefined = from; visit !== undefined && visit !== to.parent; visit = visit.parent)
    if (visit.node.type === 'AwaitExpression') return true;
  return false;
}

function readThen(
  value: Visit,
  name: string | undefined,
  { loaded, out }: { readonly loaded: Loaded; readonly out: { readonly bind: Bind; readonly taken: TakenMembers[] } },
): void {
  const call = value.parent?.parent?.node;
  const [callback] = nodesAt(call, 'arguments');
  if (name !== 'then' || callback === undefined || !isFunction(callback)) return;
  takePattern(nodesAt(callback, 'params')[0], loaded, out);
}

/** `require('./a').foo`, unless it is set or asked after. */
function readMember(
  member: Visit | undefined,
  binding: Binding,
  out: { readonly bind: Bind; readonly taken: TakenMembers[] },
): void {
  const around = member?.parent?.node;
  if (member === undefined || around === undefined) return;
  const isPlain = isCall(around) || isMember(around) || /^(?:VariableDeclarator|NewExpression)$/.test(around.type);
  if (!isPlain || around['optional'] === true) return;
  out.taken.push({ ...binding, node: member.node });
  if (around.type === 'VariableDeclarator' && nodeAt(around, 'id')?.type === 'Identifier')
    out.bind(nameOf(nodeAt(around, 'id')), binding);
}

function takePattern(
  pattern: Node | undefined,
  loaded: Loaded,
  out: { readonly bind: Bind; readonly taken: TakenMembers[] },
): void {
  if (pattern?.type === 'Identifier') out.bind(nameOf(pattern), { ...loaded, name: '*' });
  if (pattern?.type !== 'ObjectPattern') return;
  for (const property of nodesAt(pattern, 'properties')) {
    const value = nodeAt(property, 'value');
    const name = property['computed'] === true ? undefined : nameOf(nodeAt(property, 'key'));
    // A name with a default is one that may be missing.
    if (property.type !== 'ObjectProperty' || name === undefined || value?.type === 'AssignmentPattern') continue;
    out.taken.push({ ...loaded, name, node: property });
    if (value?.type === 'Identifier') out.bind(nameOf(value), { ...loaded, name });
  }
}
