/** What the functions and classes at the top of a file take, for those names that mean one thing only. */
import { isFunction, nameOf, nodeAt, nodesAt, type Node } from '../weakened/js-nodes.ts';
import { anyOf, jsParameters } from './js-parameters.ts';
import type { Parameters } from './shape.ts';

export interface LocalFunctions {
  get(name: string): Parameters | undefined;
  /** Of a function or class written in place, or of the name that stands there. */
  ofNode(node: Node | undefined, name?: string): Parameters | undefined;
}

export function localFunctions(program: Node, declared: ReadonlyMap<string, number>, typed: boolean): LocalFunctions {
  const known = new Map<string, Node>();
  const signatures = new Map<string, Node[]>();
  for (const statement of nodesAt(program, 'body')) {
    const declaration = /^Export(?:Named|Default)Declaration$/.test(statement.type)
      ? nodeAt(statement, 'declaration')
      : statement;
    if (declaration?.type === 'VariableDeclaration') addConstants(declaration, known);
    const name = nameOf(nodeAt(declaration, 'id'));
    if (declaration === undefined || name === undefined) continue;
    if (declaration.type === 'TSDeclareFunction') signatures.set(name, [...(signatures.get(name) ?? []), declaration]);
    else if (declaration.type === 'FunctionDeclaration' || declaration.type === 'ClassDeclaration')
      known.set(name, declaration);
  }
  const answers = new Map<string, Parameters | undefined>();
  const ask = (name: string): Parameters | undefined => {
    const overloads = signatures.get(name);
    if ((declared.get(name) ?? 0) > 1) return undefined;
    return overloads === undefined ? jsParameters(known.get(name), typed) : anyOf(overloads);
  };
  const get = (name: string): Parameters | undefined => {
    if (!answers.has(name)) answers.set(name, ask(name));
    return answers.get(name);
  };
  return {
    get,
    ofNode: (node, name) => {
      const inPlace = isFunction(node) || node?.type === 'ClassDeclaration' || node?.type === 'ClassExpression';
      if (inPlace) return jsParameters(node, typed);
      return name === undefined ? undefined : get(name);
    },
  };
}

function addConstants(declaration: Node, known: Map<string, Node>): void {
  if (declaration['kind'] !== 'const') return;
  for (const declarator of nodesAt(declaration, 'declarations')) {
    const id = nodeAt(declarator, 'id');
    const value = nodeAt(declarator, 'init');
    const name = nameOf(id);
    // A constant with a type of its own takes what the type says.
    if (name === undefined || value === undefined || nodeAt(id, 'typeAnnotation') !== undefined) continue;
    if (isFunction(value) || value.type === 'ClassExpression') known.set(name, value);
  }
}
