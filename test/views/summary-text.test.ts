import { describe, expect, it } from 'vitest';
import { chronicleOf } from '../../src/views/chronicle.ts';
import { summaryOf } from '../../src/views/summary.ts';
import { summaryText } from '../../src/views/summary-text.ts';
import { factsFrom, type Step } from './steps.ts';
import { complete, midway, unverified } from './story.ts';

function textOf(steps: readonly Step[], columns: number): string {
  const chronicle = chronicleOf(factsFrom(steps));
  return summaryText(summaryOf(chronicle), { columns, place: '.forge/runs/search-notes-x1y2' });
}

describe('summaryText', () => {
  it('tells what was built and why to believe it', () => {
    expect(textOf(complete, 80)).toMatchInlineSnapshot(`
      "Done: Search the notes by words.
      1 min 39 s, $0.78, 156k tokens in, 10k out

      Built
        3333333  W1  T1 Parse queries, T3 Rank results  3 files
        5555555  W2  T2 Show results with the matching words marked, T4 Remem…  1 file
        7777777  I1  Fixes of the integration test  1 file

      Evidence
        checks          npm test: passed (exit 0, 14 tests pass)
        tests           unit 12/12, integration 4/4, 1 skipped
                        skipped: search over the network: no network here
        fix rounds      W1: 1, W2: 0, integration: 1
        red first       2 of 3 test files failed without the change, 1 did not load
                        without it
        flags           W1: undeclared src/index.js: not declared by W1

      Bugs
        2 found, 2 fixed, none left

      Lessons
        1 new, 1 of earlier runs applied
        - Queries are compared in lower case.

      Where
        branch          forge/search-notes-x1y2
        run             .forge/runs/search-notes-x1y2
        documents       .forge/search-notes-*
                        plan.md, waves.json, state.json, dev-W1.md, test-W1.md,
                        handoff-W1.md, dev-W2.md, test-W2.md, handoff-W2.md,
                        test-integration.md, knowledge.md, metrics.json
        captured        4 commits under refs/forge/search-notes-x1y2/

      Next
        forge show search-notes-x1y2
        git diff 0000000..forge/search-notes-x1y2
        forge land search-notes-x1y2 --into main
        forge undo search-notes-x1y2"
    `);
    expect(textOf(complete, 40)).toMatchInlineSnapshot(`
      "Done: Search the notes by words.
      1 min 39 s, $0.78, 156k tokens in, 10k
        out

      Built
        3333333  W1  T1 Parse queries, T3 Ran…
        5555555  W2  T2 Show results with the…
        7777777  I1  Fixes of the integration…

      Evidence
        checks
          npm test: passed (exit 0, 14 tests
          pass)
        tests
          unit 12/12, integration 4/4, 1
          skipped
          skipped: search over the network: no
          network here
        fix rounds
          W1: 1, W2: 0, integration: 1
        red first
          2 of 3 test files failed without the
          change, 1 did not load without it
        flags
          W1: undeclared src/index.js: not
          declared by W1

      Bugs
        2 found, 2 fixed, none left

      Lessons
        1 new, 1 of earlier runs applied
        - Queries are compared in lower case.

      Where
        branch
          forge/search-notes-x1y2
        run
          .forge/runs/search-notes-x1y2
        documents
          .forge/search-notes-*
          plan.md, waves.json, state.json,
          dev-W1.md, test-W1.md,
          handoff-W1.md, dev-W2.md,
          test-W2.md, handoff-W2.md,
          test-integration.md, knowledge.md,
          metrics.json
        captured
          4 commits under
          refs/forge/search-notes-x1y2/

      Next
        forge show search-notes-x1y2
        git diff 0000000..forge/search-notes-x1y2
        forge land search-notes-x1y2 --into main
        forge undo search-notes-x1y2"
    `);
  });

  it('tells what was not accepted and where it is kept', () => {
    expect(textOf(unverified, 80)).toMatchInlineSnapshot(`
      "Not accepted: Search the notes by words.
      W1: unverified: the tester: no usable reply
      31 s, $0.42, 84k tokens in, 5.6k out

      Not merged
        - W1 failed: unverified: the tester: no usable reply (kept in 1111111)
        - W2 skipped: depends on W1, which is failed

      Evidence
        fix rounds      W1: 0

      Not verified
        - W1: the tester: no usable reply

      Lessons
        0 new, 1 of earlier runs applied

      Where
        run             .forge/runs/search-notes-x1y2
        documents       .forge/search-notes-*
                        plan.md, waves.json, state.json, dev-W1.md, test-W1.md,
                        handoff-W1.md, knowledge.md, metrics.json
        captured        1 commit under refs/forge/search-notes-x1y2/

      What to try
        - W1 failed: unverified: the tester: no usable reply. See what was tried, mend
          the cause or the plan, then have it tried again.

      Next
        forge logs search-notes-x1y2 W1
        forge retry search-notes-x1y2 W1
        forge show search-notes-x1y2"
    `);
  });

  it('tells of bugs that remain, and how to go on with a run that stopped', () => {
    const bug = {
      title: 'Search is case sensitive',
      category: 'unit',
      severity: 'critical',
      wave: 1,
      files: ['src/query.js'],
    };
    const failed: Step = [
      'run.ended',
      '',
      {
        status: 'failed',
        reason: 'W1: 1 bug(s) remain',
        output: { bugsFound: 3, bugsFixed: 2, remainingBugs: [bug] },
      },
    ];
    expect(textOf([...midway, failed], 80)).toContain(
      'Bugs\n  3 found, 2 fixed, 1 left\n  - critical: Search is case sensitive (src/query.js)',
    );
    expect(textOf([...midway, ['run.suspended', '', { reason: 'paused' }]], 80)).toMatch(
      /\nNext\n {2}forge resume search-notes-x1y2$/,
    );
  });

  it('quotes what a shell would take apart', () => {
    const summary = {
      ...summaryOf(chronicleOf(factsFrom(complete))),
      landing: { into: 'x;rm$(id)', asked: false, landed: false },
    };
    expect(summaryText(summary)).toContain("forge land search-notes-x1y2 --into 'x;rm$(id)'");
  });
});
