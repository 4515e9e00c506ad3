/**
 * What a JavaScript function or class takes. In TypeScript the declaration says what is required. In JavaScript a
 * parameter is required only where the function cannot do without it: it is used, on every way through, as something
 * that has members, is called or is calculated with, and is never tested or replaced.
 */
import { isFunction, type Node, nameOf, nodeAt, nodesAt } from '../weakened/js-nodes.ts';
import { functionAround, isConditional, isReference, patternNames, useOf, type Visit, visitNodes } from './js-walk.ts';
import type { Parameter, Parameters } from './shape.ts';

/** Undefined for anything but a function or class whose construction is its own. */
export function jsParameters(node: Node | undefined, typed: boolean): Parameters | undefined {
  if (node === undefined) return undefined;
  if (node.type === 'ClassDeclaration' || node.type === 'ClassExpression') return ofClass(node, typed);
  return isFunction(node) || node.type === 'TSDeclareFunction' ? ofFunction(node, typed) : undefined;
}

/** A function with several signatures takes what any of them takes. */
export function anyOf(signatures: readonly Node[]): Parameters | undefined {
  const all = signatures.map((signature) => ofFunction(signature, true));
  const [longest] = all.toSorted((a, b) => b.list.length - a.list.length);
  if (longest === undefined) return undefined;
  const least = Math.min(...all.map(({ list }) => list.filter((parameter) => parameter.required).length));
  const list = longest.list.map((parameter, place) => ({ ...parameter, required: place < least }));
  return { list, rest: all.some(({ rest }) => rest), named: false };
}

function ofClass(node: Node, typed: boolean): Parameters | undefined {
  if (nodesAt(node, 'decorators').length > 0 || node['abstract'] === true) return undefined;
  const members = nodesAt(nodeAt(node, 'body'), 'body');
  const constructors = members.filter((member) => member['kind'] === 'constructor');
  if (constructors.length > 1) return anyOf(constructors.filter((each) => each.type === 'TSDeclareMethod'));
  const [own] = constructors;
  if (own !== undefined) return ofFunction(own, typed);
  return nodeAt(node, 'superClass') === undefined ? { list: [], rest: false, named: false } : undefined;
}

const maxParameters = 30;

function ofFunction(node: Node, typed: boolean): Parameters {
  const params = nodesAt(node, 'params').filter((param) => nameOf(param) !== 'this');
  const rest = params.some((param) => param.type === 'RestElement') || readsArguments(node);
  const fixed = params.filter((param) => param.type !== 'RestElement');
  if (fixed.length > maxParameters) return { list: [], rest: true, named: false };
  const needs = typed ? fixed.map((param) => isDeclaredRequired(param, node)) : needed(node, fixed);
  const last = needs.lastIndexOf(true);
  const list = fixed.map(
    (param, place): Parameter => ({
      name: patternNames(param)[0] ?? '',
      by: 'position',
      // What stands before something required has to be passed to reach it.
      required: place <= last,
    }),
  );
  return { list, rest, named: false };
}

function readsArguments(node: Node): boolean {
  const body = nodeAt(node, 'body');
  if (body === undefined) return false;
  return visitNodes(body).some((visit) => {
    const name = nameOf(visit.node);
    return (name === 'arguments' || name === 'eval') && isReference(visit);
  });
}

function isDeclaredRequired(param: Node, owner: Node): boolean {
  const inner = param.type === 'TSParameterProperty' ? nodeAt(param, 'parameter') : param;
  if (inner === undefined || inner.type === 'AssignmentPattern' || inner['optional'] === true) return false;
  const type = nodeAt(nodeAt(inner, 'typeAnnotation'), 'typeAnnotation');
  return type === undefined || !mayBeVoid(type, typeParameters(owner));
}

function typeParameters(owner: Node): ReadonlySet<unknown> {
  return new Set(nodesAt(nodeAt(owner, 'typeParameters'), 'params').map((param) => param['name']));
}

function mayBeVoid(type: Node, own: ReadonlySet<unknown>): boolean {
  if (/^TS(?:Void|Any|Unknown|Undefined)Keyword$/.test(type.type)) return true;
  if (type.type === 'TSUnionType') return nodesAt(type, 'types').some((each) => mayBeVoid(each, own));
  const name = type.type === 'TSTypeReference' ? nameOf(nodeAt(type, 'typeName')) : undefined;
  // A type of another's, or a parameter of the class around, could be anything; a plain name seldom is.
  return name !== undefined && (own.has(name) || /^[A-Z]\w?$/.test(name));
}

function needed(node: Node, params: readonly Node[]): boolean[] {
  const body = nodeAt(node, 'body');
  if (body === undefined) return params.map(() => false);
  const all = visitNodes(body);
  const leave = all.find(
    (visit) =>
      (visit.node.type === 'ReturnStatement' || visit.node.type === 'ThrowStatement') && isConditional(visit, body),
  );
  const end = leave?.node.start ?? Number.POSITIVE_INFINITY;
  return params.map((param) => {
    // Without an object there is nothing to take apart.
    if (param.type === 'ObjectPattern' || param.type === 'ArrayPattern') return true;
    const name = param.type === 'Identifier' ? nameOf(param) : undefined;
    return name !== undefined && isNeeded(name, all, { body, end });
  });
}

function isNeeded(name: string, all: readonly Visit[], reach: { readonly body: Node; readonly end: number }): boolean {
  let found = false;
  for (const visit of all) {
    if (nameOf(visit.node) !== name || visit.node.type !== 'Identifier') continue;
    if (!isReference(visit)) {
      // The name of a key says nothing; one that is bound again means somebody else from there on.
      if (isBinding(visit)) return false;
      continue;
    }
    const use = useOf(visit);
    if (use === 'written' || use === 'tested') return false;
    const certain =
      use === 'needed' &&
      visit.node.start < reach.end &&
      functionAround(visit) === undefined &&
      !isConditional(visit, reach.body);
    found ||= certain;
  }
  return found;
}

function isBinding({ parent }: Visit): boolean {
  const type = parent?.node.type ?? '';
  return !/Member|Property|Method|TSQualifiedName|JSX|Label|Break|Continue|Meta/.test(type) || type === 'ObjectPattern';
}
