/**
 * What the names of a JavaScript file stand for, where that is certain: a constant that is declared once, a function of the file,
 * an import. Other names say nothing. Pure.
 */
import { countDeclarations, type Visit } from '../../evidence/contracts/js-walk.ts';
import {
  chainOf,
  isCall,
  isFunction,
  isMember,
  type Node,
  nameOf,
  nodeAt,
  nodesAt,
  unwrapNode,
} from '../../evidence/weakened/js-nodes.ts';

export interface JsNames {
  /** What a name was declared with; a function for a function. */
  readonly values: ReadonlyMap<string, Node>;
  /** Names that are imported, with what they are imported from. */
  readonly imports: ReadonlyMap<string, string>;
  /** Names that stand for a spy on a log wherever they are declared. */
  readonly logSpies: ReadonlySet<string>;
}

export function readNames(all: readonly Visit[]): JsNames {
  const counts = countDeclarations(all);
  const values = new Map<string, Node>();
  const imports = new Map<string, string>();
  const logSpies = new Set<string>();
  const others = new Set<string>();
  for (const { node } of all) {
    if (node.type === 'ImportDeclaration') {
      const from = nameOf(nodeAt(node, 'source')) ?? '';
      for (const each of nodesAt(node, 'specifiers')) imports.set(nameOf(nodeAt(each, 'local')) ?? '', from);
    }
    const name = nameOf(nodeAt(node, 'id'));
    if (name === undefined) continue;
    const value = node.type === 'VariableDeclarator' ? unwrapNode(nodeAt(node, 'init')) : node;
    (isLogSpy(value) ? logSpies : others).add(name);
    if (counts.get(name) !== 1) continue;
    if (value !== undefined && (node.type === 'VariableDeclarator' || isFunction(node))) values.set(name, value);
  }
  return { values, imports, logSpies: new Set([...logSpies].filter((name) => !others.has(name))) };
}

/** `vi.spyOn(console, 'log').mockReturnValue()`. */
function isLogSpy(node: Node | undefined): boolean {
  if (node === undefined) return false;
  const spying = [node, ...chainOf(node, () => false).nodes].find((each) => {
    const callee = isCall(each) ? nodeAt(each, 'callee') : undefined;
    return callee !== undefined && isMember(callee) && nameOf(nodeAt(callee, 'property')) === 'spyOn';
  });
  return isLogger(nameOf(nodesAt(spying, 'arguments')[0]) ?? '');
}

export function isLogger(name: string): boolean {
  return /^(?:console|log|logger)$/.test(name);
}

/** The value behind a name, or the node itself. */
export function resolveName(node: Node | undefined, names: JsNames): Node | undefined {
  const value = unwrapNode(node);
  if (value?.type !== 'Identifier') return value;
  return names.values.get(nameOf(value) ?? '') ?? value;
}
