/**
 * Everything that reads text which agents or their code wrote, by name: what a thread of its own is asked to do. Each
 * takes and gives plain data. Pure.
 */
import type { Task } from '../plan/plan.ts';
import { checkContracts } from './contracts/check-contracts.ts';
import { checkSymbols } from './syntax/check-symbols.ts';
import { keptEntryPoints } from './entry-points.ts';
import { inspectPromises } from './syntax/inspect-promises.ts';
import { readsOfTests } from './reads-of-tests.ts';
import { readResults } from './read-results.ts';
import { classifyRedGreen, type RedGreen, type RedGreenRun } from './red-green.ts';
import { testSide } from './test-side.ts';
import { tracedTests } from './traced-tests.ts';
import { changedExamples } from './weakened/doc-examples.ts';
import { unnamedFiles } from './unnamed-files.ts';
import { compareTests, testsRemoved } from './weakened.ts';

export const computations = {
  changedExamples,
  checkContracts,
  checkSymbols,
  classify,
  compareTests,
  inspectPromises,
  keptEntryPoints,
  readResults,
  readsOfTests,
  testSide,
  testsRemoved,
  tracedTests,
  unnamedFiles,
};

function classify({ run, kind }: { readonly run: RedGreenRun; readonly kind: Task['kind'] }): RedGreen {
  return classifyRedGreen(run, kind);
}

export type Computations = typeof computations;
export type ComputationName = keyof Computations;
