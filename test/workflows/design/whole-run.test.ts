/** A run of `design` in which everything goes well: what it writes, in which order, and what is proven. */
import { expect, it } from 'vitest';
import { playDesign } from './scene.ts';
import { designDir } from './tiny-design.ts';

it('plans, builds, tests, accepts and publishes', async () => {
  const { result, world, asked, events, document, questions } = await playDesign();
  expect(result).toMatchObject({
    status: 'done',
    output: { verdict: 'PASS', criteria: { passed: 5, total: 5 }, branch: 'forge/r1' },
  });
  expect(questions).toEqual(['approve']);
  expect(asked.filter((key) => key.includes('planner'))).toEqual([
    'plan/round#1/M-001/planner#1',
    'plan/round#2/M-002/planner#1',
    'plan/round#2/M-003/planner#1',
  ]);
  expect(events.toSorted()).toEqual(
    [
      'Plans approved',
      'Phase 1 started',
      'M-001 approved and merged',
      'Phase 1 integration test: Pass',
      'Phase 1 merged',
      'Phase 2 started',
      'M-002 approved and merged',
      'M-003 approved and merged',
      'Phase 2 integration test: Pass',
      'Phase 2 merged',
      'Acceptance: PASS (100 %)',
      'Delivery 1 complete',
    ].toSorted(),
  );
  const subjects = world.log().filter((subject) => !subject.startsWith('log: '));
  expect(subjects.toReversed()[0]).toBe('docs(plan): add implementation plans for Echo');
  expect(subjects.toSorted()).toEqual(
    [
      'docs(plan): add implementation plans for Echo',
      'feat(M-001): implement Core',
      'test(M-001): add integration tests for Core',
      'docs(plan): update status after phase-1',
      'docs(design): update impl status after phase-1',
      'feat(M-002): implement Shout',
      'test(M-002): add integration tests for Shout',
      'feat(M-003): implement Print',
      'test(M-003): add integration tests for Print',
      'docs(plan): update status after phase-2',
      'docs(design): update impl status after phase-2',
      'test(e2e): add E2E acceptance tests',
      'docs(plan): add acceptance report',
      'docs(plan): mark implementation complete',
      'docs(design): mark design as implemented',
    ].toSorted(),
  );
  expect(document('README.md')).toContain('5 of 5 criteria have a passing test');
  expect(document('plans/conventions.md').match(/^## /gm)?.length).toBeGreaterThanOrEqual(12);
  expect(document('execution-log.md')).toMatch(
    /### \{?[^\n]* — M-001 approved and merged\n\n\*\*Context:\*\* M-001\n\n\*\*Event:\*\* APPROVE\n\n\*\*Details:\*\*\n/,
  );
  const design = world.files()[`${designDir}/README.md`] ?? '';
  expect(design).toContain('**Status:** Implemented');
  expect(design.match(/\| Done \|/g)).toHaveLength(3);
  const trace = JSON.parse(document('reports/traceability.json')) as {
    criteria: { id: string; status: string; tests: string[]; modules: string[] }[];
    tests: { id: string; line: number; criteria: string[] }[];
    orphan_tests: string[];
  };
  expect(trace.criteria[1]).toMatchObject({
    id: 'F-001/AC2',
    status: 'PASS',
    tests: ['test/modules/M-002.test.js::F-001/AC2 in M-002', 'e2e/all.test.js::F-001/AC2 end to end'],
    modules: ['M-002'],
  });
  expect(trace.tests.find(({ id }) => id.startsWith('e2e/all.test.js::F-001/AC2'))).toMatchObject({ line: 3 });
  expect(trace.orphan_tests).toEqual([]);
});
