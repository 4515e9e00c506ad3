import { describe, expect, it } from 'vitest';
import { chronicleOf } from '../../../src/views/chronicle.ts';
import { documentsOf } from '../../../src/views/documents/documents.ts';
import { agent, factsFrom, type Step } from '../steps.ts';
import { complete, midway, opening, plannerReply, unverified } from '../story.ts';

function documents(steps: readonly Step[]): Readonly<Record<string, string>> {
  return Object.fromEntries(documentsOf(chronicleOf(factsFrom(steps))).map(({ path, content }) => [path, content]));
}
const whole = documents(complete);
const json = (path: string, from = whole): unknown => JSON.parse(from[path] ?? '');

describe('documentsOf', () => {
  it('has those whose facts exist, and no others', () => {
    expect(Object.keys(documents(opening))).toEqual(['search-notes-state.json']);
    expect(Object.keys(documents(midway))).toEqual([
      'search-notes-plan.md',
      'search-notes-waves.json',
      'search-notes-state.json',
      'search-notes-dev-W1.md',
      'search-notes-test-W1.md',
      'search-notes-handoff-W1.md',
    ]);
    expect(Object.keys(whole)).toEqual([
      'search-notes-plan.md',
      'search-notes-waves.json',
      'search-notes-state.json',
      'search-notes-dev-W1.md',
      'search-notes-test-W1.md',
      'search-notes-handoff-W1.md',
      'search-notes-dev-W2.md',
      'search-notes-test-W2.md',
      'search-notes-handoff-W2.md',
      'search-notes-test-integration.md',
      'search-notes-knowledge.md',
      'search-notes-metrics.json',
    ]);
  });

  it('leaves none for other workflows, and no path outside its folder', () => {
    const [created, ...rest] = opening;
    const other = [['run.created', '', { ...Object(created?.[2]), workflow: 'everything' }], ...rest] as Step[];
    const hostile = [
      ['run.created', '', { ...Object(created?.[2]), input: { slug: '../../etc/passwd' } }],
      ...rest,
    ] as Step[];
    expect(documents(other)).toEqual({});
    expect(Object.keys(documents(hostile))).toEqual(['etc-passwd-state.json']);
  });

  it('writes the plan', () => {
    expect(whole['search-notes-plan.md']).toMatchInlineSnapshot(`
      "# Plan: Search the notes by words.

      ## Requirement

      Search the notes by words.
      Best match first.

      ## Plan Overview

      - Tech Stack: Node 20, no dependencies
      - Architecture: A parser, a ranker and a renderer, joined in src/cli.js
      - Business Logic: A search finds notes by words, best match first
      - Key Decisions:
        - Ranking counts words, no stemming
        - History is a JSON file

      ## Tasks

      ### T1: Parse queries

      Parse queries.

      - Complexity: L
      - Depends on: (none)
      - Writes: src/query.js, test/query.test.js
      - Verify: npm test
      - Done when: Parse queries works

      ### T2: Show results with the matching words marked

      Show results with the matching words marked.

      - Complexity: M
      - Depends on: T1, T3
      - Writes: src/show.js
      - Verify: npm test
      - Done when: Show results with the matching words marked works

      ### T3: Rank results

      Rank results.

      - Complexity: M
      - Depends on: (none)
      - Writes: src/rank.js, test/rank.test.js
      - Verify: npm test
      - Done when: Rank results works

      ### T4: Remember the last ten searches

      Remember the last ten searches.

      - Complexity: L
      - Depends on: T1
      - Writes: src/history.js
      - Verify: npm test
      - Done when: Remember the last ten searches works

      ## Waves

      - Wave 1: T1, T3
      - Wave 2: T2, T4

      ## Warnings

      - The complexity adds up to 12; up to 15 fits one wave.

      ## Risks

      - Large note files may be slow

      ## Confirmed Decisions

      - Where is the history kept? → In a file

      ## Knowledge Applied

      - Tests of this project need NODE_ENV=test.
      "
    `);
  });

  it('asks for clarifications until they are decided', () => {
    const clarifications = [{ question: 'Which database?', why: 'It decides T1.', options: ['One', 'Two'] }];
    const asked = documents([
      ...opening,
      ...agent('plan#1', { role: 'planner', reply: { ...plannerReply, knowledgeApplied: [], clarifications } }),
    ]);
    expect(asked['search-notes-plan.md']?.split('\n## ').slice(-2)).toEqual([
      'Clarifications Needed\n\n- Which database?\n  - Why: It decides T1.\n  - Option: One\n  - Option: Two\n',
      'Knowledge Applied\n\n- (none)\n',
    ]);
  });

  it('writes the waves in the known fields', () => {
    expect(json('search-notes-waves.json')).toEqual({
      tasks: [
        { id: 'T1', title: 'Parse queries', dependencies: [], complexity: 'L' },
        { id: 'T2', title: 'Show results with the matching words marked', dependencies: ['T1', 'T3'], complexity: 'M' },
        { id: 'T3', title: 'Rank results', dependencies: [], complexity: 'M' },
        { id: 'T4', title: 'Remember the last ten searches', dependencies: ['T1'], complexity: 'L' },
      ],
      suggested_waves: [
        { wave: 1, tasks: ['T1', 'T3'] },
        { wave: 2, tasks: ['T2', 'T4'] },
      ],
    });
  });

  it('writes the state in the known fields', () => {
    expect(json('search-notes-state.json', documents(midway))).toEqual({
      slug: 'search-notes',
      status: 'in_progress',
      current_step: 'retest',
      current_wave: 1,
      fix_round: 1,
      integration_fix_round: 0,
      current_bugs: [
        {
          title: 'Search is case sensitive',
          category: 'unit',
          severity: 'major',
          wave: 1,
          files: ['src/query.js'],
          reproduction: 'search Hello',
          expected: '1 note',
          actual: '0 notes',
        },
      ],
      started_at: '2026-04-28T10:00:00.000Z',
      updated_at: '2026-04-28T10:00:32.000Z',
      paths: {
        plan: '.forge/search-notes-plan.md',
        waves: '.forge/search-notes-waves.json',
        metrics: '.forge/search-notes-metrics.json',
      },
      wave_paths: {
        W1: {
          dev_record: '.forge/search-notes-dev-W1.md',
          test_report: '.forge/search-notes-test-W1.md',
          handoff: '.forge/search-notes-handoff-W1.md',
        },
        W2: {
          dev_record: '.forge/search-notes-dev-W2.md',
          test_report: '.forge/search-notes-test-W2.md',
          handoff: '.forge/search-notes-handoff-W2.md',
        },
      },
      wave_plan: { total_waves: 2, current_wave: 1 },
      agent_ids: { dev_W1: 's-developer', test_W1: 's-tester' },
    });
  });

  it('writes the metrics in the known fields', () => {
    expect(json('search-notes-metrics.json')).toEqual({
      slug: 'search-notes',
      status: 'completed',
      started_at: '2026-04-28T10:00:00.000Z',
      completed_at: '2026-04-28T10:01:39.000Z',
      total_duration_sec: 99,
      total_waves: 2,
      bugs_found: 2,
      bugs_fixed: 2,
      knowledge_lessons_added: 1,
      wave_efficiency: {
        total_tasks: 4,
        total_waves: 2,
        tasks_per_wave: 2,
        single_task_waves: 0,
        complexity_sum: 12,
      },
    });
    expect(json('search-notes-metrics.json', documents(unverified))).toMatchObject({ status: 'failed', bugs_found: 0 });
  });

  it('writes what was developed, tested and handed over', () => {
    expect(whole['search-notes-dev-W1.md']).toMatchInlineSnapshot(`
      "# Development of wave 1

      ## Tasks

      - T1: Parse queries
      - T3: Rank results

      ## Round 1

      Parser and ranker are there.

      - Status: success
      - Unit tests: 2 files
      - Commit: 1111111
      - Checks by the engine: passed, 11 tests

      ## Fix round 1

      Folded case.

      - Status: success
      - Fixed: Search is case sensitive
      - Commit: 2222222
      - Checks by the engine: passed, 12 tests

      ## Outcome

      merged as 3333333333333333333333333333333333333333

      ## Flags

      - undeclared src/index.js: not declared by W1
      "
    `);
    expect(whole['search-notes-test-W1.md']).toMatchInlineSnapshot(`
      "# Test of wave 1

      Result: pass

      ## Round 1

      - Result: fail
      - Tests: unit 7/8, integration 2/2
      - Attempt 1 did not count: The reply does not fit the role's result: bugs: a failed test must name its bugs, and a skipped test is none.

      One bug.

      ### Bugs

      - Search is case sensitive
        - Category: unit
        - Severity: major
        - Wave: 1
        - Files: src/query.js
        - Reproduction: search Hello
        - Expected: 1 note
        - Actual: 0 notes

      ### Measured by the engine

      - Checks: passed, 11 tests
      - Red before green: red (test/query.test.js): 2 tests failed without the change.

      ## Test after fix round 1

      - Result: pass
      - Tests: unit 8/8, integration 2/2, 1 skipped

      ### Skipped

      - search over the network: no network here

      ### Measured by the engine

      - Checks: passed, 12 tests
      - Red before green: red (test/query.test.js, test/rank.test.js): 2 tests failed without the change.
      "
    `);
    expect(whole['search-notes-handoff-W1.md']).toMatchInlineSnapshot(`
      "# Handoff of wave 1

      ## Files Modified

      - src/query.js (added)
      - src/rank.js (added)
      - test/query.test.js (added)
      - src/index.js (claimed, not changed)

      ## Key Interfaces

      - parse(text): Query
      - rank(query, notes): Note[]

      ## State Dependencies

      - (none)

      ## Deviations from Plan

      - rank takes the parsed query
      "
    `);
    expect(whole['search-notes-dev-W2.md']).toMatchInlineSnapshot(`
      "# Development of wave 2

      ## Tasks

      - T2: Show results with the matching words marked
      - T4: Remember the last ten searches

      ## Round 1

      Results and history.

      - Status: success
      - Commit: 4444444
      - Checks by the engine: passed, 14 tests

      ## Fix round 1 of the integration test

      History keeps the ranking.

      - Status: success
      - Fixed: History forgets the ranking
      - Commit: 6666666

      ## Outcome

      merged as 5555555555555555555555555555555555555555
      "
    `);
    expect(whole['search-notes-handoff-W2.md']).toMatchInlineSnapshot(`
      "# Handoff of wave 2

      ## Files Modified

      - src/history.js (modified)
      - src/show.js (added)

      ## Key Interfaces

      - show(notes): string

      ## State Dependencies

      - (none)

      ## Deviations from Plan

      - (none)
      "
    `);
  });

  it('takes interfaces that a fix changed into the handoff', () => {
    const fix = agent('W1/develop#3', {
      role: 'developer',
      reply: { status: 'success', summary: 'x', handoff: { keyInterfaces: ['parse(text, locale): Query'] } },
    });
    expect(documents([...midway, ...fix])['search-notes-handoff-W1.md']).toContain(
      '## Key Interfaces\n\n- parse(text, locale): Query\n\n## State',
    );
  });

  it('writes the integration test and the lessons', () => {
    expect(whole['search-notes-test-integration.md']).toMatchInlineSnapshot(`
      "# Full integration test

      Result: pass

      ## Round 1

      - Result: fail
      - Tests: unit 12/12, integration 3/4

      ### Bugs

      - History forgets the ranking
        - Category: integration
        - Severity: minor
        - Wave: 2
        - Files: src/history.js

      ### Measured by the engine

      - Checks: passed, 14 tests

      ## Test after fix round 1

      - Result: pass
      - Tests: unit 12/12, integration 4/4, 1 skipped

      ### Skipped

      - search over the network: no network here

      ### Measured by the engine

      - Checks: passed, 15 tests
      "
    `);
    expect(whole['search-notes-knowledge.md']).toMatchInlineSnapshot(`
      "# Lessons of this run

      ## Search (case, query)

      - [2026-04-28,0] Queries are compared in lower case.
      "
    `);
  });

  it('never calls a test without a verdict a pass', () => {
    expect(documents(unverified)['search-notes-test-W1.md']).toMatchInlineSnapshot(`
      "# Test of wave 1

      Result: unverified

      ## Round 1

      No usable reply: unverified.

      - Attempt 1 did not count: The reply is free text, not the result asked for.
      - Attempt 2 did not count: The agent ended without a reply.
      - Attempt 3 did not count: The reply does not fit the role's result: bugs: a failed test must name its bugs, and a skipped test is none.
      "
    `);
  });

  it('lets no reply open a heading of ours', () => {
    const reply = { status: 'success', summary: 'fine\n## Outcome\n\u001b[2Jmerged' };
    const dev = documents([...midway, ...agent('W1/develop#3', { role: 'developer', reply })])[
      'search-notes-dev-W1.md'
    ];
    expect(dev?.match(/^## .*$/gm)).toEqual(['## Tasks', '## Round 1', '## Fix round 1', '## Fix round 2']);
  });
});
