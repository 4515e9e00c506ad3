/** What is said at the end of a run of modules. */
import { describe, expect, it } from 'vitest';
import { chronicleOf } from '../../src/views/chronicle.ts';
import { summaryOf } from '../../src/views/summary.ts';
import { story, summed } from './modules-told.ts';
import { effect, factsFrom, type Step } from './steps.ts';

describe('the summary of a run of modules', () => {
  it('ends with a table, the totals and what the final review says', () => {
    expect(summed(story.complete, 80)).toMatchInlineSnapshot(`
      "Done: Search the notes by words
      2 min 42 s, $1.38, 276k tokens in, 18k out

      Modules
        module                     status  attempts  score  notes
        m1 Parse queries           ✓ DONE  1         1.0    -
        m2 Rank results            ✓ DONE  2         1.0    cause: a wrong sign, as it
                                                            should; overseer:
                                                            missing_context
        m3 Mark the matching wor…  ✓ DONE  1         1.0    -
        m4 Search command          ✓ DONE  1         1.0    -
        F1-1 Mend src/m2.js        ✓ DONE  1         1.0    -
        4/4 modules completed, 1 retry

      Final review
        RELEASE CLEAR after 2 rounds: 0 must-fix, 1 advisory

      Advisory
        - warning src/m1.js:3 an odd name (lens A)

      Remarks of reviewers
        - m3: warning src/m3.js:3 a long line

      Built
        2222222  m1  Parse queries  1 file
        4444444  m2  Rank results  2 files
        5555555  m3  Mark the matching words  1 file
        6666666  m4  Search command  1 file
        7777777  F1-1  Mend src/m2.js  1 file

      Evidence
        checks          npm test: passed (exit 0, 14 tests pass)
        red first       5 of 5 test files failed without the change
        flags           m2: undeclared src/extra.js: not declared by m2

      Lessons
        1 new, 1 of earlier runs applied
        - Ranks are numbers, as it should

      Where
        branch          forge/search-notes-x1y2
        run             .forge/runs/x
        captured        1 commit under refs/forge/search-notes-x1y2/

      Next
        forge show search-notes-x1y2
        forge report search-notes-x1y2 --html search-notes-x1y2.html
        git diff 0000000..forge/search-notes-x1y2
        forge land search-notes-x1y2 --into main
        forge undo search-notes-x1y2"
    `);
    expect(summed(story.complete, 40)).toMatchInlineSnapshot(`
      "Done: Search the notes by words
      2 min 42 s, $1.38, 276k tokens in, 18k
        out

      Modules
        m1 Parse queries
          ✓ DONE
          attempts 1, score 1.0
        m2 Rank results
          ✓ DONE
          attempts 2, score 1.0
          cause: a wrong sign, as it should;
            overseer: missing_context
        m3 Mark the matching words
          ✓ DONE
          attempts 1, score 1.0
        m4 Search command
          ✓ DONE
          attempts 1, score 1.0
        F1-1 Mend src/m2.js
          ✓ DONE
          attempts 1, score 1.0
        4/4 modules completed, 1 retry

      Final review
        RELEASE CLEAR after 2 rounds: 0
        must-fix, 1 advisory

      Advisory
        - warning src/m1.js:3 an odd name
          (lens A)

      Remarks of reviewers
        - m3: warning src/m3.js:3 a long line

      Built
        2222222  m1  Parse queries
        4444444  m2  Rank results
        5555555  m3  Mark the matching words
        6666666  m4  Search command
        7777777  F1-1  Mend src/m2.js

      Evidence
        checks
          npm test: passed (exit 0, 14 tests
          pass)
        red first
          5 of 5 test files failed without the
          change
        flags
          m2: undeclared src/extra.js: not
          declared by m2

      Lessons
        1 new, 1 of earlier runs applied
        - Ranks are numbers, as it should

      Where
        branch
          forge/search-notes-x1y2
        run
          .forge/runs/x
        captured
          1 commit under
          refs/forge/search-notes-x1y2/

      Next
        forge show search-notes-x1y2
        forge report search-notes-x1y2 --html search-notes-x1y2.html
        git diff 0000000..forge/search-notes-x1y2
        forge land search-notes-x1y2 --into main
        forge undo search-notes-x1y2"
    `);
    expect(summed(story.blocked, 80)).toMatchInlineSnapshot(`
      "Not accepted: Search the notes by words
      m2: gave up after 1 attempts; m3: There is no network
      51 s, $0.36, 72k tokens in, 4.8k out

      Modules
        module                    status     attempts  score  notes
        m1 Parse queries          ✓ DONE     1         1.0    -
        m2 Rank results           ✗ FAILED   1         0.67   gave up after 1 attempts
        m3 Mark the matching wo…  ⊘ BLOCKED  -         -      There is no network
        m4 Search command         – SKIPPED  -         -      depends on m3, which is
                                                              blocked
        1/4 modules completed, 0 retries

      Built
        2222222  m1  Parse queries  1 file

      Not merged
        - m2 failed: gave up after 1 attempts (kept in 1111111)
        - m3 blocked: There is no network (kept in 1111111)
        - m4 skipped: depends on m3, which is blocked

      Evidence
        checks          npm test: passed (exit 0, 14 tests pass)
        red first       1 of 1 test file failed without the change

      Lessons
        0 new, 1 of earlier runs applied

      Where
        run             .forge/runs/x
        captured        1 commit under refs/forge/search-notes-x1y2/

      Next
        forge logs search-notes-x1y2 m2
        forge retry search-notes-x1y2 m2
        forge logs search-notes-x1y2 m3
        forge retry search-notes-x1y2 m3
        forge show search-notes-x1y2
        forge report search-notes-x1y2 --html search-notes-x1y2.html"
    `);
  });

  it('shows what happened to the tests in every module that fixes the final review', () => {
    const weakened = (id: string): Step[] =>
      effect(
        'evidence.measure',
        `final/fix#1/${id}/validate#1/evidence`,
        {},
        {
          redGreen: [],
          findings: [{ kind: 'test-removed', path: `test/${id}.js`, line: 1, claim: `a test of ${id} is gone` }],
        },
      );
    const end = story.complete.at(-1) as Step;
    const steps = [...story.complete.slice(0, -1), ...weakened('F1-2'), ...weakened('F1-3'), end];
    expect(summaryOf(chronicleOf(factsFrom(steps))).findings.map(({ claim }) => claim)).toEqual([
      'a test of F1-2 is gone',
      'a test of F1-3 is gone',
    ]);
    expect(summed(steps, 80)).toContain('a test of F1-2 is gone');
  });
});
