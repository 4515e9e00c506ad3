/**
 * A run of `design` for the proofs: a module that is retried, one that needs a part of a merged module first, a phase that is
 * fixed, and an acceptance that fails once.
 */
import {
  accepting,
  designProject,
  designScript,
  done,
  e2eTests,
  failing,
  job,
  moduleTests,
  passing,
  planIssue,
  source,
  testFile,
  write,
} from '../cli/design-story.ts';
import { designDir, planDir, prdDir } from '../workflows/design/tiny-design.ts';
import { makeRepository, type Scenario } from './scenario.ts';

const loud = testFile('../../', [['both are loud', "assert.equal(shout('a'), 'A');"]]);

const script = designScript(
  job('M-001/test#1', moduleTests('M-001'), failing('F-001/AC1')),
  job('M-003/develop#1', planIssue('UPSTREAM_NOT_IMPLEMENTED', { module: 'M-001', capability: 'word(text, times)' })),
  job('phase-2/test#1', write('test/phases/phase-2.test.js', loud), failing('both are loud')),
  job('phase-2/test#2', passing),
  job(
    'accept/test#1',
    e2eTests({ 'F-002/AC2': "assert.equal(print('a b'), '[a b]!');" }),
    accepting({ criterion: 'F-002/AC2', class: 'implementation', modules: ['M-003'] }),
  ),
  job('accept/fix#2', source('M-003', '// fixed\n'), done()),
);

/** What a run of it is started with, besides what all runs have. */
export const designCrashInput = {
  mode: 'full',
  design: { dir: designDir, name: 'Echo', prd: prdDir },
  plan: { dir: planDir, delivery: 1, designDelivery: '', family: 'autoforge/echo', date: '' },
  hasSource: true,
  parallel: 2,
};

export function makeDesignScenario(area: string): Scenario {
  return makeRepository(area, { ...designProject, '.forge/script.json': JSON.stringify(script) });
}
