/** A Python file as a shape. Whatever can make names while the module runs makes its list open. */
import { isTestFile } from '../test-files.ts';
import { lineFinder } from '../weakened/outline.ts';
import { type PyVisit, pythonNames, pyVisits } from './python-names.ts';
import { pyParameters } from './python-parameters.ts';
import { parsePython, type PyNode } from './python-tree.ts';
import { pythonUses } from './python-uses.ts';
import type { Exported, ContractReading } from './shape.ts';

export function readPython(path: string, source: string): ContractReading {
  const tree = parsePython(source);
  if (tree.status !== 'tree') return tree;
  const all = pyVisits(tree.root);
  const names = pythonNames(all, source);
  const lineOf = lineFinder(source);
  const listed = listedNames(tree.root, source);
  const decorated = new Set(
    all.filter(({ parent }) => parent?.node.name === 'DecoratedStatement').map(({ node }) => node),
  );
  const exports = new Map<string, Exported>();
  for (const [name, { node, count }] of names.module) {
    const hidden = listed === undefined ? name.startsWith('_') : listed !== 'computed' && !listed.has(name);
    const takes = count === 1 && !decorated.has(node) ? pyParameters(node, source) : undefined;
    exports.set(name, { line: lineOf(node.from), takes, from: undefined, hidden });
  }
  const open = tree.hidesNames || names.module.has('__getattr__') || makesNames(all, source);
  const uses = pythonUses(all, { source, names, lineOf, isTest: isTestFile(path) });
  return { status: 'read', shape: { kind: 'python', exports, open, ...uses } };
}

const makers = new Set(['globals', 'locals', 'vars', 'exec', 'eval', '__dict__', 'modules', '__import__']);

function makesNames(all: readonly PyVisit[], source: string): boolean {
  return all.some(({ node, parent }) => {
    if (node.name === 'MatchStatement') return true;
    if (node.name === 'DeleteStatement') return parent?.node.name === 'Script';
    return /^(?:Variable|Property)Name$/.test(node.name) && makers.has(source.slice(node.from, node.to));
  });
}

/** `__all__` where it is a list of strings. */
function listedNames(root: PyNode, source: string): ReadonlySet<string> | 'computed' | undefined {
  const text = (node: PyNode | undefined): string => (node === undefined ? '' : source.slice(node.from, node.to));
  const mentions = [...source.matchAll(/\b__all__\b/g)].length;
  if (mentions === 0) return undefined;
  const listed = new Set<string>();
  for (const { name, children } of root.children) {
    if (name !== 'AssignStatement' && name !== 'UpdateStatement') continue;
    if (text(children[0]) !== '__all__') continue;
    const list = children.at(-1);
    const items = list?.children.filter((item) => !/^(?:[[\](),]|Comment)$/.test(item.name)) ?? [];
    const isList = list !== undefined && /^(?:Array|Tuple)Expression$/.test(list.name);
    if (!isList || items.some((item) => item.name !== 'String') || mentions > 1) return 'computed';
    for (const item of items) listed.add(text(item).replaceAll(/^['"]|['"]$/g, ''));
  }
  return listed;
}
