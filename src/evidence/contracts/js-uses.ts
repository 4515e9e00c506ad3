/**
 * What a JavaScript file does with the names it has from others: members of a module it reads, and calls. A member that
 * is tested anywhere in the file may be missing; one that is set makes the module's list open. In a test only what
 * would throw is expected to be there, and a wrong call may be the point of it.
 */
import { isCall, type Node, nameOf, nodeAt, nodesAt } from '../weakened/js-nodes.ts';
import type { Binding, Bindings } from './js-bindings.ts';
import { isReference, jsxName, memberName, type NameUse, useOf, type Visit } from './js-walk.ts';
import type { Call, WantedMember } from './shape.ts';

export interface JsUses {
  readonly wants: readonly WantedMember[];
  readonly calls: readonly Call[];
  readonly touches: readonly string[];
}

export interface UseContext {
  readonly lineOf: (offset: number) => number;
  readonly isTest: boolean;
  /** Lines whose author knows that they are wrong. */
  readonly isExcused: (line: number) => boolean;
}

export function jsUses(all: readonly Visit[], bindings: Bindings, context: UseContext): JsUses {
  const { lineOf, isTest, isExcused } = context;
  const wants: WantedMember[] = bindings.taken.map(({ specifier, name, access, node }) => ({
    specifier,
    name,
    access,
    line: lineOf(node.start),
  }));
  const calls: Call[] = [];
  const touches = [...bindings.touches];
  const members = new Map<string, { readonly want: WantedMember; readonly uses: NameUse[] }>();
  for (const visit of all) {
    const binding = isReference(visit) ? bindings.bound.get(jsxName(visit.node) ?? '') : undefined;
    if (binding === undefined) continue;
    const { specifier } = binding;
    const used = usedMember(visit, binding);
    if (used === undefined) {
      if (isHandedOn(visit) && binding.name === '*') touches.push(specifier);
      pushCall(calls, visit, { ...binding, name: binding.name === '*' ? 'default' : binding.name }, context);
      continue;
    }
    const { visit: member, want } = used;
    const use = useOf(member);
    if (use === 'written') touches.push(specifier);
    const key = `${jsxName(visit.node)}.${want.name}`;
    const seen = members.get(key) ?? { want: { ...want, line: lineOf(member.node.start) }, uses: [] };
    seen.uses.push(use);
    members.set(key, seen);
    if (want.access !== 'default') pushCall(calls, member, want, context);
  }
  for (const { want, uses } of members.values()) {
    if (uses.includes('tested') || uses.includes('written')) continue;
    if (!isTest || uses.includes('needed')) wants.push(want);
  }
  const isFair = ({ line }: WantedMember): boolean => !isExcused(line);
  return { wants: wants.filter(isFair), calls: isTest ? [] : calls.filter(isFair), touches };
}

/** `ns.foo`, or `foo.bar` of a default import; undefined where the name itself is used. */
function usedMember(
  { node, parent }: Visit,
  { specifier, name, access }: Binding,
): { readonly visit: Visit; readonly want: Binding } | undefined {
  if (parent === undefined || (parent.node['object'] !== node && parent.node['left'] !== node)) return undefined;
  const member = memberName(parent.node);
  if (member === undefined) return undefined;
  if (name === '*') return { visit: parent, want: { specifier, name: member, access } };
  if (name === 'default' && access === 'import')
    return { visit: parent, want: { specifier, name: member, access: 'default' } };
  return undefined;
}

/** `Object.assign(ns, …)`, `stub(ns, 'foo')`, `ns[key] = …`: whoever has it can add to it. */
function isHandedOn({ node, parent }: Visit): boolean {
  if (parent === undefined) return false;
  if (parent.node['object'] === node) return useOf(parent) === 'written';
  return isCall(parent.node) && nodeAt(parent.node, 'callee') !== node;
}

function pushCall(calls: Call[], { node, parent }: Visit, binding: Binding, { lineOf }: UseContext): void {
  const around = parent?.node;
  if (around === undefined || around['callee'] !== node || around['optional'] === true) return;
  const args = argumentsOf(around);
  if (args === undefined) return;
  calls.push({ ...binding, line: lineOf(node.start), positional: args, named: [] });
}

function argumentsOf(call: Node): number | undefined {
  const args = nodesAt(call, 'arguments');
  const isUnsure = args.some((each) => each.type === 'SpreadElement' || each.type === 'ArgumentPlaceholder');
  return isUnsure || nameOf(nodeAt(call, 'callee')) === 'super' ? undefined : args.length;
}
