/**
 * What a classic script adds to the page and what it needs of it: the globals it defines, with their members where
 * those are certain, the ones it uses while it loads, and the members it reads of any. Names that the script has of
 * its own are its own. What runs under a condition, in a function that is only declared, or in a `try` is not load.
 */
import { isCall, isFunction, isMember, type Node, nameOf, nodeAt, nodesAt, unwrapNode } from '../weakened/js-nodes.ts';
import { lineFinder } from '../weakened/outline.ts';
import { parseJs } from './js-parse.ts';
import {
  countDeclarations,
  functionAround,
  isConditional,
  isReference,
  mayLeaveOut,
  memberName,
  type NameUse,
  patternNames,
  useOf,
  type Visit,
  visitNodes,
} from './js-walk.ts';
import { membersOf } from './object-members.ts';

export interface ScriptGlobals {
  readonly defines: ReadonlyMap<string, Definition>;
  /** Used while the script loads: the first line of each. */
  readonly needs: ReadonlyMap<string, number>;
  /** Every global it mentions, with the first line. */
  readonly mentions: ReadonlyMap<string, number>;
  readonly reads: readonly MemberRead[];
  /** Members it sets on globals. */
  readonly sets: readonly { readonly global: string; readonly member: string }[];
  /** Globals that it hands on, or gives another name: anybody may add to them. */
  readonly handed: ReadonlySet<string>;
}

export interface Definition {
  readonly line: number;
  /** Declared at the top, or set on `window`; not on something that may be one or the other. */
  readonly certain: boolean;
  /** Undefined where the value is not written out. */
  readonly members: ReadonlySet<string> | undefined;
}

export interface MemberRead {
  readonly global: string;
  readonly member: string;
  readonly line: number;
  readonly use: NameUse;
}

export type ScriptReading =
  | { readonly status: 'read'; readonly globals: ScriptGlobals }
  | { readonly status: 'broken'; readonly line: number; readonly message: string }
  | { readonly status: 'unread' };

const maxDepth = 1000;

export function readScript(path: string, source: string, firstLine = 1): ScriptReading {
  const tree = parseJs(path, source);
  if (tree.status === 'broken') return { ...tree, line: tree.line + firstLine - 1 };
  if (tree.status === 'unread') return tree;
  const all = visitNodes(tree.program);
  if (all.some(({ depth }) => depth > maxDepth)) return { status: 'unread' };
  const lineOf = lineFinder(source);
  return { status: 'read', globals: globalsOf(tree.program, all, (offset) => lineOf(offset) + firstLine - 1) };
}

function globalsOf(program: Node, all: readonly Visit[], lineOf: (offset: number) => number): ScriptGlobals {
  const declared = countDeclarations(all);
  const defines = new Map<string, Definition>();
  const needs = new Map<string, number>();
  const mentions = new Map<string, number>();
  const reads: MemberRead[] = [];
  const sets: { global: string; member: string }[] = [];
  const handed = new Set<string>();
  const isAtLoad = loadTime();
  const define = (
    name: string,
    node: Node,
    { value, certain }: { value: Node | undefined; certain: boolean },
  ): void => {
    const known = defines.get(name);
    const members = membersOf(value);
    // Defined twice is known only if both are.
    const both = known === undefined ? members : merged(known.members, members);
    defines.set(name, {
      line: known?.line ?? lineOf(node.start),
      certain: certain || known?.certain === true,
      members: both,
    });
  };
  for (const statement of nodesAt(program, 'body'))
    for (const [name, value] of topNames(statement)) define(name, statement, { value, certain: true });
  const tops = new Set(defines.keys());
  const isGlobal = (name: string): boolean => !declared.has(name) || (tops.has(name) && declared.get(name) === 1);
  for (const visit of all) {
    const { node, parent } = visit;
    const assigned = assignment(visit, declared);
    if (assigned !== undefined) define(assigned.name, node, assigned);
    const name = globalName(visit);
    if (name === undefined || !isGlobal(name)) continue;
    const use = useOf(visit);
    const around = parent?.node;
    const member = around !== undefined && around['object'] === node ? memberName(around) : undefined;
    if (use === 'written') continue;
    if (!mentions.has(name)) mentions.set(name, lineOf(node.start));
    if (node.type === 'Identifier' && isAtLoad(visit) && use !== 'tested' && !needs.has(name))
      needs.set(name, lineOf(node.start));
    if (member !== undefined && parent !== undefined) {
      const memberUse = useOf(parent);
      if (memberUse === 'written') sets.push({ global: name, member });
      else reads.push({ global: name, member, line: lineOf(node.start), use: memberUse });
    } else if (isHandedOn(visit)) handed.add(name);
  }
  return { defines, needs, mentions, reads, sets, handed };
}

