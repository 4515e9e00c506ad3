/** A run of modules as a tree. */
import { describe, expect, it } from 'vitest';
import { draw, story } from './modules-told.ts';

describe('the tree of a run of modules', () => {
  it('is drawn with what each agent does now', () => {
    expect(draw(story.midway, 80)).toMatchInlineSnapshot(`
      "⠸ Search the notes by words                                       $0.48    1:07
      ├─ ✓ Plan  4 modules in 3 stages                                  $0.06    0:01
      ├─ ✓ Checks on the base  passed, 4 tests                                   0:01
      ├─ ✓ m1 Parse queries  score 1.0, 3 checks passed, merged 2222222 $0.12    0:08
      │  ├─ ✓ worker  Did m1, as it should                              $0.06    0:01
      │  ├─ ✓ reviewer  no findings                                     $0.06    0:01
      │  ├─ ✓ validation  score 1.0, 3 checks passed                             0:03
      │  └─ ✓ merge  2222222, 1 file                                             0:03
      ├─ ⠸ m2 Rank results  debugger, retry 1/2                         $0.18    0:19
      │  ├─ ✓ worker  Did m2, as it should                              $0.06    0:01
      │  ├─ ✓ reviewer  no findings                                     $0.06    0:01
      │  ├─ ✗ validation  score 0.5, 2/4 checks passed: contract src/m2.js; com… 0:02
      │  ├─ ✓ overseer  missing_context: It never read src/m1.js        $0.06    0:01
      │  └─ ⠸ debugger, retry 1/2  reading src/m1.js                             0:14
      ├─ ⠸ m3 Mark the matching words  worker, review round 2           $0.12    0:15
      │  ├─ ✓ worker  Did m3, as it should                              $0.06    0:01
      │  ├─ ✗ reviewer  1 error, 1 warning                              $0.06    0:01
      │  └─ ⠸ worker, review round 2  waiting for the limit of worker until 202… 0:13
      ├─ ○ m4 Search command  after m2, m3
      ├─ ○ Final review
      └─ ○ Learn"
    `);
    expect(draw(story.midway, 40)).toMatchInlineSnapshot(`
      "⠸ Search the notes by words  1:07 $0.48
        ✓ Plan  4 modules in 3 stages    0:01
        ✓ Checks on the base  passed, 4… 0:01
        ✓ m1 Parse queries  score 1.0,…  0:08
          ✓ worker  Did m1, as it should 0:01
          ✓ reviewer  no findings        0:01
          ✓ validation  score 1.0, 3 ch… 0:03
          ✓ merge  2222222, 1 file       0:03
        ⠸ m2 Rank results  debugger, re… 0:19
          ✓ worker  Did m2, as it should 0:01
          ✓ reviewer  no findings        0:01
          ✗ validation  score 0.5, 2/4…  0:02
          ✓ overseer  missing_context:…  0:01
          ⠸ debugger, retry 1/2  readin… 0:14
        ⠸ m3 Mark the matching words     0:15
          ✓ worker  Did m3, as it should 0:01
          ✗ reviewer  1 error, 1 warning 0:01
          ⠸ worker, review round 2  wai… 0:13
        ○ m4 Search command  after m2, m3
        ○ Final review
        ○ Learn"
    `);
  });

  it('is drawn to its end, with the rounds of the final review', () => {
    expect(draw(story.complete, 80, 24)).toMatchInlineSnapshot(`
      "✓ Search the notes by words  done                                 $1.38    2:41
      ├─ ✓ Plan  4 modules in 3 stages                                  $0.06    0:01
      ├─ ✓ Checks on the base  passed, 4 tests                                   0:01
      ├─ ✓ m1 Parse queries  score 1.0, 3 checks passed, merged 2222222 $0.12    0:08
      ├─ ✓ m2 Rank results  score 1.0, 3 checks passed, merged 4444444  $0.30    0:13
      ├─ ✓ m3 Mark the matching words  score 1.0, 3 checks passed, mer… $0.24    0:10
      │  ├─ ✓ worker  Did m3, as it should                              $0.06    0:01
      │  ├─ ✗ reviewer  1 error, 1 warning                              $0.06    0:01
      │  ├─ ✓ worker, review round 2  Did m3, as it should              $0.06    0:01
      │  ├─ ✓ reviewer, round 2  no findings                            $0.06    0:01
      │  ├─ ✓ validation  score 1.0, 3 checks passed                             0:03
      │  └─ ✓ merge  5555555, 1 file                                             0:03
      ├─ ✓ m4 Search command  score 1.0, 3 checks passed, merged 66666… $0.12    0:08
      │  ├─ ✓ worker  Did m4, as it should                              $0.06    0:01
      │  ├─ ✓ reviewer  no findings                                     $0.06    0:01
      │  ├─ ✓ validation  score 1.0, 3 checks passed                             0:03
      │  └─ ✓ merge  6666666, 1 file                                             0:03
      ├─ ✓ Final review  release clear: 0 must-fix, 1 advisory          $0.48    0:14
      │  ├─ ✗ Round 1  release blocked: 1 must-fix, 1 advisory          $0.30    0:11
      │  └─ ✓ Round 2  release clear: 0 must-fix, 1 advisory            $0.18    0:03
      └─ ✓ Learn  1 lesson                                              $0.06    0:02"
    `);
    expect(draw(story.blocked, 80, 24)).toMatchInlineSnapshot(`
      "✗ Search the notes by words  failed: m2: gave up after 1 attempt… $0.36    0:50
      ├─ ✓ Plan  4 modules in 3 stages                                  $0.06    0:01
      ├─ ✓ Checks on the base  passed, 4 tests                                   0:01
      ├─ ✓ m1 Parse queries  score 1.0, 3 checks passed, merged 2222222 $0.12    0:08
      │  ├─ ✓ worker  Did m1, as it should                              $0.06    0:01
      │  ├─ ✓ reviewer  no findings                                     $0.06    0:01
      │  ├─ ✓ validation  score 1.0, 3 checks passed                             0:03
      │  └─ ✓ merge  2222222, 1 file                                             0:03
      ├─ ✗ m2 Rank results  gave up after 1 attempts                    $0.12    0:04
      │  ├─ ✓ worker  Did m2, as it should                              $0.06    0:01
      │  ├─ ✓ reviewer  no findings                                     $0.06    0:01
      │  └─ ✗ validation  score 0.67, 2/3 checks passed: command npm test        0:02
      ├─ ⊘ m3 Mark the matching words  There is no network              $0.06    0:01
      │  └─ ✗ worker  blocked: There is no network                      $0.06    0:01
      ├─ – m4 Search command  depends on m3, which is blocked
      ├─ – Final review
      └─ – Learn"
    `);
  });
});
