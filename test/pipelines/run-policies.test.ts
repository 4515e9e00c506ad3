/** What a pipeline run decides by: states that follow phases, order of tasks, events, figures, and records that two changed. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { builtinPipelines } from '../../src/pipelines/builtin-pipelines.ts';
import { canonicalEvent } from '../../src/pipelines/canonical-event.ts';
import { escalationLines, escalationReasons } from '../../src/pipelines/escalation.ts';
import { frictionSchema } from '../../src/pipelines/friction.ts';
import { nextId } from '../../src/pipelines/next-id.ts';
import { firstPhase, isTerminal, startPhase, stateAfter, statePath } from '../../src/pipelines/record-states.ts';
import { sprintFigures } from '../../src/pipelines/sprint-figures.ts';
import { orderRecords } from '../../src/pipelines/sprint-order.ts';
import { checkRecord } from '../../src/records/check-record.ts';
import { mergeRecord } from '../../src/records/merge-record.ts';
import { taskStates } from '../../src/records/schemas.ts';
import { isLegalTransition } from '../../src/records/transitions.ts';

describe('states', () => {
  it('follow the built-in phases from draft to committed by legal steps', () => {
    let state = 'draft';
    for (const { role } of builtinPipelines.task.phases) {
      const next = stateAfter('task', role, { verdict: null });
      if (next === undefined || next === state) continue;
      for (const step of statePath('task', state, next)) {
        expect(isLegalTransition('task', state, step), `${state} → ${step}`).toBe(true);
        state = step;
      }
    }
    expect(state).toBe('committed');
  });

  it('have a legal way or none, whatever is asked for', () => {
    const state = fc.constantFrom(...taskStates);
    fc.assert(
      fc.property(state, state, (from, to) => {
        let here: string = from;
        for (const step of statePath('task', from, to)) {
          if (!isLegalTransition('task', here, step)) return false;
          here = step;
        }
        return true;
      }),
    );
  });

  it('say where work begins', () => {
    const { phases } = builtinPipelines.task;
    const begins = (status: string): string | undefined => phases[firstPhase(phases, status)]?.command;
    expect(
      ['draft', 'planned', 'plan-approved', 'code-revision-required', 'implemented', 'approved'].map(begins),
    ).toEqual(['plan', 'review-plan', 'implement', 'implement', 'review-code', 'writeback']);
    expect(['committed', 'escalated', 'planned'].map((status) => isTerminal('task', status))).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe('a record that two changed', () => {
  const before = { taskId: 'T1', title: 'A', status: 'planned', summaries: { plan: { objective: 'x' } } };

  it('keeps both changes where they do not meet', () => {
    const ours = {
      ...before,
      status: 'plan-approved',
      summaries: { ...before.summaries, review_plan: { objective: 'y' } },
    };
    const theirs = { ...before, title: 'B', summaries: { plan: { objective: 'z' } } };
    expect(mergeRecord(before, ours, theirs)).toEqual({
      status: 'clean',
      record: {
        taskId: 'T1',
        title: 'B',
        status: 'plan-approved',
        summaries: { plan: { objective: 'z' }, review_plan: { objective: 'y' } },
      },
      theirs: ['title', 'summaries.plan'],
    });
  });

  it('is a conflict where they do, and never written over', () => {
    const ours = { ...before, status: 'plan-approved' };
    expect(mergeRecord(before, ours, { ...before, status: 'abandoned' })).toEqual({
      status: 'conflict',
      fields: ['status'],
    });
    expect(mergeRecord(before, ours, undefined)).toEqual({ status: 'conflict', fields: ['(removed)'] });
    expect(mergeRecord(null, ours, before)).toEqual({ status: 'conflict', fields: ['(exists)'] });
    expect(mergeRecord(before, ours, ours)).toMatchObject({ status: 'same' });
  });

  it('loses nobody’s change', () => {
    const record = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 0, max: 2 }));
    fc.assert(
      fc.property(record, record, record, (base, ours, found) => {
        const merged = mergeRecord(base, ours, found);
        if (merged.status === 'conflict') return true;
        return ['a', 'b', 'c'].every((name) => {
          const [was, mine, other, now] = [base, ours, found, merged.record].map((one) => one[name]);
          return now === (mine === was ? other : mine);
        });
      }),
    );
  });
});

describe('the order of records', () => {
  const task = (id: string, ...dependencies: string[]) => ({
    taskId: id,
    sprintId: 'S1',
    status: 'draft',
    dependencies,
  });
  const order = (tasks: readonly object[], wanted: readonly string[], more: object = {}) =>
    orderRecords({ sprints: [{ sprintId: 'S1', ...more }], tasks: tasks as never, bugs: [], wanted });

  it('takes dependencies from tasks and from the sprint', () => {
    expect(order([task('T2'), task('T1')], ['S1'], { dependencies: { T2: ['T1'] } })).toMatchObject({
      records: [
        { id: 'T1', depends: [] },
        { id: 'T2', depends: ['T1'] },
      ],
    });
  });

  it('names the members of circles, and what is open outside', () => {
    expect(order([task('T1', 'T2'), task('T2', 'T1'), task('T3', 'T2')], ['S1'])).toEqual({
      status: 'impossible',
      reasons: ['these tasks wait for each other: T1, T2'],
    });
    expect(order([task('T1'), task('T2', 'T1'), task('T3', 'T9')], ['T2', 'T3'])).toEqual({
      status: 'impossible',
      reasons: [
        'T2 depends on T1, which is draft and is not part of this run',
        'T3 depends on T9, which does not exist and is not part of this run',
      ],
    });
  });
});

describe('events', () => {
  const subject = { kind: 'task', id: 'ACME-S01-T01', directory: 'ACME-S01' } as const;
  const measured = {
    from: '2026-04-15T14:15:23.000Z',
    to: '2026-04-15T14:17:23.000Z',
    model: 'm',
    provider: 'p',
    usage: { inputTokens: 10, outputTokens: 2, costUsd: 0.5 },
  };

  it('fit their schema, and the same one twice is one file', () => {
    const event = canonicalEvent(
      subject,
      { action: 'complete', persona: 'engineer', phase: 'implement', iteration: 2, verdict: 'n/a' },
      measured,
    );
    expect(checkRecord('event', event)).toMatchObject({ ok: true });
    expect(event).toMatchObject({
      eventId: '20260415T141523000Z_ACME-S01-T01_engineer_implement-complete',
      durationMinutes: 2,
      inputTokens: 10,
      estimatedCostUSD: 0.5,
      tokenSource: 'reported',
    });
  });

  it('fit whatever phase and words a project has', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (persona, phase, notes) => {
        const event = canonicalEvent(subject, { action: 'escalated', persona: `p${persona}`, phase, notes }, measured);
        return checkRecord('event', event).ok;
      }),
    );
  });

  it('add up to figures of a sprint', () => {
    const events = [
      canonicalEvent(subject, { action: 'complete', persona: 'engineer', phase: 'implement' }, measured),
      canonicalEvent(
        subject,
        { action: 'complete', persona: 'supervisor', phase: 'review-code', verdict: 'revision' },
        measured,
      ),
      canonicalEvent(subject, { action: 'friction', persona: 'engineer', phase: 'implement', number: 1 }, measured),
    ];
    const tasks = [
      { taskId: 'ACME-S01-T01', status: 'committed', estimate: 'L' },
      { taskId: 'ACME-S01-T02', status: 'escalated' },
    ];
    expect(sprintFigures(tasks, events)).toMatchObject({
      tasks: 2,
      done: 1,
      stopped: 1,
      points: { done: 4, all: 6 },
      revisions: 1,
      friction: 1,
      cost: { usd: 1, count: 2 },
      byRole: [
        { name: 'engineer', usd: 0.5 },
        { name: 'supervisor', usd: 0.5 },
      ],
      burndown: [{ day: '2026-04-15', left: 1, points: 2 }],
    });
  });
});

it('friction that names no matter is refused', () => {
  expect(frictionSchema.safeParse({ subkind: 'skill_missing' }).success).toBe(false);
  expect(frictionSchema.safeParse({ issue: 'x', subkind: 'whatever' }).success).toBe(false);
  expect(frictionSchema.safeParse({ issue: 'x', subkind: 'x_own' }).success).toBe(true);
});

it('every escalation names one command that goes on', () => {
  for (const reason of escalationReasons) {
    const lines = escalationLines({ id: 'T1', kind: 'task' }, { reason, phase: 'plan', detail: 'why' }, 'run-1');
    expect(lines.filter((line) => line.startsWith('Then: forge '))).toHaveLength(1);
  }
});

it('new ids go on in the manner of those that are there', () => {
  expect(nextId([], 'BUG-', 3)).toBe('BUG-001');
  expect(nextId(['BUG-001', 'ACME-BUG-009', 'ACME-BUG-010'], 'BUG-', 3)).toBe('ACME-BUG-011');
});

it('a bug that triage sent on route A is fixed without a plan by a later run as well', () => {
  const { phases } = builtinPipelines.bug;
  const from = (status: string, route?: string): string | undefined =>
    phases[startPhase(phases, { status, ...(route === undefined ? {} : { summaries: { triage: { route } } }) })]
      ?.command;
  expect([from('reported', 'A'), from('triaged', 'A'), from('triaged', 'B'), from('triaged')]).toEqual([
    'triage',
    'implement',
    'plan-fix',
    'plan-fix',
  ]);
});
