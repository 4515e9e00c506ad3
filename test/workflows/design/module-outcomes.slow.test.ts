/** Every way a module can go before it is merged, several in one run: retries, revisions, breakdowns, conflicts, decisions. */
import { describe, expect, it } from 'vitest';
import { playDesign } from './scene.ts';
import { approve, done, failing, moduleTests, planIssue, plannedAs, reject, source } from './scripted-agents.ts';
import { testLine } from './tiny-design.ts';

const pass = { result: 'pass', total: 1, summary: 'Good' };

describe('a module that does not pass at once', () => {
  it('goes back to its developer from the gate, the tester, the checks and the reviewer; nobody touches what is not theirs', async () => {
    const { result, asked, events, document, world } = await playDesign({
      script: {
        'M-001/develop#1': { reply: done(), files: { 'src/core.js': 'LINT\n' } },
        'M-001/develop#2': {
          reply: done(),
          files: {
            'src/core.js': 'nothing\n',
            'test/modules/M-001.test.js': 'mine now\n',
            'src/shout.js': 'not mine\n',
          },
        },
        'M-001/test#2': {
          reply: failing('one', 'two'),
          files: { ...moduleTests('M-001'), 'src/core.js': 'M-001 by the tester' },
        },
        'M-001/develop#3': { reply: done(), files: { 'src/core.js': 'nothing yet\n' } },
        'M-001/test#3': { reply: pass, files: moduleTests('M-001') },
        'M-001/review#4': { reply: reject('It is not done') },
        'M-001/review#5': { reply: approve },
      },
    });
    expect(result?.status).toBe('done');
    expect(events.filter((title) => title.startsWith('M-001 retry'))).toEqual(
      [1, 2, 3, 4].map((at) => `M-001 retry ${at}`),
    );
    expect(asked.filter((key) => key.startsWith('M-001/'))).toEqual([
      'M-001/develop#1',
      'M-001/develop#2',
      'M-001/test#2',
      'M-001/develop#3',
      'M-001/test#3',
      'M-001/develop#4',
      'M-001/test#4',
      'M-001/review#4',
      'M-001/develop#5',
      'M-001/test#5',
      'M-001/review#5',
    ]);
    // The developer is told what was taken back, and the tester's change of the source never arrived.
    expect(world.briefs.get('M-001/develop#3')).toContain('- src/shout.js');
    expect(world.briefs.get('M-001/develop#3')).toContain('- test/modules/M-001.test.js');
    const state = JSON.parse(document('reports/module-state-M-001.json')) as Record<string, unknown>;
    expect(state).toMatchObject({ total_retries: 4, has_replanned: false, previous_findings: 1 });
    expect(state['retry_history']).toHaveLength(4);
    expect(document('reports/developer-notes-M-001.md')).toContain(
      'the tester changed src/core.js, which was taken back',
    );
    expect(document('execution-log.md')).toContain('review: 1');
  });

  it('gets a new strategy after three flat rounds, a diagnosis after three more, and then a person decides', async () => {
    const { result, world, questions, events, document } = await playDesign({
      script: {
        'M-001/test#*': { reply: failing('the same') },
        'M-001@*': { reply: done() },
      },
      answers: { 'M-001/*/choice': 'skip', 'accept/decide*': 'abort' },
    });
    expect(world.tiers.get('M-001/develop#5')).toBe('heavy');
    expect(world.tiers.get('M-001/develop#4')).toBe(undefined);
    expect(world.tiers.get('M-001/develop#6')).toBe(undefined);
    expect(world.briefs.get('M-001/develop#5')).toContain('implement another strategy');
    // A diagnosis with an option that costs nothing is tried before anybody is asked.
    expect(world.briefs.get('M-001/develop#9')).toContain('Do it well');
    expect(questions).toEqual(['approve', 'M-001/decide#12/choice', 'accept/decide#8']);
    expect(events).toContain('M-001 enters replan mode');
    expect(events).toContain('M-001 needs a decision');
    expect(document('reports/decision-request-M-001.md')).toContain('**Root cause:** implementation-complexity');
    // What needs a module that was left out is left out too, and that is no delivery.
    expect(document('README.md')).toMatch(/\| M-001 \| 1 \| Done \| Skipped/);
    expect(document('README.md')).toMatch(/\| M-002 \| 2 \| Done \| Skipped/);
    expect(result?.status).toBe('failed');
  });

  it('asks at once when every option is a trade-off, and goes the way that the person chose', async () => {
    const tradeOffs = {
      reply: {
        pattern: 'two rules contradict each other',
        rootCause: 'conflicting-constraints',
        explanation: 'Both cannot hold',
        options: [
          { title: 'Drop the first', change: 'src/core.js', isTradeOff: true },
          { title: 'Drop the second', change: 'src/core.js', isTradeOff: true },
        ],
      },
    };
    const { result, questions, world } = await playDesign({
      script: {
        'M-001/diagnose*': tradeOffs,
        'M-001/test#1': { reply: failing('a') },
        'M-001/test#2': { reply: failing('a') },
        'M-001/test#3': { reply: failing('a') },
        'M-001/test#4': { reply: failing('a') },
        'M-001/test#5': { reply: failing('a') },
        'M-001/test#6': { reply: failing('a') },
        'M-001/test#7': { reply: failing('a') },
        'M-001/test#8': { reply: failing('a') },
      },
      answers: { 'M-001/diagnose#8/choice': { option: '2', text: 'and say so in the notes' } },
    });
    expect(questions).toContain('M-001/diagnose#8/choice');
    expect(world.briefs.get('M-001/develop#9')).toContain('Drop the second');
    expect(world.briefs.get('M-001/develop#9')).toContain('and say so in the notes');
    expect(world.tiers.get('M-001/develop#9')).toBe('heavy');
    expect(result?.status).toBe('done');
  });

  it('is given to a person after twenty retries, however much it improved', async () => {
    const fewer = Array.from({ length: 30 }, (_, at) => ({
      reply: failing(...Array.from({ length: 30 - at }, (_each, n) => `t${n}`)),
    }));
    const { questions, result } = await playDesign({
      script: { 'M-001/test#*': fewer },
      answers: { 'M-001/*/choice': 'abort' },
    });
    expect(questions).toEqual(['approve', 'M-001/decide#21/choice']);
    expect(result).toMatchObject({ status: 'failed' });
    expect(result?.reason).toContain('a person stopped the run');
  });
});

