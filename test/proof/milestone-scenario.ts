/**
 * A run of `milestone` for the proofs: a plan that is sent back once, two tasks side by side of which one is split, a
 * review with an objection that is conceded and fixed and one that stays open until the triage, and a second slice.
 */
import { built, dimensions, done, job, reply, script, slicePlan, task } from '../cli/milestone-story.ts';
import { makeRepository, type Scenario } from './scenario.ts';

const large = {
  truths: [],
  artifacts: ['one', 'x', 'y'].map((name) => ({ path: `src/${name}.js`, provides: name, minLines: 1 })),
};
const plan = slicePlan(task('T01', 'one', { mustHaves: large }), task('T02', 'two'));

const jobs = [
  job('S01/plan#1', reply(plan)),
  job('S01/plan-check#1', reply(dimensions(['scope']))),
  job('S01/plan#2', reply(plan)),
  job('S01/T01/decompose', reply(slicePlan(task('T1', 'x'), task('T2', 'y')))),
  { when: { role: 'executor', task: 'S01/T01.1' }, do: [...built('x'), done('x')] },
  { when: { role: 'executor', task: 'S01/T01.2' }, do: [...built('y'), done('y')] },
  job(
    'S01/review/challenge',
    reply({
      objections: [
        { id: 'R1', file: 'src/one.js', line: 1, claim: 'It is wrong' },
        { id: 'R2', claim: 'It is slow' },
      ],
    }),
  ),
  job(
    'S01/review/defense',
    reply({
      answers: [
        { id: 'R1', verdict: 'conceded', why: 'yes' },
        { id: 'R2', verdict: 'open', why: 'maybe' },
      ],
    }),
  ),
  job('S01/review/rebuttal#1', reply({ rulings: [{ id: 'R2', ruling: 'maintained' }] })),
  { when: { role: 'executor', task: 'S01/review-fix' }, do: [...built('one', '11'), done('fixed')] },
];

const files: Readonly<Record<string, string>> = {
  'package.json': `${JSON.stringify({ name: 'sums', type: 'module', scripts: { test: 'node --test' } })}\n`,
  'test/zero.test.js': "import test from 'node:test';\ntest('zero', () => {});\n",
};

/** As the command line would say. */
export const milestoneCrashOptions = {
  'plan-check': 'blocking',
  review: 'dialectic',
  'skip-discuss': true,
  'skip-research': true,
};

export function makeMilestoneScenario(area: string): Scenario {
  return makeRepository(area, { ...files, '.forge/script.json': JSON.stringify(script(jobs)) });
}
