/** A JavaScript or TypeScript file as a shape: parsed once, walked once, then asked. */

import { isTestFile } from '../test-files.ts';
import { lineFinder } from '../weakened/outline.ts';
import { cjsExports } from './cjs-exports.ts';
import { esExports, isEsModule } from './es-exports.ts';
import { jsBindings } from './js-bindings.ts';
import { localFunctions } from './js-locals.ts';
import { isTsPath, parseJs } from './js-parse.ts';
import { jsUses } from './js-uses.ts';
import { countDeclarations, visitNodes } from './js-walk.ts';
import type { ContractReading } from './shape.ts';

/** Questions go up the tree from many places. */
const maxDepth = 1000;

export function readJs(path: string, source: string): ContractReading {
  const tree = parseJs(path, source);
  if (tree.status !== 'tree') return tree;
  const { program } = tree;
  const all = visitNodes(program);
  if (all.some(({ depth }) => depth > maxDepth)) return { status: 'unread' };
  const declared = countDeclarations(all);
  const lineOf = lineFinder(source);
  const locals = localFunctions(program, declared, isTsPath(path));
  const bindings = jsBindings(all, declared);
  const uses = jsUses(all, bindings, { lineOf, isTest: isTestFile(path), isExcused: excuses(source) });
  if (isEsModule(program) || isTsPath(path)) {
    const imported = new Map([...bindings.bound].filter(([, { access }]) => access === 'import'));
    return { status: 'read', shape: { kind: 'es', ...esExports(program, { locals, lineOf, imported }), ...uses } };
  }
  const offered = cjsExports(all, { locals, declared, lineOf });
  return { status: 'read', shape: { kind: 'cjs', ...offered, stars: [], ...uses } };
}

/** TypeScript's own way to say that the next line is meant to be wrong. */
function excuses(source: string): (line: number) => boolean {
  if (!source.includes('@ts-')) return () => false;
  const all = source.includes('@ts-nocheck');
  const lines = source.split('\n');
  return (line) => all || /@ts-(?:expect-error|ignore)/.test(lines[line - 2] ?? '');
}
