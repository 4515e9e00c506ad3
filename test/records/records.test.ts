/** Records: every template fits its schema, whatever else is given is refused with a place and a fix, and states are closed. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkRecord } from '../../src/records/check-record.ts';
import { entityNames, filedEntities, isRecordId } from '../../src/records/entity.ts';
import { fitsConditions, parseConditions } from '../../src/records/record-filter.ts';
import { recordTemplates } from '../../src/records/record-templates.ts';
import { danglingReferences } from '../../src/records/references.ts';
import { suggestWords } from '../../src/records/suggest-words.ts';
import { isLegalTransition, nextStates, statesOf } from '../../src/records/transitions.ts';

const entity = fc.constantFrom(...entityNames);

describe('a record', () => {
  it.each(entityNames)('template of a %s fits', (name) => {
    expect(checkRecord(name, recordTemplates[name])).toEqual({ ok: true, record: recordTemplates[name] });
  });

  it('refuses a field that is not declared, and says which was meant', () => {
    const { sprintId, ...task } = recordTemplates.task;
    expect(checkRecord('task', { ...task, sprintID: sprintId })).toEqual({
      ok: false,
      faults: [
        { where: 'sprintId', problem: 'It is missing.', fix: 'Add "sprintId": a string.' },
        {
          where: 'sprintID',
          problem: 'There is no field "sprintID".',
          fix: 'Did you mean "sprintId"? If not, remove it.',
        },
      ],
    });
  });

  it('refuses a state that does not exist, and says which was meant', () => {
    const checked = checkRecord('task', { ...recordTemplates.task, status: 'completed' });
    expect(checked.ok ? '' : checked.faults[0]?.fix).toMatch(/^Did you mean "committed"\? Use one of "draft"/);
  });

  it('refuses a friction event that does not say who met what', () => {
    const checked = checkRecord('event', { ...recordTemplates.event, type: 'friction', persona: 'engineer' });
    expect(checked.ok ? [] : checked.faults.map(({ where }) => where)).toEqual(['workflow', 'issue']);
    const whole = { type: 'friction', workflow: 'implement', persona: 'engineer', issue: 'skill_stale' };
    expect(checkRecord('event', { ...recordTemplates.event, ...whole, subkind: 'x_own_kind' }).ok).toBe(true);
    expect(checkRecord('event', { ...recordTemplates.event, ...whole, subkind: 'other' }).ok).toBe(false);
  });

  it('takes a summary of a phase of your own only where a pipeline has it', () => {
    const summary = { objective: 'o', verdict: 'approved', written_at: '2026-01-01T00:00:00Z' };
    const task = { ...recordTemplates.task, summaries: { security_review: summary } };
    expect(checkRecord('task', task).ok).toBe(false);
    expect(checkRecord('task', task, ['security_review']).ok).toBe(true);
  });

  it('takes a day for the time of a bug', () => {
    const checked = checkRecord('bug', { ...recordTemplates.bug, reportedAt: '2026-04-05' });
    expect(checked.ok && checked.record['reportedAt']).toBe('2026-04-05T00:00:00.000Z');
  });

  it('never throws, and names a place for every fault', () => {
    fc.assert(
      fc.property(entity, fc.anything(), (name, value) => {
        const checked = checkRecord(name, value);
        if (checked.ok) return;
        expect(checked.faults.length).toBeGreaterThan(0);
        for (const { where, problem, fix } of checked.faults) expect([where, problem, fix]).not.toContain('');
      }),
    );
  });

  it('loses no field of a template to any other value without a fault or a fit', () => {
    fc.assert(
      fc.property(entity, fc.string(), fc.jsonValue(), (name, field, value) => {
        const changed: Record<string, unknown> = { ...recordTemplates[name] };
        Object.defineProperty(changed, field, { value, enumerable: true, configurable: true, writable: true });
        const checked = checkRecord(name, changed);
        if (checked.ok) expect(Object.keys(checked.record)).toEqual(Object.keys(changed));
      }),
    );
  });
});

describe('states', () => {
  const state = (name: (typeof filedEntities)[number]) => fc.constantFrom(...statesOf(name));

  it('lead only to states that exist, and staying is allowed', () => {
    for (const name of filedEntities) {
      for (const from of statesOf(name)) {
        expect(isLegalTransition(name, from, from)).toBe(true);
        expect(statesOf(name)).toEqual(expect.arrayContaining([...nextStates(name, from)]));
      }
    }
  });

  it('reach approval and commit of a task only through every step before it', () => {
    const path = ['draft', 'planned', 'plan-approved', 'implementing', 'implemented', 'review-approved', 'approved'];
    fc.assert(
      fc.property(fc.array(state('task'), { maxLength: 30 }), (wishes) => {
        const walked = ['draft'];
        for (const wish of wishes) if (isLegalTransition('task', walked.at(-1) ?? '', wish)) walked.push(wish);
        if (!walked.includes('committed')) return;
        for (const step of path) expect(walked).toContain(step);
      }),
      { numRuns: 300 },
    );
  });

  it('that no rule names cannot be left, whatever they are called', () => {
    fc.assert(
      fc.property(fc.constantFrom(...filedEntities), fc.string(), fc.string(), (name, from, to) => {
        if (statesOf(name).includes(from) || from === to) return;
        expect(isLegalTransition(name, from, to)).toBe(false);
      }),
    );
    expect(isLegalTransition('task', 'constructor', 'draft')).toBe(false);
  });
});

it('guesses are among the candidates, at most three, and never the word itself', () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.string({ minLength: 1 }), { maxLength: 20 }), (word, pool) => {
      const guesses = suggestWords(word, pool);
      expect(guesses.length).toBeLessThanOrEqual(3);
      for (const guess of guesses) expect(pool).toContain(guess);
      expect(guesses).not.toContain(word);
    }),
  );
});

it('an id can be a file name everywhere', () => {
  for (const bad of ['', '.', '..', 'a/b', 'a:b', 'a b', 'ä', 'a\n', 'x'.repeat(129), 7, undefined])
    expect(isRecordId(bad)).toBe(false);
  expect(isRecordId('ACME-S01_T01')).toBe(true);
});

it('conditions compare fields, also inside', () => {
  const record = { status: 'draft', iteration: 2, summaries: { plan: { verdict: 'n/a' } }, title: 'A Login page' };
  const fits = (...words: string[]) => {
    const parsed = parseConditions(words);
    if (!parsed.ok) throw new Error(parsed.problem);
    return fitsConditions(record, parsed.conditions);
  };
  expect(fits('status=draft', 'iteration=2', 'summaries.plan.verdict=n/a', 'title~login')).toBe(true);
  expect(fits('status=planned,draft')).toBe(true);
  expect(fits('status!=draft')).toBe(false);
  expect(fits('estimate=S')).toBe(false);
  expect(fits('estimate!=S')).toBe(true);
  expect(parseConditions(['draft']).ok).toBe(false);
});

it('names that lead nowhere are told with the likely one', () => {
  const known = { sprint: ['ACME-S01'], task: ['ACME-S01-T01'], bug: [], feature: [] };
  const task = { ...recordTemplates.task, sprintId: 'S01', dependencies: ['ACME-S01-T02', 'ACME-S01-T01'] };
  expect(danglingReferences('task', task, known)).toEqual([
    {
      field: 'sprintId',
      target: 'sprint',
      id: 'S01',
      isNeeded: true,
      fix: 'Did you mean "ACME-S01"? Write the sprint first, or change the name.',
    },
    {
      field: 'dependencies',
      target: 'task',
      id: 'ACME-S01-T02',
      isNeeded: false,
      fix: 'Did you mean "ACME-S01-T01"? Write the task first, or change the name.',
    },
  ]);
});
