/**
 * The names a CommonJS module offers: keys of a literal that is `module.exports`, and names set on it or on `exports`.
 * Whatever else happens to `module` or `exports` (handed on, computed, chosen, wrapped) makes the list open; so does a
 * function, which can have members, a `this` at the top, and `define`.
 */
import { isCall, isFunction, isMember, type Node, nameOf, nodeAt, nodesAt, unwrapNode } from '../weakened/js-nodes.ts';
import type { LocalFunctions } from './js-locals.ts';
import { functionAround, isReference, memberName, type Visit } from './js-walk.ts';
import type { Exported } from './shape.ts';

export interface CjsContext {
  readonly locals: LocalFunctions;
  readonly declared: ReadonlyMap<string, number>;
  readonly lineOf: (offset: number) => number;
}

export function cjsExports(
  all: readonly Visit[],
  { locals, declared, lineOf }: CjsContext,
): { readonly exports: ReadonlyMap<string, Exported>; readonly open: boolean } {
  const exports = new Map<string, Exported>();
  let open = declared.has('module') || declared.has('require');
  const offer = (name: string, node: Node, value: Node | undefined): void => {
    if (name === '__esModule') open = true;
    exports.set(name, { line: lineOf(node.start), takes: locals.ofNode(value, nameOf(value)), from: undefined });
  };
  for (const visit of all) {
    const { node } = visit;
    if (node.type === 'ThisExpression' && functionAround(visit) === undefined) open = true;
    if (node.type !== 'Identifier' || !isReference(visit)) continue;
    const name = nameOf(node);
    if (name === 'define') open = true;
    if (name !== 'module' && name !== 'exports') continue;
    const root = rootOf(visit, name);
    if (root === undefined) continue;
    if (root === 'unknown' || !offers(root, offer)) open = true;
  }
  return { exports, open };
}

/** The whole expression that is the module's exports: `exports`, or `module.exports`. */
function rootOf(visit: Visit, name: string): Visit | 'unknown' | undefined {
  if (name === 'exports') return visit;
  const { parent } = visit;
  if (parent === undefined) return 'unknown';
  if (parent.node.type === 'BinaryExpression') return undefined;
  const member = isMember(parent.node) && parent.node['object'] === visit.node ? memberName(parent.node) : undefined;
  if (member === 'exports') return parent;
  return member === undefined || member === 'constructor' || member === '_compile' ? 'unknown' : undefined;
}

type Offer = (name: string, node: Node, value: Node | undefined) => void;

/** Whether all that it adds is known. */
function offers(root: Visit, offer: Offer): boolean {
  const { node, parent } = root;
  const around = parent?.node;
  if (around === undefined || parent === undefined) return false;
  if (isMember(around) && around['object'] === node) {
    const name = memberName(around);
    if (name === undefined) return false;
    const outer = parent.parent?.node;
    if (outer?.type === 'AssignmentExpression' && outer['left'] === around)
      offer(name, around, unwrapNode(nodeAt(outer, 'right')));
    return !(outer?.type === 'UnaryExpression' && outer['operator'] === 'delete');
  }
  if (around.type === 'AssignmentExpression') return offersAssigned(parent, node, offer);
  if (isCall(around)) return offersDefined(around, offer);
  return false;
}

/** `module.exports = {…}`, also as `exports = module.exports = {…}`. */
function offersAssigned(assignment: Visit, root: Node, offer: Offer): boolean {
  const { node } = assignment;
  // Its value is the exports: somebody else's name for them, unless that is the other usual one.
  if (node['left'] !== root) return isExports(nodeAt(node, 'left'));
  if (node['operator'] !== '=' || !isStatement(assignment)) return false;
  let value = unwrapNode(nodeAt(node, 'right'));
  while (value?.type === 'AssignmentExpression')
    value = isExports(nodeAt(value, 'left')) ? unwrapNode(nodeAt(value, 'right')) : undefined;
  if (value === undefined) return false;
  if (isExports(value)) return true;
  if (value.type !== 'ObjectExpression') {
    const isName = value.type === 'Identifier';
    if (isName || isFunction(value) || value.type === 'ClassExpression') offer('default', value, value);
    return false;
  }
  return offersKeys(value, offer);
}

function isExports(node: Node | undefined): boolean {
  if (node === undefined) return false;
  if (nameOf(node) === 'exports') return true;
  return isMember(node) && memberName(node) === 'exports' && nameOf(nodeAt(node, 'object')) === 'module';
}

/** At the top, alone or as the right side of such an assignment: then it is the only value. */
function isStatement({ parent }: Visit): boolean {
  if (parent === undefined) return false;
  if (parent.node.type === 'AssignmentExpression') return isExports(nodeAt(parent.node, 'left')) && isStatement(parent);
  return parent.node.type === 'ExpressionStatement' && parent.parent?.node.type === 'Program';
}

function offersKeys(object: Node, offer: Offer): boolean {
  let known = true;
  for (const property of nodesAt(object, 'properties')) {
    const key = nodeAt(property, 'key');
    const name = property['computed'] === true ? undefined : nameOf(key);
    if (name === undefined || key === undefined) known = false;
    else if (property.type === 'ObjectMethod') offer(name, key, undefined);
    else offer(name, key, unwrapNode(nodeAt(property, 'value')));
  }
  return known;
}

/** `Object.defineProperty(exports, 'name', …)` */
function offersDefined(call: Node, offer: Offer): boolean {
  const callee = nodeAt(call, 'callee');
  const [, key] = nodesAt(call, 'arguments');
  if (callee === undefined || memberName(callee) !== 'defineProperty' || key?.type !== 'StringLiteral') return false;
  offer(nameOf(key) ?? '', key, undefined);
  return true;
}
