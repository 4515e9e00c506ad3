/**
 * Routes that are never mounted and middleware that is never in a chain, over a whole tree: what a file defines and exports, and
 * no other source mentions. A file that anything imports counts as wired, and so does everything where modules are loaded by
 * computed names: only what is certain is told. Pure.
 */
import { posix } from 'node:path';
import { parseJs } from '../../evidence/contracts/js-parse.ts';
import { visitNodes } from '../../evidence/contracts/js-walk.ts';
import { isTestFile } from '../../evidence/test-files.ts';
import {
  chainOf,
  isCall,
  isFunction,
  isMember,
  type Node,
  nameOf,
  nodeAt,
  nodesAt,
  unwrapNode,
} from '../../evidence/weakened/js-nodes.ts';
import { lineFinder } from '../../evidence/weakened/outline.ts';
import { issueIn, type PlanIssue } from '../plan-issue.ts';
import { type RuleName, ruleIssue } from './rule-texts.ts';

interface Offered {
  readonly path: string;
  readonly name: string;
  readonly line: number;
  readonly rule: Extract<RuleName, 'route-not-mounted' | 'middleware-not-used'>;
}

export interface WiredFile {
  readonly path: string;
  readonly text: string;
}

const mostOffered = 500;

/** `files` gives every file of the tree, and may be asked for them twice. */
export function findUnwired(files: () => Iterable<WiredFile>): PlanIssue[] {
  const offered: Offered[] = [];
  for (const file of files())
    if (isSource(file.path)) offered.push(...offeredBy(file).slice(0, mostOffered - offered.length));
  if (offered.length === 0) return [];
  const open = new Set(offered);
  for (const file of files()) {
    if (!isSource(file.path)) continue;
    // Whatever is loaded by a computed name may be any of them.
    if (loadsByName.test(file.text)) return [];
    const isPython = file.path.endsWith('.py');
    const words = new Set(file.text.match(/[\w$]+/g));
    const imported = isPython ? new Set<string>() : importsOf(file);
    for (const each of open) {
      if (each.path === file.path) continue;
      const module = stem(each.path);
      const isImported = isPython ? importsPython(file.text, posix.basename(module)) : imported.has(module);
      if (isImported || words.has(each.name)) open.delete(each);
    }
  }
  return [...open].map(({ path, line, rule, name }) => issueIn(path, ruleIssue(rule, line, name)));
}

const isSource = (path: string): boolean =>
  /\.(?:[cm]?[jt]sx?|py)$/.test(path) && !isTestFile(path) && !path.endsWith('.d.ts');
