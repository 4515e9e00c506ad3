/**
 * What a module would load: the specifiers of its imports, or the reason why nobody can tell. For code that a person
 * agrees to by its bytes: an import with a computed name, `require`, `eval` and their kin could bring in code that
 * nobody agreed to, so they are refused. Types are not code. Pure.
 */
import { parseJs } from './contracts/js-parse.ts';
import { childNodes, type Node, nodeAt } from './weakened/js-nodes.ts';

export type ModuleImports =
  | { readonly status: 'known'; readonly specifiers: readonly string[] }
  | { readonly status: 'refused'; readonly why: string };

export function importsOf(path: string, source: string): ModuleImports {
  const tree = parseJs(path, source);
  if (tree.status === 'broken') return { status: 'refused', why: `line ${tree.line}: ${tree.message}` };
  if (tree.status === 'unread') return { status: 'refused', why: 'it cannot be read as a module' };
  const specifiers: string[] = [];
  const waiting: Node[] = [tree.program];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const hidden = hiddenLoad(node);
    if (hidden !== undefined) return { status: 'refused', why: `line ${lineOf(source, node)}: ${hidden}` };
    const found = specifierOf(node);
    if (found !== undefined) specifiers.push(found);
    waiting.push(...codeIn(node));
  }
  return { status: 'known', specifiers: [...new Set(specifiers)].sort() };
}

function specifierOf(node: Node): string | undefined {
  if (/^(Import|ExportNamed|ExportAll)Declaration$/.test(node.type)) {
    const isType = node['importKind'] === 'type' || node['exportKind'] === 'type';
    return isType ? undefined : literal(nodeAt(node, 'source'));
  }
  return isDynamicImport(node) ? literal(dynamicTarget(node)) : undefined;
}

function isDynamicImport(node: Node): boolean {
  return (
    node.type === 'ImportExpression' || (node.type === 'CallExpression' && nodeAt(node, 'callee')?.type === 'Import')
  );
}

function dynamicTarget(node: Node): Node | undefined {
  const [first] = Array.isArray(node['arguments']) ? (node['arguments'] as Node[]) : [];
  return node.type === 'ImportExpression' ? nodeAt(node, 'source') : first;
}

function literal(node: Node | undefined): string | undefined {
  if (node?.type === 'StringLiteral' && typeof node['value'] === 'string') return node['value'];
  if (node?.type !== 'TemplateLiteral') return undefined;
  const [only, ...more] = node['quasis'] as { value?: { cooked?: unknown } }[];
  return more.length === 0 && typeof only?.value?.cooked === 'string' ? only.value.cooked : undefined;
}

/** Names that load code, wherever they stand; and those that do so only as a name of their own. */
const loadsAnywhere = new Set(['createRequire', 'getBuiltinModule', 'dlopen', 'constructor']);
const loadsAsName = new Set(['require', 'eval', 'Function', 'WebAssembly', 'Worker']);

function hiddenLoad(node: Node): string | undefined {
  if (isDynamicImport(node) && specifierOf(node) === undefined) return 'import() with a name that is computed';
  if (node.type === 'TSImportEqualsDeclaration') return 'import = require() is not supported';
  if (node.type === 'MemberExpression' || node.type === 'OptionalMemberExpression') {
    const property = nodeAt(node, 'property');
    const name = node['computed'] === true ? literal(property) : property?.['name'];
    return typeof name === 'string' && loadsAnywhere.has(name) ? `${name} could load other code` : undefined;
  }
  if (node.type !== 'Identifier') return undefined;
  const name = String(node['name']);
  const loads = loadsAsName.has(name) || (loadsAnywhere.has(name) && name !== 'constructor');
  return loads ? `${name} could load other code` : undefined;
}

const wrappers = /^TS(As|Satisfies|NonNull|TypeAssertion|Instantiation)/;

/** Children that are run: no types, and no names that only stand behind a dot or before a colon. */
function codeIn(node: Node): readonly Node[] {
  if (node.type.startsWith('TS') && !/^TS(Enum|Module|Parameter|ExportAssignment)/.test(node.type)) {
    const inner = wrappers.test(node.type) ? nodeAt(node, 'expression') : undefined;
    return inner === undefined ? [] : [inner];
  }
  const name = node['computed'] === true ? undefined : (nodeAt(node, 'property') ?? nodeAt(node, 'key'));
  return childNodes(node).filter((child) => child !== name || child.type !== 'Identifier');
}

function lineOf(source: string, { start }: Node): number {
  return source.slice(0, start).split('\n').length;
}