describe('an agent that breaks down', () => {
  it('is tried once more for free; then a person retries, leaves it out or stops', async () => {
    const broken = { trouble: 'overloaded' };
    const { result, questions, events, document } = await playDesign({
      script: {
        'M-001/develop#1*': broken,
        'M-001/develop#2*': broken,
        'M-002/test#1*': broken,
        'M-003/review#1*': broken,
        'M-003@2/*': broken,
      },
      answers: { 'M-001/broken/choice': 'retry', 'M-003*/broken/choice': ['retry', 'skip'], 'accept/decide*': 'abort' },
    });
    expect(questions.toSorted()).toEqual([
      'M-001/broken/choice',
      'M-003/broken/choice',
      'M-003@2/broken/choice',
      'accept/decide#8',
      'approve',
    ]);
    expect(events.filter((title) => title.includes('infrastructure')).length).toBe(3);
    // Breakdowns do not count as retries.
    expect(document('README.md')).toMatch(/\| M-001 \| 1 \| Done \| Done \| Done \| Approved \| Yes \|/);
    expect(JSON.parse(document('reports/module-state-M-002.json'))).toMatchObject({ total_retries: 0 });
    expect(document('README.md')).toMatch(/\| M-003 \| 2 \| Done \| Skipped/);
    expect(result?.status).toBe('failed');
  });
});

