import { describe, expect, it } from 'vitest';
import { chronicleOf } from '../../src/views/chronicle.ts';
import { planText } from '../../src/views/plan-text.ts';
import { proposalOf } from '../../src/views/proposal.ts';
import { displayWidth } from '../../src/views/terminal-text.ts';
import { agent, factsFrom } from './steps.ts';
import { approved, opening, planning, plannerReply } from './story.ts';

const chronicle = chronicleOf(factsFrom(planning));

describe('planText', () => {
  it('is what a person approves, at 80 columns', () => {
    expect(planText(chronicle, { columns: 80 })).toMatchInlineSnapshot(`
      "Plan: Search the notes by words.

      Overview
        tech stack      Node 20, no dependencies
        architecture    A parser, a ranker and a renderer, joined in src/cli.js
        business logic  A search finds notes by words, best match first
        key decisions   Ranking counts words, no stemming
                        History is a JSON file

      Tasks
        id  title                             size  after  writes
        T1  Parse queries                     L     -      src/query.js test/query.te…
        T2  Show results with the matching…   M     T1 T3  src/show.js
        T3  Rank results                      M     -      src/rank.js test/rank.test…
        T4  Remember the last ten searches    L     T1     src/history.js

      What each task does
        T1              Parse queries.
                        Done when: Parse queries works
        T2              Show results with the matching words marked.
                        Done when: Show results with the matching words marked works
        T3              Rank results.
                        Done when: Rank results works
        T4              Remember the last ten searches.
                        Done when: Remember the last ten searches works

      Waves
        1  T1, T3
        2  T2, T4

      Warnings
        - The complexity adds up to 12; up to 15 fits one wave.

      Decided
        - Where is the history kept? In a file

      Known risks
        - Large note files may be slow

      Lessons applied
        - Tests of this project need NODE_ENV=test.

      Forecast
        time            about 1 h for 4 tasks in 2 waves, guessed from the sizes
        cost            not known beforehand; planning took $0.12, 24k tokens in, 1.6k
                        out
        size            complexity 12, 4 sessions without fixes

      Runs with
        agent           worker (scripted)
        jail            bubblewrap
        checks          1 from settings, network loopback
        base            main at 0000000"
    `);
  });

  it('is a list at 40 columns, and fits', () => {
    const text = planText(chronicle, { columns: 40 }) ?? '';
    expect(text).toMatchInlineSnapshot(`
      "Plan: Search the notes by words.

      Overview
        tech stack
          Node 20, no dependencies
        architecture
          A parser, a ranker and a renderer,
          joined in src/cli.js
        business logic
          A search finds notes by words, best
          match first
        key decisions
          Ranking counts words, no stemming
          History is a JSON file

      Tasks
        T1 Parse queries (L)
          writes src/query.js test/query.test…
        T2 Show results with the matching wor…
          after T1, T3
          writes src/show.js
        T3 Rank results (M)
          writes src/rank.js test/rank.test.js
        T4 Remember the last ten searches (L)
          after T1
          writes src/history.js

      What each task does
        T1
          Parse queries.
          Done when: Parse queries works
        T2
          Show results with the matching words
          marked.
          Done when: Show results with the
          matching words marked works
        T3
          Rank results.
          Done when: Rank results works
        T4
          Remember the last ten searches.
          Done when: Remember the last ten
          searches works

      Waves
        1  T1, T3
        2  T2, T4

      Warnings
        - The complexity adds up to 12; up to
          15 fits one wave.

      Decided
        - Where is the history kept? In a file

      Known risks
        - Large note files may be slow

      Lessons applied
        - Tests of this project need
          NODE_ENV=test.

      Forecast
        time
          about 1 h for 4 tasks in 2 waves,
          guessed from the sizes
        cost
          not known beforehand; planning took
          $0.12, 24k tokens in, 1.6k out
        size
          complexity 12, 4 sessions without
          fixes

      Runs with
        agent
          worker (scripted)
        jail
          bubblewrap
        checks
          1 from settings, network loopback
        base
          main at 0000000"
    `);
    for (const line of text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(40);
  });

  it('is nothing before there is a plan', () => {
    expect(planText(chronicleOf(factsFrom(opening)))).toBeUndefined();
  });

  it('shows open questions of a plan that is only the planner’s so far', () => {
    const clarifications = [{ question: 'Which database?', options: ['One', 'Two'] }];
    const only = chronicleOf(
      factsFrom([...opening, ...agent('plan#1', { role: 'planner', reply: { ...plannerReply, clarifications } })]),
    );
    expect(planText(only)).toContain('Still to be clarified\n  - Which database?');
  });

  it('says plainly that there is no jail', () => {
    const [created, opened, ...rest] = planning;
    const open = chronicleOf(
      factsFrom([
        created,
        [opened?.[0], opened?.[1], { ...Object(opened?.[2]), jail: 'none' }],
        ...rest,
      ] as typeof planning),
    );
    expect(planText(open)).toContain('jail            none: agents can write wherever you can');
  });
});

describe('proposalOf', () => {
  it('is approved once the plan is a fact', () => {
    const before = proposalOf(chronicle);
    const afterwards = proposalOf(chronicleOf(factsFrom(approved)));
    expect([before?.isApproved, afterwards?.isApproved]).toEqual([false, true]);
    expect(afterwards?.waves).toEqual([
      ['T1', 'T3'],
      ['T2', 'T4'],
    ]);
  });
});
