/**
 * The names an ES module offers. Only what its statements say counts: there is no other way to offer a name, but for
 * TypeScript's `export =`, which makes the list open.
 */
import { nameOf, nodeAt, nodesAt, type Node } from '../weakened/js-nodes.ts';
import type { LocalFunctions } from './js-locals.ts';
import { patternNames } from './js-walk.ts';
import type { Exported } from './shape.ts';

export interface EsExports {
  readonly exports: ReadonlyMap<string, Exported>;
  readonly stars: readonly string[];
  readonly open: boolean;
}

export interface EsContext {
  readonly locals: LocalFunctions;
  readonly lineOf: (offset: number) => number;
  /** Imported names that are offered again. */
  readonly imported: ReadonlyMap<string, { readonly specifier: string; readonly name: string }>;
}

const esStatements = /^(?:Import|ExportNamed|ExportDefault|ExportAll)Declaration$|^TSExportAssignment$/;

export function isEsModule(program: Node): boolean {
  return nodesAt(program, 'body').some((statement) => esStatements.test(statement.type) || isExportedImport(statement));
}

function isExportedImport(statement: Node): boolean {
  return statement.type === 'TSImportEqualsDeclaration' && statement['isExport'] === true;
}

export function esExports(program: Node, context: EsContext): EsExports {
  const exports = new Map<string, Exported>();
  const stars: string[] = [];
  let open = false;
  const offer = (name: string, node: Node, from?: Exported['from'], local = name): void => {
    const takes = from === undefined ? context.locals.get(local) : undefined;
    exports.set(name, { line: context.lineOf(node.start), takes, from });
  };
  for (const statement of nodesAt(program, 'body')) {
    switch (statement.type) {
      case 'ExportAllDeclaration':
        stars.push(nameOf(nodeAt(statement, 'source')) ?? '');
        break;
      case 'ExportDefaultDeclaration':
        offerDefault(statement, context, exports);
        break;
      case 'ExportNamedDeclaration':
        for (const name of declaredNames(nodeAt(statement, 'declaration'))) offer(name, statement);
        offerSpecifiers(statement, context, offer);
        break;
      case 'TSExportAssignment':
        open = true;
        break;
      case 'TSImportEqualsDeclaration':
        if (isExportedImport(statement)) offer(nameOf(nodeAt(statement, 'id')) ?? '', statement);
        break;
      default:
    }
  }
  return { exports, stars, open };
}

function offerDefault(statement: Node, { locals, lineOf, imported }: EsContext, exports: Map<string, Exported>): void {
  const value = nodeAt(statement, 'declaration');
  const name = nameOf(value?.type === 'Identifier' ? value : nodeAt(value, 'id'));
  const from = name === undefined ? undefined : imported.get(name);
  const takes = from === undefined ? locals.ofNode(value, name) : undefined;
  exports.set('default', { line: lineOf(statement.start), takes, from });
}

/** What `export <declaration>` declares, types and namespaces included. */
function declaredNames(declaration: Node | undefined): string[] {
  if (declaration === undefined) return [];
  if (declaration.type === 'VariableDeclaration')
    return nodesAt(declaration, 'declarations').flatMap((each) => patternNames(nodeAt(each, 'id')));
  const id = nodeAt(declaration, 'id');
  const name = id?.type === 'TSQualifiedName' ? leftmost(id) : nameOf(id);
  return name === undefined ? [] : [name];
}

/** `namespace A.B {}` declares `A`. */
function leftmost(id: Node): string | undefined {
  let node: Node | undefined = id;
  while (node?.type === 'TSQualifiedName') node = nodeAt(node, 'left');
  return nameOf(node);
}

function offerSpecifiers(
  statement: Node,
  { imported }: EsContext,
  offer: (name: string, node: Node, from?: Exported['from'], local?: string) => void,
): void {
  const source = nameOf(nodeAt(statement, 'source'));
  for (const specifier of nodesAt(statement, 'specifiers')) {
    const name = nameOf(nodeAt(specifier, 'exported'));
    if (name === undefined) continue;
    const local = nameOf(nodeAt(specifier, 'local')) ?? name;
    if (source === undefined) offer(name, specifier, imported.get(local), local);
    else if (specifier.type === 'ExportNamespaceSpecifier') offer(name, specifier, { specifier: source, name: '*' });
    else if (specifier.type === 'ExportDefaultSpecifier')
      offer(name, specifier, { specifier: source, name: 'default' });
    else offer(name, specifier, { specifier: source, name: local });
  }
}
