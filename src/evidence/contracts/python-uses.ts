/**
 * What a Python file expects of other modules: names it imports, attributes of modules it reads, calls. What stands in
 * a `try` may fail, and a module that is handed to somebody (`getattr`, a patch) may have names that nobody wrote.
 */
import { importsOf, type PyImport } from './python-imports.ts';
import type { PyNames, PyVisit } from './python-names.ts';
import { pyArguments } from './python-parameters.ts';
import type { PyNode } from './python-tree.ts';
import type { Call, WantedMember } from './shape.ts';

export interface PyUses {
  readonly wants: readonly WantedMember[];
  readonly calls: readonly Call[];
  readonly touches: readonly string[];
  readonly stars: readonly string[];
}

export interface PyContext {
  readonly source: string;
  readonly names: PyNames;
  readonly lineOf: (offset: number) => number;
  readonly isTest: boolean;
}

export function pythonUses(all: readonly PyVisit[], context: PyContext): PyUses {
  const { source, names, lineOf, isTest } = context;
  const wants: WantedMember[] = [];
  const calls: Call[] = [];
  const touches: string[] = [];
  const stars: string[] = [];
  const handed = new Set<string>();
  const modules = new Map<string, string>();
  const bound = new Map<string, NameImport>();
  const guarded = caughtBodies(all);
  const isTarget = targetTest();
  for (const visit of all) {
    const { node } = visit;
    if (node.name !== 'ImportStatement') continue;
    for (const found of importsOf(node, source)) {
      if (found.type === 'star') stars.push(found.module);
      else if (found.type === 'module') {
        if (found.as === undefined) modules.set(found.module, found.module);
        else if (names.anywhere.get(found.as) === 1) modules.set(found.as, found.module);
      } else {
        if (names.anywhere.get(found.local) === 1) bound.set(found.local, found);
        const line = lineOf(node.from);
        if (!isOptional(visit, source))
          wants.push({ specifier: found.module, name: found.name, line, access: 'import' });
      }
    }
  }
  const roots = new Set([...modules.keys()].map((name) => name.split('.')[0]));
  for (const visit of all) {
    const { node } = visit;
    if (node.name !== 'VariableName') continue;
    const root = source.slice(node.from, node.to);
    const from = bound.get(root);
    if (from === undefined && (!roots.has(root) || names.anywhere.get(root) !== 1)) continue;
    const chain = chainFrom(visit, source);
    const used = from === undefined ? ofModule(modules, root, chain) : ofName(from, chain);
    if (used === undefined) {
      if (chain.links.length === 0 && visit.parent?.node.name === 'ArgList')
        handed.add(from === undefined ? (modules.get(root) ?? root) : submodule(from));
      if (from !== undefined && !isIn(visit, guarded))
        pushCall(calls, visit, { specifier: from.module, name: from.name }, context);
      continue;
    }
    const { at, ...want } = used;
    const line = lineOf(node.from);
    if (isTarget(at)) touches.push(want.specifier);
    else if (!isIn(at, guarded)) {
      wants.push({ ...want, line, access: 'import' });
      pushCall(calls, at, want, context);
    }
  }
  const isExcused = excuses(source);
  const isFair = (want: WantedMember): boolean => !handed.has(want.specifier) && !isExcused(want.line);
  return {
    wants: wants.filter(isFair),
    calls: isTest ? [] : calls.filter(isFair),
    touches: [...touches, ...handed],
    stars,
  };
}

type NameImport = Extract<PyImport, { type: 'name' }>;

interface Chain {
  readonly links: readonly { readonly name: string; readonly visit: PyVisit }[];
}

/** `a.b.c`: from `a`, its members as far as they are plain. */
function chainFrom(visit: PyVisit, source: string): Chain {
  const links: { name: string; visit: PyVisit }[] = [];
  let at = visit;
  while (links.length < 10 && at.parent?.node.name === 'MemberExpression' && at.parent.node.children[0] === at.node) {
    const property = at.parent.node.children.find(({ name }) => name === 'PropertyName');
    if (property === undefined) break;
    links.push({ name: source.slice(property.from, property.to), visit: at.parent });
    at = at.parent;
  }
  return { links };
}

