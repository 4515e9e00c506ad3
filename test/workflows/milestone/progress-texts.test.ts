/** State and events of a milestone from its facts: what stands there, what an earlier run left, and in which order. */
import { expect, it } from 'vitest';
import type { Chronicle } from '../../../src/views/chronicle.ts';
import { emptyChronicle } from '../../../src/views/chronicle.ts';
import { decisionsText, eventsText, stateText } from '../../../src/workflows/milestone/documents/progress-texts.ts';

const places = {
  subject: { id: 'M001', title: 'Numbers' },
  projected: { state: 's', events: 'e', stateBefore: '', eventsBefore: '{"earlier":1}', decisionsBefore: '' },
};

function chronicle(): Chronicle {
  const run = emptyChronicle();
  const step = { detail: '', within: undefined, startedAt: '', startedSeq: 1 };
  const end = { status: 'done' as const, detail: '2 tasks', figures: {}, lines: [], links: [] };
  run.state.steps.set('S01/plan', { ...step, kind: 'unit', title: 'plan-slice', end: { ...end, at: 'T2', seq: 9 } });
  run.state.steps.set('S01/T01/verify#1', {
    ...step,
    kind: 'check',
    title: 'checks',
    end: { ...end, at: 'T1', seq: 3 },
  });
  run.state.steps.set('S01/review', { ...step, kind: 'gate', title: 'review', end: { ...end, at: 'T4', seq: 40 } });
  run.state.steps.set('S02/T01/unit', { ...step, kind: 'unit', title: 'execute-task', end: undefined });
  run.state.steps.set('S02/T02/unit', { ...step, kind: 'unit', title: 'execute-task', end: undefined });
  run.state.scheduled.set('S01', { task: 'S01', title: 'S01 Sums', depends: [], within: undefined } as never);
  run.state.scheduled.set('S02', { task: 'S02', title: 'S02 Products', depends: [], within: undefined } as never);
  run.state.tasks.set('S01', { task: 'S01', startedSeq: 1, outcome: { task: 'S01', status: 'done', reason: '' } });
  run.state.steps.set('S01/plan-check#1/gate', {
    ...step,
    kind: 'gate',
    title: 'plan check, round 1',
    end: { ...end, at: 'T0', seq: 4 },
  });
  run.state.recorded.set('S01/plan-check#1/document', 5);
  const checked = { event: 'plan_check', slice: 'S01', mode: 'blocking', round: 1, outcome: 'passed' };
  run.notes.set('S01/plan-check#1/document', { at: 'T0', text: '', data: { document: {}, event: checked } });
  const usage = { inputTokens: 10, outputTokens: 2, costUsd: 0, turns: 1 };
  run.state.effects.set('S01/T01/execute#1', {
    kind: 'agent.run',
    startedSeq: 2,
    input: { role: 'executor' },
    result: {
      output: {
        wall: { from: 'T0', to: 'T1' },
        outcome: { usage },
        route: { agent: 'claude', tier: 'light', model: 'small', reasons: ['tier light: the task is tagged docs'] },
      },
    },
  } as never);
  run.state.recorded.set('S01/T01/repair#1', 20);
  run.notes.set('S01/T01/repair#1', {
    at: 'T3',
    text: '',
    data: { repair: { strategy: 'retry', reason: 'one promised file is missing', count: 1 } },
  });
  return run;
}

it('says where the milestone stands', () => {
  const lines = stateText(chronicle(), places).split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      '**Active Slice:** S02',
      '**Active Task:** T01, T02',
      '**Phase:** execute-task',
      '- [x] S01 Sums',
      '- [ ] S02 Products',
      'execute-task S02/T01, execute-task S02/T02',
    ]),
  );
});

it('lists units, gates, repairs and who did them in the order they ended, below what an earlier run left', () => {
  const lines = eventsText(chronicle(), places).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    { earlier: 1 },
    {
      ts: 'T1',
      event: 'dispatch',
      unit: 'S01/T01',
      role: 'executor',
      milestone: 'M001',
      agent: 'claude',
      model: 'small',
      tier: 'light',
      reason: 'tier light: the task is tagged docs',
      input_tokens: 10,
      output_tokens: 2,
    },
    {
      ts: 'T0',
      milestone: 'M001',
      event: 'plan_check',
      slice: 'S01',
      mode: 'blocking',
      round: 1,
      outcome: 'passed',
    },
    { ts: 'T2', unit: 'plan-slice/S01', milestone: 'M001', status: 'done', summary: '2 tasks' },
    {
      ts: 'T3',
      event: 'repair',
      unit: 'execute-task/S01/T01',
      milestone: 'M001',
      strategy: 'retry',
      repair_count: 1,
      reason: 'one promised file is missing',
    },
    { ts: 'T4', event: 'review', unit: 'S01', milestone: 'M001', status: 'done', summary: '2 tasks' },
  ]);
});

it('lists what was decided below what earlier runs decided, each with the run that can reverse it', () => {
  const decision = { id: 'D1', unit: 'S01', choice: 'Lower case', why: 'short', alternative: 'Upper case', redo: '' };
  const run = chronicle();
  run.state.created = { run: 'numbers-a1b2' } as never;
  const first = decisionsText(run, places, [decision]);
  run.state.created = { run: 'numbers-c3d4' } as never;
  const later = { ...places, projected: { ...places.projected, decisionsBefore: first } };
  const second = decisionsText(run, later, [{ ...decision, choice: 'No cache' }]);
  expect(second.split('\n').filter((line) => /^#|^Of|D1/.test(line))).toEqual([
    '# M001: decisions',
    'Of the run numbers-c3d4. To reverse one: `forge milestone reverse <#> numbers-c3d4`',
    '| D1 | S01 | No cache | short | Upper case |',
    'Of the run numbers-a1b2. To reverse one: `forge milestone reverse <#> numbers-a1b2`',
    '| D1 | S01 | Lower case | short | Upper case |',
  ]);
});