describe('a plan that turns out to be wrong', () => {
  it('is corrected alone when only its text is wrong, and after a missing part was built, first things first', async () => {
    const { result, questions, events, world, document } = await playDesign({
      input: { parallel: 1 },
      script: {
        'M-001/develop#1': { reply: planIssue('PLAN_TEXT_ERROR') },
        'M-001/revise/plan/planner#1': { reply: plannedAs('M-001', 'Write it right') },
        'M-002/develop#1': {
          reply: planIssue('UPSTREAM_NOT_IMPLEMENTED', { module: 'M-003', capability: 'printing in colour' }),
        },
        'M-002/revise/plan/planner#1': { reply: plannedAs('M-003', 'Write it with colour') },
        'M-003/develop#1': {
          reply: planIssue('UPSTREAM_NOT_IMPLEMENTED', { module: 'M-001', capability: 'a palette' }),
        },
        'M-003/revise/plan/planner#1': { reply: plannedAs('M-001', 'Write a palette') },
        'M-001-for-M-003/develop#1': { reply: done('A palette'), files: source('M-001', ' palette') },
      },
    });
    expect(result?.status).toBe('done');
    expect(questions).toEqual(['approve']);
    const order = events.filter((title) => /merged$|revision:|^Plan revised/.test(title) && !title.startsWith('Phase'));
    expect(order).toEqual([
      'M-001 needs a plan revision: PLAN_TEXT_ERROR',
      'Plan revised: M-001',
      'M-001 approved and merged',
      'M-002 needs a plan revision: UPSTREAM_NOT_IMPLEMENTED',
      'Plan revised: M-003',
      'M-003 needs a plan revision: UPSTREAM_NOT_IMPLEMENTED',
      'Plan revised: M-001',
      'M-001 approved and merged',
      'M-003 approved and merged',
      'M-002 approved and merged',
    ]);
    expect(world.log()).toContain('docs(plan): re-plan from phase 1 — PLAN_TEXT_ERROR');
    expect(world.files()['src/core.js']).toContain('palette');
    expect(document('reports/plan-revision-M-002.md')).toContain('printing in colour');
    expect(document('plans/plan-M-003-print.md')).toContain('Write it with colour');
  });

  it('gives what nobody owns to a new module, which is built before the one that needs it', async () => {
    const { result, world, document, events } = await playDesign({
      script: {
        'M-002/develop#1': { reply: planIssue('UPSTREAM_NOT_IMPLEMENTED', { capability: 'a clock' }) },
        'M-002/allocate#1': { reply: { owner: 'M-002', name: '', plan: plannedAs('M-002').plan } },
        'M-002/allocate#2': {
          reply: {
            owner: 'new',
            name: 'Clock',
            responsibility: 'Time',
            depends: ['M-001'],
            plan: plannedAs('M-004').plan,
          },
        },
      },
    });
    expect(result?.status).toBe('done');
    expect(world.briefs.get('M-002/allocate#2')).toContain('M-002 is the module that asks.');
    expect(world.log()).toContain('docs(plan): allocate a clock to M-004 for M-002');
    expect(events.indexOf('M-004 approved and merged')).toBeLessThan(events.indexOf('M-002 approved and merged'));
    expect(document('plans/plan-M-004-clock.md')).toContain('# Plan: M-004 — Clock');
    expect(document('README.md')).toMatch(/\| M-004 \| 2 \| Done \| Done/);
  });

  it.each(['UPSTREAM_BUG', 'UPSTREAM_INSUFFICIENT', 'INTERFACE_REDESIGN'])(
    '%s is planned again from here, a person approves or asks for more, and merged modules are built again',
    async (type) => {
      const { result, questions, world, events, facts } = await playDesign({
        script: {
          'M-002/develop#1': { reply: planIssue(type, { module: 'M-001' }) },
          'M-002/revise/plan/M-001/planner#1': { reply: plannedAs('M-001', 'Write it again') },
          'M-002/revise/plan/M-001/changes/planner#1': { reply: plannedAs('M-001', 'Write it again, shorter') },
          'M-002/revise/plan/M-00*': { reply: { ...plannedAs('M-002'), isUnchanged: true } },
        },
        answers: { 'M-002/revise/approve': { text: 'Make it shorter' }, 'M-002/revise/approve#2': 'yes' },
      });
      expect(questions).toEqual(['approve', 'M-002/revise/approve', 'M-002/revise/approve#2']);
      expect(world.briefs.get('M-002/revise/plan/M-001/changes/planner#1')).toContain('Make it shorter');
      expect(events.filter((title) => title === 'M-001 approved and merged')).toHaveLength(2);
      expect(events.lastIndexOf('M-001 approved and merged')).toBeLessThan(events.indexOf('M-002 approved and merged'));
      expect(world.log()).toContain(`docs(plan): re-plan from phase 2 — ${type}`);
      const shown = facts.flatMap((fact) =>
        fact.type === 'question.asked' && fact.key === 'M-002/revise/approve#2' ? [JSON.stringify(fact.data)] : [],
      );
      expect(shown[0]).toContain('M-001 is merged and will be changed');
      expect(shown[0]).toContain('removed Write it');
      expect(result?.status).toBe('done');
    },
  );

  it('is decided by a person when no plan helps', async () => {
    const { questions, result } = await playDesign({
      script: {
        'M-002/develop#1': { reply: planIssue('INTERFACE_REDESIGN', { module: 'M-001' }) },
        'M-002/revise/plan/*': { reply: { ...plannedAs('M-001'), isUnchanged: true } },
      },
      answers: { 'M-002/revise/decision': 'abort' },
    });
    // Nobody is asked to approve plans that stay as they are.
    expect(questions).toEqual(['approve', 'M-002/revise/decision']);
    expect(result?.status).toBe('failed');
  });
});

