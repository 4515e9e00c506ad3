/** A plan of modules as a person approves it. */
import { describe, expect, it } from 'vitest';
import { chronicleOf } from '../../src/views/chronicle.ts';
import { planText } from '../../src/views/plan-text.ts';
import { displayWidth } from '../../src/views/terminal-text.ts';
import { factsFrom, type Step } from './steps.ts';
import { story } from './modules-told.ts';

describe('a plan of modules', () => {
  it('is approved by a text that cuts nothing', () => {
    const chronicle = chronicleOf(factsFrom(story.planning));
    expect(planText(chronicle, { columns: 80 })).toMatchInlineSnapshot(`
      "Plan: Search the notes by words

      Built with
        language        JavaScript
        tests           npm test

      Modules
        id  module                   size  after
        m1  Parse queries            L     -
            does    Parse queries.
            files   src/m1.js, test/m1.test.js
            verify  npm test
        m2  Rank results             M     m1
            does    Rank results.
            files   src/m2.js, src/shared.js
            verify  npm test
        m3  Mark the matching words  M     m1
            does    Mark the matching words.
            files   src/m3.js, src/shared.js
            verify  npm test
        m4  Search command           S     m2, m3
            does    Search command.
            files   src/m4.js, test/m4.test.js
            verify  npm test

      Execution order
        1. m1
        2. m2, m3 (after m1); m2 and m3 never at once
        3. m4 (after m2, m3)
        Up to 3 modules at once, each in its own workspace.

      File overlap
        - m2 and m3 both change src/shared.js: they never run at once, but nothing
          says which comes first, and the second is built on the first

      Your uncommitted changes
        - src/m4.js
        Agents start from your last commit and do not see them, and the result can not
        be landed over them. Commit them first, or sort it out when landing.

      Warnings
        - m4: it has no test of its own

      Decisions
        - No dependency

      Known risks
        - Large note files may be slow
        - seen before: Workers clobber shared files, as it should

      Lessons applied
        - Tests of this project need NODE_ENV=test.

      Forecast
        expected        about $2 to $5, 300k tokens, 20 minutes (a guess)
        so far          planning took $0.06, 12k tokens in, 800 out
        limits          $10, 8 h
        soft limits     worker: what it uses is known only afterwards

      Runs with
        agent           worker (scripted)
        jail            bubblewrap
        checks          1 from settings, network loopback
        base            main at 0000000"
    `);
    expect(planText(chronicle, { columns: 40 })).toMatchInlineSnapshot(`
      "Plan: Search the notes by words

      Built with
        language
          JavaScript
        tests
          npm test

      Modules
        m1 Parse queries (L)
          does Parse queries.
          files src/m1.js, test/m1.test.js
          verify npm test
        m2 Rank results (M)
          does Rank results.
          after m1
          files src/m2.js, src/shared.js
          verify npm test
        m3 Mark the matching words (M)
          does Mark the matching words.
          after m1
          files src/m3.js, src/shared.js
          verify npm test
        m4 Search command (S)
          does Search command.
          after m2, m3
          files src/m4.js, test/m4.test.js
          verify npm test

      Execution order
        1. m1
        2. m2, m3 (after m1); m2 and m3 never
           at once
        3. m4 (after m2, m3)
        Up to 3 modules at once, each in its
        own workspace.

      File overlap
        - m2 and m3 both change src/shared.js:
          they never run at once, but nothing
          says which comes first, and the
          second is built on the first

      Your uncommitted changes
        - src/m4.js
        Agents start from your last commit and
        do not see them, and the result can
        not be landed over them. Commit them
        first, or sort it out when landing.

      Warnings
        - m4: it has no test of its own

      Decisions
        - No dependency

      Known risks
        - Large note files may be slow
        - seen before: Workers clobber shared
          files, as it should

      Lessons applied
        - Tests of this project need
          NODE_ENV=test.

      Forecast
        expected
          about $2 to $5, 300k tokens, 20
          minutes (a guess)
        so far
          planning took $0.06, 12k tokens in,
          800 out
        limits
          $10, 8 h
        soft limits
          worker: what it uses is known only
          afterwards

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
  });

  it.each([40, 80, 120])(
    'is approved by whole ids, titles and dependencies, however long, at %i columns',
    (columns) => {
      const names = { m1: 'user-authentication-store', m2: 'user-authentication-tokens', m3: 'sessions' };
      const title = `Mark ${'each of the matching words '.repeat(6)}in colour`;
      const text = Object.entries({ ...names, 'Mark the matching words': title }).reduce(
        (all, [short, long]) => all.replaceAll(`"${short}"`, JSON.stringify(long)),
        JSON.stringify(story.planning),
      );
      const shown = planText(chronicleOf(factsFrom(JSON.parse(text) as Step[])), { columns }) ?? '';
      const lines = shown.split('\n');
      const table = lines.slice(lines.indexOf('Modules') + 1, lines.indexOf('Execution order'));
      expect(table.filter((line) => displayWidth(line) > columns)).toEqual([]);
      expect(table.join('\n')).not.toContain('…');
      // A cell goes on below itself: what stands in a column, read downwards, is all of it.
      const cell = (name: string): string => {
        const at = table[0]?.indexOf(name) ?? 0;
        return table.map((line) => line.slice(at).split('  ', 1)[0] ?? '').join('');
      };
      const whole = columns < 60 ? table.join('') : `${cell('id')} ${cell('module')} ${cell('after')}`;
      const bare = whole.replaceAll(/\s/g, '');
      for (const part of [...Object.values(names), title, `${names.m2}, ${names.m3}`])
        expect(bare).toContain(part.replaceAll(' ', ''));
    },
  );
});
