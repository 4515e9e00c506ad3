/**
 * Recognises the calls that declare suites and tests (`describe`, `it`, `test`, `t.test`, `Deno.test`, with
 * `.each`, `.concurrent` and the like) and how they are skipped or singled out: by the chain, by an `x` or `f`
 * prefix, or by an options object.
 */
import { chainOf, constantOf, isFunction, type Node, nameOf, nodeAt, nodesAt, unwrapNode } from './js-nodes.ts';
import { foldSpaces } from './outline.ts';

export interface TestCall {
  readonly kind: 'suite' | 'test';
  readonly name: string;
  readonly markers: readonly { readonly kind: 'skip' | 'only'; readonly word: string }[];
  readonly callback: Node | undefined;
  /** Declared once for each row of a table. */
  readonly repeated: boolean;
}

const suites = new Set(['describe', 'suite', 'context']);
const tests = new Set(['test', 'it', 'specify']);
const passive = new Set(['each', 'for', 'concurrent', 'sequential', 'serial', 'parallel', 'shuffle', 'extend']);
const skips = new Set(['skip', 'todo', 'skipIf', 'runIf', 'fails', 'failing', 'fixme', 'fail']);

/** `describe.skip.each` is three; longer chains declare nothing. */
const maxLinks = 8;

export function testCallOf(node: Node, source: string, parameter: string | undefined): TestCall | undefined {
  const written = unwrapNode(nodeAt(node, 'callee'));
  // `(condition ? test : test.skip)(…)`: a test, and a condition that leaves it out.
  const chosen = written?.type === 'ConditionalExpression';
  const callee = chosen ? declaring(written) : written;
  const args = nodesAt(node, 'arguments');
  if (callee === undefined || args.length === 0) return undefined;
  const chain = chainOf(callee, () => false, maxLinks);
  const root = nameOf(chain.root);
  if (root === undefined || chain.root.type !== 'Identifier') return undefined;
  const [declared, ...links] = wordsOf(root, chain.links, parameter);
  const known = declared === undefined ? undefined : declarationOf(declared);
  if (
    known === undefined ||
    !links.every((link) => link === 'describe' || link === 'only' || passive.has(link) || skips.has(link))
  )
    return undefined;
  const callback = args.find(isFunction);
  // `test.each(table)` and `it.skipIf(condition)` alone make a function; the declaration is the call of that.
  if (callback === undefined && !links.includes('todo') && !links.includes('skip') && !known.skip && !namedFirst(args))
    return undefined;
  if (
    /^(?:each|for|skipIf|runIf|extend)$/.test(links.at(-1) ?? '') &&
    callee.type !== 'CallExpression' &&
    callee.type !== 'TaggedTemplateExpression'
  ) {
    return undefined;
  }
  const words = [declared, ...links].join('.');
  return {
    kind: known.kind === 'suite' || links.includes('describe') ? 'suite' : 'test',
    name: titleOf(args[0], source),
    callback,
    repeated: links.includes('each') || links.includes('for'),
    markers: [
      ...(chosen || known.skip || links.some((link) => skips.has(link))
        ? [{ kind: 'skip' as const, word: chosen ? 'under a condition' : words }]
        : []),
      ...(known.only || links.includes('only') ? [{ kind: 'only' as const, word: words }] : []),
      ...fromOptions(args),
    ],
  };
}

/** Of two branches the first that names a way to declare tests. */
function declaring(choice: Node): Node | undefined {
  const branches = [unwrapNode(nodeAt(choice, 'consequent')), unwrapNode(nodeAt(choice, 'alternate'))];
  return branches.find((branch) => {
    const root = branch === undefined ? undefined : nameOf(chainOf(branch, () => false, maxLinks).root);
    return root !== undefined && declarationOf(root) !== undefined;
  });
}

/** `t.test` counts only on the parameter of the test around it; `Deno.test` and `QUnit.test` by name. */
function wordsOf(root: string, links: readonly string[], parameter: string | undefined): readonly string[] {
  const owned = root === parameter || root === 'Deno' || root === 'QUnit';
  return owned && links[0] !== undefined && !skips.has(links[0]) ? links : [root, ...links];
}

function declarationOf(
  word: string,
): { readonly kind: 'suite' | 'test'; readonly skip: boolean; readonly only: boolean } | undefined {
  const prefixed = /^[xf](?=describe|context|it$|test$|specify)/.test(word);
  const plain = prefixed ? word.slice(1) : word;
  const kind = suites.has(plain) ? 'suite' : tests.has(plain) ? 'test' : undefined;
  return kind === undefined
    ? undefined
    : { kind, skip: prefixed && word.startsWith('x'), only: prefixed && word.startsWith('f') };
}

function namedFirst(args: readonly Node[]): boolean {
  const type = unwrapNode(args[0])?.type;
  // `it('later')` without a body is pending in mocha and jest; `describe(name, importedSuite)` has no literal body.
  return type === 'StringLiteral' || type === 'TemplateLiteral';
}

function titleOf(node: Node | undefined, source: string): string {
  const title = unwrapNode(node);
  if (title === undefined) return '';
  if (title.type === 'StringLiteral') return foldSpaces(nameOf(title) ?? '');
  const text = source.slice(title.start, title.end);
  if (isFunction(title)) return nameOf(nodeAt(title, 'id')) ?? '(unnamed)';
  return foldSpaces(title.type === 'TemplateLiteral' ? text.slice(1, -1) : text);
}

/** `{ skip: true }`, `{ todo: 'later' }`, `{ only: true }`; a constant that is false switches nothing. */
function fromOptions(args: readonly Node[]): { readonly kind: 'skip' | 'only'; readonly word: string }[] {
  const options = args.slice(0, 3).find((each) => each.type === 'ObjectExpression');
  return nodesAt(options, 'properties').flatMap((property) => {
    const key = nameOf(nodeAt(property, 'key')) ?? '';
    const constant = constantOf(nodeAt(property, 'value'));
    if (!/^(?:skip|todo|only|fails|ignore)$/.test(key) || constant?.truthy === false) return [];
    return [{ kind: key === 'only' ? ('only' as const) : ('skip' as const), word: `{ ${key} }` }];
  });
}
