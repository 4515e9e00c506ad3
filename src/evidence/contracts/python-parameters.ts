/** What a Python function or class takes, and what a call passes; undefined where decorators, bases or stars decide. */
import type { PyNode } from './python-tree.ts';
import type { Parameter, Parameters } from './shape.ts';

export function pyParameters(node: PyNode, source: string): Parameters | undefined {
  if (node.name === 'FunctionDefinition') return ofFunction(node, source);
  return node.name === 'ClassDefinition' ? ofClass(node, source) : undefined;
}

function ofFunction(node: PyNode, source: string): Parameters | undefined {
  const params = node.children.find(({ name }) => name === 'ParamList');
  if (params === undefined) return undefined;
  let list: Parameter[] = [];
  let rest = false;
  let named = false;
  let by: Parameter['by'] = 'either';
  for (const slot of slots(params)) {
    const [first] = slot.nodes;
    if (first === undefined) {
      if (/^\s*\/\s*$/.test(withoutComments(source.slice(slot.from, slot.to))))
        list = list.map((parameter) => ({ ...parameter, by: 'position' }));
      continue;
    }
    if (first.name === '**') named = true;
    else if (first.name === '*') {
      rest ||= slot.nodes.length > 1;
      by = 'name';
    } else if (first.name === 'VariableName') {
      const required = !slot.nodes.some(({ name }) => name === 'AssignOp');
      list.push({ name: source.slice(first.from, first.to), by, required });
    } else return undefined;
  }
  return { list, rest, named };
}

/** Only a class of its own: bases and metaclasses may take anything. */
function ofClass(node: PyNode, source: string): Parameters | undefined {
  const bases = node.children.find(({ name }) => name === 'ArgList');
  if (bases !== undefined && !/^\(\s*(?:object)?\s*\)$/.test(source.slice(bases.from, bases.to))) return undefined;
  const statements = node.children.find(({ name }) => name === 'Body')?.children ?? [];
  const text = (each: PyNode): string => source.slice(each.from, each.to);
  const names = statements.map((each) => each.children.find(({ name }) => name === 'VariableName'));
  const at = names.findIndex((name) => name !== undefined && text(name) === '__init__');
  const isUnsure = statements.some(
    (each) => /\b__(?:new|init|call)__\b/.test(text(each).slice(0, 400)) && each !== statements[at],
  );
  if (isUnsure) return undefined;
  const init = statements[at];
  if (init === undefined) return isPlain(statements) ? { list: [], rest: false, named: false } : undefined;
  const takes = init.name === 'FunctionDefinition' ? ofFunction(init, source) : undefined;
  const [self] = takes?.list ?? [];
  if (takes === undefined || self === undefined || self.by === 'name') return undefined;
  return { ...takes, list: takes.list.slice(1) };
}

/** Nothing in it could make a constructor. */
function isPlain(statements: readonly PyNode[]): boolean {
  return statements.every(({ name }) =>
    /^(?::|PassStatement|FunctionDefinition|ExpressionStatement|Comment)$/.test(name),
  );
}

export interface PyArguments {
  readonly positional: number;
  readonly named: readonly string[];
}

export function pyArguments(list: PyNode, source: string): PyArguments | undefined {
  // A generator has no parentheses of its own, and commas.
  if (list.children.some(({ name }) => name === 'for')) return undefined;
  const named: string[] = [];
  let positional = 0;
  for (const { nodes } of slots(list)) {
    const [first, second] = nodes;
    if (first === undefined) continue;
    if (first.name === '*' || first.name === '**') return undefined;
    if (second?.name === 'AssignOp' && first.name === 'VariableName') named.push(source.slice(first.from, first.to));
    else positional += 1;
  }
  return { positional, named };
}

interface Slot {
  readonly nodes: readonly PyNode[];
  readonly from: number;
  readonly to: number;
}

function slots(list: PyNode): Slot[] {
  const found: Slot[] = [];
  let nodes: PyNode[] = [];
  let { from } = list;
  for (const child of list.children) {
    if (child.name === '(') from = child.to;
    else if (child.name === ',' || child.name === ')') {
      found.push({ nodes, from, to: child.from });
      nodes = [];
      from = child.to;
    } else if (child.name !== 'Comment') nodes.push(child);
  }
  return found;
}

function withoutComments(text: string): string {
  return text.replaceAll(/#[^\n]*/g, '');
}