function merged(
  a: ReadonlySet<string> | undefined,
  b: ReadonlySet<string> | undefined,
): ReadonlySet<string> | undefined {
  return a === undefined || b === undefined ? undefined : new Set([...a, ...b]);
}

/** Declared at the top of a script, and so for the page. */
function topNames(statement: Node): (readonly [string, Node | undefined])[] {
  if (statement.type === 'VariableDeclaration') {
    return nodesAt(statement, 'declarations').flatMap((each) => {
      const id = nodeAt(each, 'id');
      return patternNames(id).map(
        (name) => [name, id?.type === 'Identifier' ? nodeAt(each, 'init') : undefined] as const,
      );
    });
  }
  const name = nameOf(nodeAt(statement, 'id'));
  return /^(?:Function|Class)Declaration$/.test(statement.type) && name !== undefined ? [[name, statement]] : [];
}

/** `window.App = …`, or `App = …` where nothing else has that name. */
function assignment(
  { node }: Visit,
  declared: ReadonlyMap<string, number>,
): { readonly name: string; readonly value: Node | undefined; readonly certain: boolean } | undefined {
  if (node.type !== 'AssignmentExpression') return undefined;
  const left = nodeAt(node, 'left');
  const value =
    node['operator'] === '=' || node['operator'] === '||=' || node['operator'] === '??='
      ? unwrapNode(nodeAt(node, 'right'))
      : undefined;
  if (left === undefined) return undefined;
  if (isMember(left)) {
    const object = nodeAt(left, 'object');
    const name = isWindow(object) ? memberName(left) : undefined;
    return name === undefined
      ? undefined
      : { name, value, certain: /^(?:window|globalThis)$/.test(nameOf(object) ?? '') };
  }
  const name = left.type === 'Identifier' ? nameOf(left) : undefined;
  // Assigning counts as declaring: once means that there is no declaration.
  return name === undefined || declared.get(name) !== 1 ? undefined : { name, value, certain: false };
}

function isWindow(node: Node | undefined): boolean {
  if (node?.type === 'ThisExpression') return true;
  return /^(?:window|globalThis|self|global|root)$/.test(nameOf(node) ?? '');
}

/** `App`, or `window.App` as a whole. */
function globalName(visit: Visit): string | undefined {
  const { node } = visit;
  if (node.type === 'Identifier') return isReference(visit) ? nameOf(node) : undefined;
  return isMember(node) && isWindow(nodeAt(node, 'object')) ? memberName(node) : undefined;
}

/** Runs when the script does: at the top, or in a function that is called where it stands and never leaves early. */
function loadTime(): (visit: Visit) => boolean {
  const inPlace = new Map<Node, boolean>();
  const runs = (around: Visit): boolean => {
    const known = inPlace.get(around.node);
    if (known !== undefined) return known;
    const answer = isCalledInPlace(around);
    inPlace.set(around.node, answer);
    return answer;
  };
  return (visit) => {
    let inner = visit.node;
    for (let around = visit.parent; around !== undefined; around = around.parent) {
      const { node } = around;
      if (mayLeaveOut(node, inner) || /Method$|^Class|^StaticBlock$/.test(node.type)) return false;
      if (isFunction(node) && !runs(around)) return false;
      inner = node;
    }
    return true;
  };
}

function isCalledInPlace({ node, parent }: Visit): boolean {
  if (parent === undefined || !isCall(parent.node) || unwrapNode(nodeAt(parent.node, 'callee')) !== node) return false;
  const body = nodeAt(node, 'body');
  if (body === undefined || node['async'] === true || node['generator'] === true) return false;
  const leaves = (visit: Visit): boolean =>
    visit.node.type === 'ReturnStatement' && functionAround(visit) === undefined;
  return !visitNodes(body).some((visit) => leaves(visit) && isConditional(visit, body));
}

/** Its value goes somewhere: another name, an argument, a property. */
function isHandedOn({ node, parent }: Visit): boolean {
  const around = parent?.node;
  if (around === undefined) return false;
  if (isMember(around) && around['object'] === node) return true;
  if (around.type === 'AssignmentExpression' && around['right'] === node) {
    const left = nodeAt(around, 'left');
    const isSame =
      left !== undefined && isMember(left) && memberName(left) === nameOf(node) && isWindow(nodeAt(left, 'object'));
    return !isSame && !(left !== undefined && isMember(left) && memberName(left) === 'exports');
  }
  return !/^(?:CallExpression|NewExpression)$/.test(around.type) || around['callee'] !== node;
}