type Used = Pick<WantedMember, 'specifier' | 'name' | 'unless'> & { readonly at: PyVisit };

/** The longest imported module that the chain begins with, and its next member. */
function ofModule(modules: ReadonlyMap<string, string>, root: string, { links }: Chain): Used | undefined {
  let key = root;
  let found: Used | undefined;
  for (const { name, visit } of links) {
    const specifier = modules.get(key) ?? (found === undefined && key === root ? root : undefined);
    if (specifier !== undefined) found = { specifier, name, at: visit };
    key = `${key}.${name}`;
  }
  return found !== undefined && modules.has(`${found.specifier}.${found.name}`) ? undefined : found;
}

/** A name that was imported from a package may be a module. */
function ofName(from: NameImport, { links }: Chain): Used | undefined {
  const [first] = links;
  if (first === undefined) return undefined;
  const unless = { specifier: from.module, name: from.name };
  return { specifier: submodule(from), name: first.name, at: first.visit, unless };
}

function submodule({ module, name }: NameImport): string {
  return module.endsWith('.') ? module + name : `${module}.${name}`;
}

/** Set, deleted, or one of several that are; asked of many members of one statement. */
function targetTest(): (visit: PyVisit) => boolean {
  const operators = new Map<PyNode, number>();
  const operatorOf = (statement: PyNode): number => {
    const known = operators.get(statement);
    if (known !== undefined) return known;
    const place = statement.children.find(({ name }) => name === 'AssignOp' || name === 'UpdateOp')?.from ?? 0;
    operators.set(statement, place);
    return place;
  };
  const isTarget = ({ node, parent }: PyVisit): boolean => {
    if (parent === undefined) return false;
    if (parent.node.name === 'DeleteStatement') return true;
    if (/^(?:Tuple|Array)Expression$/.test(parent.node.name)) return isTarget(parent);
    return /^(?:Assign|Update)Statement$/.test(parent.node.name) && node.from < operatorOf(parent.node);
  };
  return isTarget;
}

/** In a `try`, or only for checkers of types: it may fail, or never runs. */
function isOptional(statement: PyVisit, source: string): boolean {
  for (let around = statement.parent; around !== undefined; around = around.parent) {
    const { name, from } = around.node;
    if (name === 'TryStatement') return true;
    if (name === 'IfStatement' && /^if\s+(?:\w+\.)?TYPE_CHECKING\b/.test(source.slice(from, from + 80))) return true;
  }
  return false;
}

/** What runs under an `except`. */
function caughtBodies(all: readonly PyVisit[]): ReadonlySet<PyNode> {
  const bodies = new Set<PyNode>();
  for (const { node } of all) {
    if (node.name !== 'TryStatement' || !node.children.some(({ name }) => name === 'except')) continue;
    const body = node.children.find(({ name }) => name === 'Body');
    if (body !== undefined) bodies.add(body);
  }
  return bodies;
}

function isIn(visit: PyVisit, bodies: ReadonlySet<PyNode>): boolean {
  for (let around = visit.parent; around !== undefined; around = around.parent)
    if (bodies.has(around.node)) return true;
  return false;
}

function pushCall(
  calls: Call[],
  { node, parent }: PyVisit,
  want: Pick<WantedMember, 'specifier' | 'name' | 'unless'>,
  { source, lineOf }: PyContext,
): void {
  const around = parent?.node;
  const list = around?.children.find(({ name }) => name === 'ArgList');
  if (around?.name !== 'CallExpression' || around.children[0] !== node || list === undefined) return;
  const passed = pyArguments(list, source);
  if (passed !== undefined) calls.push({ ...want, ...passed, line: lineOf(node.from), access: 'import' });
}

/** Lines whose author knows that a checker would complain. */
function excuses(source: string): (line: number) => boolean {
  const pattern = /#\s*(?:type:\s*ignore|noqa)/;
  if (!pattern.test(source)) return () => false;
  const lines = source.split('\n');
  return (line) => pattern.test(lines[line - 1] ?? '');
}
