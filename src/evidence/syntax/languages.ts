/**
 * Syntax trees of six languages from one family of parsers, without any compiler: which language a file is in, what
 * it defines and which other files it names. The parsers accept broken code, so a half-written file is read as far as it
 * goes. Pure.
 */
import type { SyntaxNode, Tree } from '@lezer/common';
import { parser as go } from '@lezer/go';
import { parser as java } from '@lezer/java';
import { parser as javascript } from '@lezer/javascript';
import { parser as python } from '@lezer/python';
import { parser as rust } from '@lezer/rust';

export type SyntaxLanguage = 'javascript' | 'typescript' | 'python' | 'go' | 'rust' | 'java';

const byEnding: Readonly<Record<string, SyntaxLanguage>> = {
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascript',
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  tsx: 'typescript',
  py: 'python',
  go: 'go',
  rs: 'rust',
  java: 'java',
};

export function languageOf(path: string): SyntaxLanguage | undefined {
  return byEnding[path.slice(path.lastIndexOf('.') + 1).toLowerCase()];
}

const parsers = {
  javascript: javascript.configure({ dialect: 'jsx' }),
  typescript: javascript.configure({ dialect: 'ts' }),
  tsx: javascript.configure({ dialect: 'ts jsx' }),
  python,
  go,
  rust,
  java,
} as const;

export function parseSource(path: string, text: string): Tree | undefined {
  const language = languageOf(path);
  if (language === undefined) return undefined;
  return parsers[path.toLowerCase().endsWith('.tsx') ? 'tsx' : language].parse(text);
}

/** Which child of which node is the name of something that others may use. */
const names: Readonly<Record<SyntaxLanguage, Readonly<Record<string, readonly string[]>>>> = {
  javascript: scriptNames(),
  typescript: scriptNames(),
  python: {
    FunctionDefinition: ['VariableName'],
    ClassDefinition: ['VariableName'],
    AssignStatement: ['VariableName'],
  },
  go: {
    FunctionDecl: ['DefName'],
    MethodDecl: ['FieldName'],
    TypeSpec: ['DefName'],
    ConstSpec: ['DefName'],
    VarSpec: ['DefName'],
    FieldDecl: ['FieldName'],
    MethodElem: ['FieldName'],
  },
  rust: {
    FunctionItem: ['BoundIdentifier'],
    StructItem: ['TypeIdentifier'],
    EnumItem: ['TypeIdentifier'],
    UnionItem: ['TypeIdentifier'],
    TraitItem: ['TypeIdentifier'],
    TypeItem: ['TypeIdentifier'],
    ConstItem: ['BoundIdentifier'],
    StaticItem: ['BoundIdentifier'],
    ModItem: ['BoundIdentifier'],
    MacroDefinition: ['Identifier'],
    EnumVariant: ['Identifier'],
    FieldDeclaration: ['FieldIdentifier'],
  },
  java: {
    ClassDeclaration: ['Definition'],
    InterfaceDeclaration: ['Definition'],
    EnumDeclaration: ['Definition'],
    RecordDeclaration: ['Definition'],
    AnnotationTypeDeclaration: ['Definition'],
    MethodDeclaration: ['Definition'],
    FieldDeclaration: ['Definition'],
    EnumConstant: ['Definition'],
  },
};

function scriptNames(): Readonly<Record<string, readonly string[]>> {
  return {
    FunctionDeclaration: ['VariableDefinition'],
    ClassDeclaration: ['VariableDefinition'],
    VariableDeclaration: ['VariableDefinition'],
    MethodDeclaration: ['PropertyDefinition'],
    PropertyDeclaration: ['PropertyDefinition'],
    Property: ['PropertyDefinition'],
    InterfaceDeclaration: ['TypeDefinition'],
    TypeAliasDeclaration: ['TypeDefinition'],
    EnumDeclaration: ['TypeDefinition'],
    NamespaceDeclaration: ['VariableDefinition'],
  };
}

/** Every name that a file defines, and how often. */
export function definedNames(path: string, text: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const language = languageOf(path);
  const tree = parseSource(path, text);
  if (language === undefined || tree === undefined) return found;
  const add = (node: SyntaxNode): void => {
    const name = text.slice(node.from, node.to);
    found.set(name, (found.get(name) ?? 0) + 1);
  };
  const holders = names[language];
  tree.iterate({
    enter: ({ name, node }) => {
      if (name === 'AssignmentExpression') for (const one of assignedProperties(node)) add(one);
      const wanted = holders[name];
      if (wanted === undefined) return;
      const field = name === 'FieldDeclaration' ? node.getChildren('VariableDeclarator') : [];
      for (const holder of [node, ...field])
        for (const child of wanted) for (const one of nameNodes(holder, child)) add(one);
    },
  });
  return found;
}

/** Of an assignment only what stands on its left; of everything else the direct children of that kind. */
function nameNodes(node: SyntaxNode, kind: string): readonly SyntaxNode[] {
  const found = node.getChildren(kind);
  if (node.name !== 'AssignStatement') return node.name === 'FunctionDefinition' ? found.slice(0, 1) : found;
  const operator = node.getChild('AssignOp');
  return found.filter(({ to }) => operator !== null && to <= operator.from);
}

/** `exports.name = …`, `this.name = …`. */
function assignedProperties(node: SyntaxNode): readonly SyntaxNode[] {
  const left = node.firstChild;
  const property = left?.name === 'MemberExpression' ? left.getChild('PropertyName') : null;
  return property === null || property === undefined ? [] : [property];
}

/** Identifiers that occur in a file's code: not in strings, not in comments. */
export function usedNames(path: string, text: string): ReadonlySet<string> {
  const found = new Set<string>();
  parseSource(path, text)?.iterate({
    enter: ({ name, from, to }) => {
      if (identifier.test(name)) found.add(text.slice(from, to));
    },
  });
  return found;
}

const identifier = /(?:Name|Identifier|Definition)$/;

/** What a JavaScript or TypeScript file imports or exports from elsewhere, as written. */
export function importedModules(path: string, text: string): readonly string[] {
  const found: string[] = [];
  parseSource(path, text)?.iterate({
    enter: ({ name, node }) => {
      const isCall = name === 'CallExpression' && text.slice(node.from, node.from + 8) === 'require(';
      const holder = isCall ? node.getChild('ArgList') : importing.has(name) ? node : null;
      for (const one of holder?.getChildren('String') ?? []) found.push(text.slice(one.from + 1, one.to - 1));
    },
  });
  return found;
}

const importing: ReadonlySet<string> = new Set(['ImportDeclaration', 'ExportDeclaration', 'DynamicImport']);
