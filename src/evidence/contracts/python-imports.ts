/** What an import statement of Python says: modules under a name, or names of a module, or all of them. */
import type { PyNode } from './python-tree.ts';

export type PyImport =
  /** `import a.b` binds `a`, and `a.b` is there; `import a.b as c` binds the module itself. */
  | { readonly type: 'module'; readonly module: string; readonly as: string | undefined }
  | { readonly type: 'name'; readonly module: string; readonly name: string; readonly local: string }
  | { readonly type: 'star'; readonly module: string };

export function importsOf(statement: PyNode, source: string): PyImport[] {
  const text = (node: PyNode): string => source.slice(node.from, node.to);
  const tokens = statement.children.filter(({ name }) => name !== 'Comment' && name !== '(' && name !== ')').map(text);
  const at = tokens.indexOf('import');
  if (tokens[0] !== 'from') return entries(tokens.slice(1)).map(([module, as]) => ({ type: 'module', module, as }));
  const module = tokens.slice(1, at).join('');
  return entries(tokens.slice(at + 1)).map(([name, as]) =>
    name === '*' ? { type: 'star', module } : { type: 'name', module, name, local: as ?? name },
  );
}

/** `a.b as c, d` */
function entries(tokens: readonly string[]): (readonly [string, string | undefined])[] {
  const found: [string, string | undefined][] = [];
  let name = '';
  let as: string | undefined;
  let isRenamed = false;
  for (const token of [...tokens, ',']) {
    if (token === ',') {
      if (name !== '') found.push([name, as]);
      [name, as, isRenamed] = ['', undefined, false];
    } else if (token === 'as') isRenamed = true;
    else if (isRenamed) as = token;
    else name += token;
  }
  return found;
}

/** The name that is bound in this file. */
export function boundBy(found: PyImport): string | undefined {
  if (found.type === 'star') return undefined;
  return found.type === 'name' ? found.local : (found.as ?? found.module.split('.')[0]);
}
