/** A run of modules as it is told, fact by fact, and what mends the findings of its final review. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fact } from '../../src/engine/facts.ts';
import { planReopening } from '../../src/engine/reopen.ts';
import { advanceChronicle, chronicleOf, emptyChronicle } from '../../src/views/chronicle.ts';
import { filterEvents, logEvents } from '../../src/views/log-entries.ts';
import { moduleAttempts } from '../../src/views/module-attempts.ts';
import { planText } from '../../src/views/plan-text.ts';
import { whereText } from '../../src/views/position.ts';
import { renderTree } from '../../src/views/render-tree.ts';
import { markdownReport } from '../../src/views/report/markdown-report.ts';
import { reportOf } from '../../src/views/report/report.ts';
import { runView } from '../../src/views/run-view.ts';
import { summaryOf } from '../../src/views/summary.ts';
import { summaryText } from '../../src/views/summary-text.ts';
import { displayWidth } from '../../src/views/terminal-text.ts';
import { modulesStory } from './modules-steps.ts';
import { after, factsFrom, type Step } from './steps.ts';
import { complete, draw, linesOf, story, summed } from './modules-told.ts';

describe('what mends the findings of the final review', () => {
  it('is told the same in runs of the first version, whose keys lie beside its task', () => {
    const first = modulesStory({ version: 1 });
    const plain = factsFrom(first.complete);
    expect(plain.map(({ key }) => key)).not.toEqual(complete.map(({ key }) => key));
    expect(linesOf(plain)).toEqual(linesOf(complete));
    expect(draw(first.complete, 100)).toBe(draw(story.complete, 100));
    expect(summed(first.complete, 100)).toBe(summed(story.complete, 100));
    expect(moduleAttempts(chronicleOf(plain), 'F1-1')).toEqual(moduleAttempts(chronicleOf(complete), 'F1-1'));
    expect({ ...reportOf(chronicleOf(plain)), spans: [], checks: [] }).toEqual({
      ...reportOf(chronicleOf(complete)),
      spans: [],
      checks: [],
    });
  });

  it('has its attempts and log entries under its id', () => {
    expect(moduleAttempts(chronicleOf(complete), 'F1-1')).toMatchObject({ scores: [1], lastStatus: 'done' });
    const keys = filterEvents(logEvents(complete), { moduleId: 'F1-1', limit: 100 }).map(({ data }) => data['key']);
    expect(keys).toHaveLength(factsFrom(story.complete).filter(({ key }) => key.includes('F1-1')).length);
    expect(keys).toContain('final/fix#1/F1-1/develop#1');
  });

  it('is tried again without taking back what another one did', () => {
    const steps = story.complete.flatMap(([type, key, data]): Step[] => {
      if (type === 'run.ended' || /^(final\/\w+#2|learn|save|publish)/.test(key)) return [];
      if (!key.startsWith('final/fix#1')) return [[type, key, data] as Step];
      const failed = type === 'task.ended' ? { ...data, status: 'failed', commit: undefined } : data;
      const twin = JSON.parse(JSON.stringify(data).replaceAll('F1-1', 'F1-2')) as typeof data;
      return [[type, key, failed] as Step, [type, key.replace('F1-1', 'F1-2'), twin] as Step];
    });
    const { state } = chronicleOf(factsFrom(steps));
    const { key, data } = planReopening(state, 'F1-1');
    expect([key, data.tasks]).toEqual(['final/fix#1/F1-1', ['final/fix#1/F1-1']]);
    expect(data.forgotten).toEqual([...state.effects.keys()].filter((one) => one.startsWith('final/fix#1/F1-1/')));
  });
});

describe('a run of modules', () => {
  it('is told phase by phase, module by module', () => {
    expect(linesOf(complete).join('\n')).toMatchInlineSnapshot(`
      "Run search-notes-x1y2: Search the notes by words
      Phase 1: Planning
      Plan ready: 4 modules in 3 stages
        m1: Parse queries (L)
        m2: Rank results (M, after m1)
        m3: Mark the matching words (M, after m1)
        m4: Search command (S, after m2, m3)
      Overlap: m2 and m3 both change src/shared.js: they never run at once, but nothing says which comes first, and the second is built on the first
      Uncommitted: src/m4.js has changes of yours that agents do not see
      Warning: m4: it has no test of its own
      Known risk: Workers clobber shared files, as it should
      Expected: about $2 to $5, 300k tokens, 20 minutes (a guess)
      Limits: $10, 8 h (of worker known only afterwards)
      Waiting for an answer: Go ahead with this plan? (forge answer search-notes-x1y2 approve)
      Answered: Go ahead with this plan? Yes, start
      Plan approved: 4 modules
      Checks on the base passed, 4 tests
      Phase 2: Executing 4 modules in 3 stages, up to 3 at once
      ▶ m1: Starting "Parse queries"
        m1: merged 2222222, 1 file
      ✓ m1: DONE "Parse queries" - score 1.0, 3 checks passed
      Progress: 1/4 modules done | 0 failed | 3 remaining
      ▶ m2: Starting "Rank results"
      ▶ m3: Starting "Mark the matching words"
        m3: review: 1 error, 1 warning
          - error src/m3.js:3 mark reads a name that nobody sets
          - warning src/m3.js:3 a long line
      ✗ m2: FAILED "Rank results" - score 0.5, 2/4 checks passed - retrying (1/2)
        - contract src/m2.js
        - command npm test
        m2: overseer: missing_context: It never read src/m1.js
        m2: debugging (1/2)
        m2: cause: a wrong sign, as it should
        m3: mending what the reviewer found (round 2)
        m2: merged 4444444, 2 files
          flag: undeclared src/extra.js: not declared by m2
      ✓ m2: DONE "Rank results" - score 1.0, 3 checks passed
      Progress: 2/4 modules done | 0 failed | 2 remaining
        m3: merged 5555555, 1 file
      ✓ m3: DONE "Mark the matching words" - score 1.0, 3 checks passed
      Progress: 3/4 modules done | 0 failed | 1 remaining
      ▶ m4: Starting "Search command"
        m4: merged 6666666, 1 file
      ✓ m4: DONE "Search command" - score 1.0, 3 checks passed
      Progress: 4/4 modules done | 0 failed | 0 remaining
      Phase 3: Final review through three lenses
        Lens A: 1 error, 1 warning
        Lens B: 1 warning
        Lens C: no findings
      Final review: 3 of 3 lenses complete
      Must-fix: 1 finding - RELEASE BLOCKED
        - error src/m2.js:3 rank ignores its second argument, as it should (lenses A, B)
      Advisory: 1 finding - logged, not blocking
        - warning src/m1.js:3 an odd name (lens A)
      ▶ F1-1: Starting "Mend src/m2.js"
        F1-1: merged 7777777, 1 file
      ✓ F1-1: DONE "Mend src/m2.js" - score 1.0, 3 checks passed
      Final review again (round 2)
        Lens A: 1 warning
        Lens B: no findings
        Lens C: no findings
      Final review: 3 of 3 lenses complete
      Must-fix: 0 findings - RELEASE CLEAR
      Advisory: 1 finding - logged, not blocking
        - warning src/m1.js:3 an odd name (lens A)
      Phase 4: Learning
      1 lesson learned
        - Ranks are numbers, as it should
      Branch forge/search-notes-x1y2
      Done (2 min 41 s, $1.38, 276k tokens in, 18k out)"
    `);
  });

  it('tells what was blocked, given up and skipped, and how far it came', () => {
    const before = linesOf(factsFrom(story.approved)).length;
    expect(linesOf(factsFrom(story.blocked)).slice(before).join('\n')).toMatchInlineSnapshot(`
      "Phase 2: Executing 4 modules in 3 stages, up to 3 at once
      ▶ m1: Starting "Parse queries"
        m1: merged 2222222, 1 file
      ✓ m1: DONE "Parse queries" - score 1.0, 3 checks passed
      Progress: 1/4 modules done | 0 failed | 3 remaining
      ▶ m2: Starting "Rank results"
      ▶ m3: Starting "Mark the matching words"
      ⊘ m3: BLOCKED "Mark the matching words" - There is no network
      Progress: 1/4 modules done | 1 failed | 2 remaining
      ⊘ m4: SKIPPED "Search command" - depends on m3, which is blocked
      ✗ m2: FAILED "Rank results" - score 0.67, 2/3 checks passed - gave up after 1 attempts
      Progress: 1/4 modules done | 2 failed | 1 skipped | 0 remaining
      Failed: m2: gave up after 1 attempts; m3: There is no network (50 s, $0.36, 72k tokens in, 4.8k out)"
    `);
  });

  it('says what went wrong and what to try when nothing was merged, and shows no evidence for nothing', () => {
    const begun = story.blocked.findIndex(([type, key]) => type === 'task.started' && key === 'm2');
    const first = story.blocked.findIndex(([type]) => type === 'task.started');
    const lost: readonly Step[] = [
      ...story.blocked.slice(0, first),
      ['task.started', 'm1', { task: 'm1' }],
      ...story.blocked.slice(first, begun).filter(([, key]) => /^m1\/(base|develop|review|validate)/.test(key)),
      ['task.ended', 'm1', { task: 'm1', status: 'failed', reason: 'not declared: notes.md', commit: '1'.repeat(40) }],
      ['task.ended', 'm2', { task: 'm2', status: 'skipped', reason: 'depends on m1, which failed' }],
      ['task.ended', 'm3', { task: 'm3', status: 'skipped', reason: 'depends on m1, which failed' }],
      ['task.ended', 'm4', { task: 'm4', status: 'skipped', reason: 'depends on m2, which is skipped' }],
      ['run.ended', '', { status: 'failed', reason: 'm1: not declared: notes.md' }],
    ];
    const facts = factsFrom(lost);
    const why = 'no module was merged, so there was nothing to review';
    expect(linesOf(facts).filter((line) => line.startsWith('Phase 3'))).toEqual([`Phase 3: Final review: ${why}`]);
    expect(draw(lost.slice(0, -1), 80)).toContain(`├─ – Final review  ${why}\n`);
    const text = summed(lost, 120);
    expect(text).not.toContain('Evidence');
    expect(text).toContain(`\nFinal review\n  Not held: ${why}\n`);
    expect(text).toContain('\nWhat to try\n  - m1 failed: not declared: notes.md. See what was tried,');
    const page = markdownReport(reportOf(chronicleOf(facts)));
    expect(page).toContain(
      '- **m1 failed: not declared: notes.md**\n  See what was tried, mend the cause or the plan, then have it tried again.\n  - `forge logs search-notes-x1y2 m1`\n',
    );
    expect(page).toContain(`## Final review\n\n${why}.`);
  });

  it('stands where its facts say, at every fact', () => {
    const chronicle = emptyChronicle();
    const texts = new Set<string | undefined>();
    for (const fact of complete) texts.add(whereText(advanceChronicle(chronicle, fact)));
    expect([...texts]).toEqual([
      'planning',
      'plan ready, not approved yet',
      '0/4 modules done',
      '0/4 modules done, m1 at work',
      '1/4 modules done',
      '1/4 modules done, m2 at work',
      '1/4 modules done, m2 and m3 at work',
      '2/4 modules done, m3 at work',
      '3/4 modules done',
      '3/4 modules done, m4 at work',
      '4/4 modules done',
      'final review (round 1)',
      'mending what the final review found (round 1)',
      'final review (round 2)',
      'learning',
      'over',
    ]);
  });

  it('says what an agent waits for and what is done about its trouble, in the tree and in a line', () => {
    const waiting = 'waiting for the limit of worker until 2026-04-28T12:00:00.000Z';
    expect(linesOf(factsFrom(story.midway)).at(-1)).toBe(`m3/develop#2: ${waiting}`);
    const note = 'worker: server (Internal error); again in 4 s';
    const troubled = [...story.midway, ['effect.progressed', 'm3/develop#2', { attempt: 1, note }]] as const;
    expect(linesOf(factsFrom(troubled)).at(-1)).toBe(`m3/develop#2: ${note}`);
    const process = { pid: 7, startTime: '1', bootId: 'b', host: 'h' };
    const worked = factsFrom([...troubled, ['effect.progressed', 'm3/develop#2', { attempt: 1, process }]]);
    expect(linesOf(worked)).toEqual(linesOf(factsFrom(troubled)));
    const find = (facts: readonly Fact[]): string | undefined => {
      const { root } = runView(chronicleOf(facts), { now: after(facts, 1) });
      return root.children.find(({ id }) => id === 'm3')?.children.at(-1)?.detail;
    };
    expect([story.midway, troubled].map((steps) => find(factsFrom(steps)))).toEqual([waiting, note]);
    expect(find(worked)).toBe('');
  });

  it('keeps what the final review found until another round says otherwise', () => {
    const facts = factsFrom([...story.reviewing, ...story.complete.slice(story.reviewing.length, -20)]);
    const { modules } = summaryOf(chronicleOf(facts));
    expect([modules?.release, modules?.mustFix.map(({ lenses }) => lenses)]).toEqual(['blocked', [['A', 'B']]]);
    expect(summaryOf(chronicleOf(complete)).modules).toMatchObject({ release: 'clear', mustFix: [], retries: 1 });
  });

  it('keeps what nobody could be set to, and names what is mended beside it by its file', () => {
    const silent = {
      severity: 'error',
      category: 'silent-failure',
      element: 'x',
      line: 1,
      claim: 'nobody knows where',
    };
    const steps = story.complete.map((step): Step => {
      const text = JSON.stringify(step);
      if (!text.includes('"role":"auditor"') && step[1] !== 'final/review#1/A') return step;
      return JSON.parse(
        text.replace(
          '"findings":[{"file":"src/m2.js"',
          `"findings":[${JSON.stringify({ file: '/nowhere/x.js', ...silent })},{"file":"/src/m2.js"`,
        ),
      ) as Step;
    });
    const { modules } = summaryOf(chronicleOf(factsFrom(steps)));
    expect([modules?.release, modules?.mustFix.map(({ file }) => file)]).toEqual(['blocked', ['/nowhere/x.js']]);
    expect(modules?.modules.find(({ task }) => task === 'F1-1')?.title).toBe('Mend src/m2.js');
  });

  it('says of how many lessons are new that one is of the run itself, wherever it says how many', () => {
    const steps = story.complete.map((step): Step => {
      const [, key] = step;
      if (key !== 'save' && key !== '') return step;
      const text = JSON.stringify(step)
        .replace('"added":1', '"added":2')
        .replace('"lessonsAdded":1', '"lessonsAdded":2');
      return JSON.parse(text) as Step;
    });
    const facts = factsFrom(steps);
    const remark = "(one is this run's shape, for forecasts)";
    expect(linesOf(facts)).toContain(`2 new in memory ${remark}`);
    expect(summed(steps, 100)).toContain(`  2 new ${remark}, 1 of earlier runs applied\n`);
    expect(markdownReport(reportOf(chronicleOf(facts)))).toContain(`2 lessons saved ${remark}, 1 of`);
  });

  it('looks the same whether facts come at once or one by one, and fits at any point of it', () => {
    fc.assert(
      fc.property(fc.nat(complete.length), fc.integer({ min: 30, max: 120 }), (end, columns) => {
        const facts = complete.slice(0, end);
        const chronicle = emptyChronicle();
        for (const fact of facts) advanceChronicle(chronicle, fact);
        const whole = chronicleOf(facts);
        const now = after(complete, 60);
        expect(runView(chronicle, { now })).toEqual(runView(whole, { now }));
        expect(summaryOf(chronicle)).toEqual(summaryOf(whole));
        const tree = renderTree(runView(whole, { now }), { columns, rows: 24, color: false, frame: 0 });
        const plan = planText(whole, { columns })?.split('\n') ?? [];
        const table = summaryText(summaryOf(whole), { columns }).split('\n');
        // Commands are never cut.
        const texts = [...tree, ...plan, ...table].filter((line) => !/^ {2}(forge|git) /.test(line));
        expect(texts.filter((line) => displayWidth(line) > columns)).toEqual([]);
      }),
      { numRuns: 80 },
    );
  });

  it('prints nothing but text, whatever plans and agents say', () => {
    const words = '\u001b[31mred\u001b[0m \u202egnp\u202c <b>\r\nnext';
    const hostile = modulesStory({ title: `${words} title`, words });
    const facts = factsFrom(hostile.complete);
    const chronicle = chronicleOf(facts);
    const texts = [
      linesOf(facts).join('\n'),
      planText(chronicle) ?? '',
      summaryText(summaryOf(chronicle)),
      renderTree(runView(chronicle, { now: after(facts, 1) }), { columns: 80, rows: 90, color: false, frame: 0 }).join(
        '\n',
      ),
    ];
    // oxlint-disable-next-line no-control-regex
    for (const text of texts) expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  });

  it('survives proposals, outcomes and replies of any shape', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (data) => {
        const steps = story.complete.map((step): Step => {
          if (step[0] === 'note.recorded') return [step[0], step[1], { text: 'x', data: data as null }];
          if (step[0] === 'run.ended') return [step[0], step[1], { status: 'done', output: data as null }];
          if (step[0] === 'task.ended') return [step[0], step[1], { ...step[2], data: data as null }];
          return step;
        });
        const facts = factsFrom(steps);
        linesOf(facts);
        expect(runView(chronicleOf(facts), { now: after(facts, 0) }).root.status).toBe('done');
        expect(summaryOf(chronicleOf(facts)).modules?.total).toBe(4);
      }),
      { numRuns: 25 },
    );
  });
});