const stem = (path: string): string => path.replace(/(?:\/index|\/__init__)?\.\w+$/, '');
const loadsByName =
  /\b(?:import|require)\s*\(\s*(?!['"`\s)])|\brequire\s*\(\s*`|\bimport_module\s*\(|\breaddir(?:Sync)?\b|\bimport\.meta\.glob\b/;

/** Files that a file imports, without their endings. */
function importsOf({ path, text }: WiredFile): ReadonlySet<string> {
  const found = text.matchAll(/\b(?:from|import|require)\s{0,9}\(?\s{0,9}['"]([^'"\n]{1,300})['"]/g);
  return new Set(
    [...found].map(([, from = '']) =>
      stem(posix.normalize(posix.join(posix.dirname(path), from)) + (/\.\w+$/.test(from) ? '' : '.js')),
    ),
  );
}

/** By the last part of the name: packages may lie anywhere. */
function importsPython(text: string, module: string): boolean {
  const lines = text.matchAll(
    /^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+\(?([\w ,\t]*)|import[ \t]+([\w., \t]+))/gm,
  );
  const words = [...lines].flatMap(([, from = '', names = '', plain = '']) => `${from} ${names} ${plain}`.split(/\W+/));
  return words.includes(module);
}

function offeredBy(file: WiredFile): readonly Offered[] {
  if (file.path.endsWith('.py')) return pythonOffered(file);
  if (!/\bRouter\s*\(|\bnext\b/.test(file.text)) return [];
  const tree = parseJs(file.path, file.text);
  if (tree.status !== 'tree') return [];
  const all = visitNodes(tree.program);
  const lineOf = lineFinder(file.text);
  const nodes = all.map(({ node }) => node);
  const exported = exportedNames(nodes);
  return all.flatMap(({ node, parent }): Offered[] => {
    const name = nameOf(nodeAt(node, 'id'));
    if (name === undefined || !exported.has(name)) return [];
    const value = node.type === 'VariableDeclarator' ? unwrapNode(nodeAt(node, 'init')) : node;
    const rule = isRouter(value) ? 'route-not-mounted' : isMiddleware(value) ? 'middleware-not-used' : undefined;
    if (rule === undefined || (node.type !== 'VariableDeclarator' && parent?.node.type === 'CallExpression')) return [];
    return isHandedOn(name, nodes) ? [] : [{ path: file.path, name, line: lineOf(node.start), rule }];
  });
}

/** `express.Router()`, `Router()`, `new Router()`. */
function isRouter(value: Node | undefined): boolean {
  if (value === undefined || (!isCall(value) && value.type !== 'NewExpression')) return false;
  const callee = nodeAt(value, 'callee');
  return nameOf(callee !== undefined && isMember(callee) ? nodeAt(callee, 'property') : callee) === 'Router';
}

/** `(req, res, next) => …`, `(ctx, next) => …`. */
function isMiddleware(value: Node | undefined): boolean {
  if (!isFunction(value)) return false;
  const params = nodesAt(value, 'params')
    .map((param) => nameOf(param) ?? '')
    .join(' ');
  return /^(?:_?req(?:uest)? _?res(?:ponse)?|_?ctx|_?context|_?c) next$/.test(params);
}

/** `export const a`, `export { a }`, `export default a`, `module.exports = a`, `module.exports = { a }`, `exports.a = a`. */
function exportedNames(nodes: readonly Node[]): ReadonlySet<string> {
  const names = nodes.flatMap((node): (string | undefined)[] => {
    if (node.type === 'ExportSpecifier') return [nameOf(nodeAt(node, 'local'))];
    if (node.type === 'ExportNamedDeclaration' || node.type === 'ExportDefaultDeclaration') {
      const declared = nodeAt(node, 'declaration');
      return [
        nameOf(declared),
        nameOf(nodeAt(declared, 'id')),
        ...nodesAt(declared, 'declarations').map((each) => nameOf(nodeAt(each, 'id'))),
      ];
    }
    if (node.type !== 'AssignmentExpression') return [];
    const left = nodeAt(node, 'left');
    const root = left === undefined ? undefined : nameOf(chainOf(left, () => false).root);
    if (root !== 'module' && root !== 'exports') return [];
    const right = nodeAt(node, 'right');
    return [nameOf(right), ...nodesAt(right, 'properties').map((each) => nameOf(nodeAt(each, 'value')))];
  });
  return new Set(names.filter((name) => name !== undefined));
}

/** Given to something in its own file: `app.use(router)`. */
function isHandedOn(name: string, nodes: readonly Node[]): boolean {
  return nodes.some(
    (node) =>
      (isCall(node) || node.type === 'NewExpression' || node.type === 'ArrayExpression') &&
      [...nodesAt(node, 'arguments'), ...nodesAt(node, 'elements')].some((each) => nameOf(unwrapNode(each)) === name),
  );
}

/** `router = APIRouter()`, `bp = Blueprint("x", __name__)`. */
function pythonOffered({ path, text }: WiredFile): readonly Offered[] {
  const lineOf = lineFinder(text);
  const found = text.matchAll(
    /^(\w{1,80})[ \t]*(?::[ \t]*\w+[ \t]*)?=[ \t]*(?:[\w.]+\.)?(?:APIRouter|Blueprint)[ \t]*\(/gm,
  );
  return [...found].flatMap((match): Offered[] => {
    const name = match[1] ?? '';
    const mounting = new RegExp(String.raw`\b(?:include_router|register_blueprint|mount)\s*\([^)\n]{0,200}\b${name}\b`);
    return mounting.test(text) ? [] : [{ path, name, line: lineOf(match.index), rule: 'route-not-mounted' }];
  });
}
