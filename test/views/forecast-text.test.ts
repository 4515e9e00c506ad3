import { describe, expect, it } from 'vitest';
import { chronicleOf } from '../../src/views/chronicle.ts';
import { forecastLines } from '../../src/views/forecast-text.ts';
import { planText } from '../../src/views/plan-text.ts';
import { agent, effect, factsFrom, opening, type Step } from './steps.ts';

const planning: readonly Step[] = [
  ...opening,
  ...agent('plan#1', { role: 'planner', reply: { summary: 'first' } }),
  ...agent('plan#2', { role: 'planner', reply: { summary: 'second' } }),
  [
    'question.asked',
    'approve',
    { title: 'Go ahead?', topic: 'approval', page: { title: 'Plan: search', sections: [] } },
  ],
];
const accepted: Step = ['plan.accepted', 'plan', { plan: { objective: 'search', tasks: [] } }];
const made = (key: string, output: object): readonly Step[] => effect('forecast.make', key, {}, output);
const lines = (...steps: readonly (readonly Step[])[]): string[] =>
  forecastLines(chronicleOf(factsFrom([...planning, ...steps.flat()])), 80);
const figures = 'about $2.00 (1 to 4), 300k tokens, 20 minutes (from earlier runs here)';

describe('forecastLines', () => {
  it('says what is expected, where the run stops and who cannot be held to that', () => {
    expect(lines(made('forecast', { text: figures, limits: '$10, 8 h', soft: ['actor'] }))).toEqual([
      '  expected        about $2.00 (1 to 4), 300k tokens, 20 minutes (from earlier',
      '                  runs here)',
      '  so far          planning took $0.12, 24k tokens in, 1.6k out',
      '  limits          $10, 8 h',
      '  soft limits     actor: what it uses is known only afterwards',
    ]);
  });

  it('has nothing soft about no limit, and no figures for agents that report none', () => {
    expect(lines(made('forecast', { text: '', limits: 'no limit', soft: ['actor'] }))).toEqual([
      '  cost            not known beforehand; planning took $0.12, 24k tokens in, 1.6k',
      '                  out',
      '  limits          no limit',
    ]);
  });

  it('goes by the newest proposal', () => {
    const [first, second] = [
      { limits: 'no limit', soft: [] },
      { limits: '$5', soft: [] },
    ];
    expect(lines(made('forecast', { text: 'a', ...first }), made('forecast#2', { text: 'b', ...second }))).toEqual([
      '  expected        b',
      '  so far          planning took $0.12, 24k tokens in, 1.6k out',
      '  limits          $5',
    ]);
  });

  it('does not call it planning any more once the plan is approved', () => {
    const steps = [...made('forecast', { text: '', limits: '$5', soft: [] }), accepted];
    expect(lines(steps)[0]).toBe('  cost            not known beforehand; so far $0.12, 24k tokens in, 1.6k out');
  });

  it('is followed by the plan as a person changed it', () => {
    const answered: Step = ['question.answered', 'approve', { option: 'yes', text: '# How\ntasks:\n  - id: T7\n' }];
    const changed = planText(chronicleOf(factsFrom([...planning, answered, accepted])));
    expect(changed).toContain('\nApproved with these changes\n  tasks:\n    - id: T7\n');
    expect(planText(chronicleOf(factsFrom([...planning, accepted])))).not.toContain('Approved with');
  });

  it('is part of what a person approves', () => {
    const steps = [...planning, ...made('forecast', { text: figures, limits: '$10, 8 h', soft: [] })];
    const text = planText(chronicleOf(factsFrom(steps)), { columns: 120 });
    expect(text).toContain(`  expected        ${figures}\n`);
    expect(text).toContain('  limits          $10, 8 h\n');
  });
});
