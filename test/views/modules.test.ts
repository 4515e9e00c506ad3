/** A run of modules as it is told, fact by fact, and what mends the findings of its final review. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planReopening } from '../../src/engine/reopen.ts';
import { advanceChronicle, chronicleOf, emptyChronicle } from '../../src/views/chronicle.ts';
import { filterEvents, logEvents } from '../../src/views/log-entries.ts';
import { moduleAttempts } from '../../src/views/module-attempts.ts';
import { planText } from '../../src/views/plan-text.ts';
import { renderTree } from '../../src/views/render-tree.ts';
import { markdownReport } from '../../src/views/report/markdown-report.ts';
import { reportOf } from '../../src/views/report/report.ts';
import { runView } from '../../src/views/run-view.ts';
import { summaryOf } from '../../src/views/summary.ts';
import { summaryText } from '../../src/views/summary-text.ts';
import { displayWidth } from '../../src/views/terminal-text.ts';
import { modulesStory } from './modules-steps.ts';
import { after, factsFrom, type Step } from './steps.ts';
import { complete, linesOf, story, summed } from './modules-told.ts';

describe('what mends the findings of the final review', () => {
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