describe('a merge that conflicts', () => {
  it('goes to an agent with everything verified again, and after three tries to a person', async () => {
    const clash = (text: string) => ({ pushes: { 'src/shout.js': `M-002 done ${text}\n` } });
    const { result, questions, asked, world } = await playDesign({
      script: {
        'M-002/review#1': { reply: approve, ...clash('a') },
        'M-002@2/review#1': { reply: approve, ...clash('b') },
        'M-002@3/review#1': { reply: approve, ...clash('c') },
        'M-002@4/review#1': { reply: approve, ...clash('d') },
      },
      answers: { 'M-002@4/conflict': { text: 'Take theirs' } },
    });
    expect(questions).toEqual(['approve', 'M-002@4/conflict']);
    expect(world.briefs.get('M-002@2/develop#1')).toContain('merge conflict in src/shout.js');
    expect(world.briefs.get('M-002@5/develop#1')).toContain('Take theirs');
    expect(asked).toContain('M-002@5/review#1');
    expect(result?.status).toBe('done');
  });
});

it('a criterion whose only test is weakened by a later module turns red by itself', async () => {
  const { facts, document } = await playDesign({
    script: {
      'M-001/test#1': {
        reply: pass,
        files: {
          'test/modules/M-001.test.js': testLine('F-001/AC1 in M-001', 'src/core.js has M-001', 'src/core.js has done'),
        },
      },
      'M-002/develop#1': {
        reply: done(),
        files: source('M-002'),
        pushes: { 'test/modules/M-001.test.js': testLine('F-001/AC1 in M-001', 'src/core.js has M-001') },
      },
      'accept/*': { trouble: 'overloaded' },
    },
  });
  const ended = facts.flatMap((fact) => (fact.type === 'step.ended' && fact.key === 'M-002/proof' ? [fact.data] : []));
  expect(ended[0]).toMatchObject({ status: 'failed' });
  expect(JSON.stringify(ended[0])).toContain(
    'F-001/AC1 lost its proof: test/modules/M-001.test.js::F-001/AC1 in M-001 had 2 assertions and has 1',
  );
  expect(document('README.md')).toContain('lost: F-001/AC1');
  // The line about the whole run says so too, until it is proven again.
  const lines = facts.flatMap((fact) => (fact.type === 'note.recorded' ? (fact.data.standing ?? []) : []));
  expect(lines[0]).toEqual({ text: '0 of 5 criteria have a passing test', isBad: false });
  expect(lines.at(-1)).toMatchObject({ text: expect.stringContaining('lost: F-001/AC1') as string, isBad: true });
});
