/**
 * Silent writes in Python: an UPDATE or DELETE whose result nobody looks at, access that is
 * allowed when the user is missing, a handler that reports success. Only what the syntax shows for certain. Pure.
 */
import type { PyNode } from '../../evidence/contracts/python-tree.ts';
import {
  childNamed,
  functionAround,
  nameOfFunction,
  type PySource,
  type PyVisit,
  statementsOf,
} from './python-source.ts';
import { isAboutContext, isDoor, isPartialWrite } from './write-words.ts';

export function checkPythonWrites(file: PySource): void {
  for (const visit of file.all) {
    const { node } = visit;
    if (node.name === 'ExpressionStatement' && isDroppedWrite(visit, file)) file.add('silent-write', node);
    if (node.name === 'IfStatement' && opensDoor(visit, file)) file.add('open-door', node);
    if (node.name === 'TryStatement')
      for (const handler of hiddenErrors(node, file)) file.add('error-as-success', handler);
  }
}

/** As a statement of its own, in a function that never looks at `rowcount`. */
function isDroppedWrite(visit: PyVisit, file: PySource): boolean {
  const text = file.textOf(visit.node).slice(0, 2000);
  const [, sql] = /^(?:await\s+)?[\w.]+\.execute\s*\(\s*(?:text\s*\(\s*)?[frbu]*["']{1,3}([^]*)$/i.exec(text) ?? [];
  const isMapped =
    /^(?:await\s+)?[\w.]+(?:\([^]*\))?\.(?:filter|filter_by|where|exclude)\([^]*\)\.(?:update|delete)\([^()]*\)\s*$/.test(
      text,
    );
  if (!isMapped && (sql === undefined || !isPartialWrite(sql))) return false;
  const around = functionAround(visit);
  return !(around === undefined ? file.source : file.textOf(around)).includes('rowcount');
}

/** `if not user: return True` in what decides about access. */
function opensDoor(visit: PyVisit, file: PySource): boolean {
  const [, test] = visit.node.children;
  const subject = /^(?:not\s+([\w.]+)|([\w.]+)\s+(?:is|==)\s+None)$/.exec(file.textOf(test).trim());
  const name = (subject?.[1] ?? subject?.[2] ?? '').split('.').at(-1) ?? '';
  const [only, ...more] = statementsOf(childNamed(visit.node, 'Body'));
  if (!isAboutContext(name) || only === undefined || more.length > 0) return false;
  return /^return\s+True$/.test(file.textOf(only).trim()) && isDoor(nameOfFunction(functionAround(visit), file));
}

/** Handlers for everything that end as if nothing had happened. What returns something else when all is well asks a question. */
function hiddenErrors(node: PyNode, file: PySource): PyNode[] {
  const [tried] = node.children.filter(({ name }) => name === 'Body');
  const gives = statementsOf(tried)
    .filter(({ name }) => name === 'ReturnStatement')
    .map((each) => file.textOf(each).trim());
  return node.children.filter((word, at) => {
    if (word.name !== 'except') return false;
    const body = node.children.slice(at + 1).find(({ name }) => name === 'Body');
    const caught = body === undefined ? '' : file.source.slice(word.to, body.from).trim();
    const isBroad = caught === '' || /^\(?(?:Base)?Exception\b/.test(caught);
    const statements = statementsOf(body);
    const last = statements.at(-1);
    if (!isBroad || last === undefined || statements.some(({ name }) => /^(?:If|Raise)Statement$/.test(name)))
      return false;
    const answer = file.textOf(last).trim();
    if (/^return\b.*["'](?:ok|success|succeeded)["']\s*:\s*True\b/s.test(answer)) return true;
    if (/^return\b.*["'](?:status|result)["']\s*:\s*["'](?:ok|success|succeeded)["']/is.test(answer)) return true;
    return answer === 'return True' && gives.every((each) => each === 'return True');
  });
}
