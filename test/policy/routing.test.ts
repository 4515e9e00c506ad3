/** Which word wins, what is recorded, and that any plan can be routed. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tierNames } from '../../src/policy/agent-settings.ts';
import { effortNames } from '../../src/policy/effort.ts';
import {
  fallbackAgents,
  nextTier,
  otherModel,
  type RoutingQuestion,
  routeWork,
  tierUp,
} from '../../src/policy/routing.ts';

const claude = { provider: 'anthropic' };
const codex = { provider: 'openai', tiers: { light: 'mini', standard: 'mid', heavy: 'big' } };

function route(question: Partial<RoutingQuestion>) {
  return routeWork({ role: 'developer', agents: { claude, codex }, roles: {}, ...question });
}

describe('a role', () => {
  it.each([
    ['planner', 'heavy'],
    ['architect', 'max'],
    ['developer', 'standard'],
    ['tester', 'standard'],
    ['debugger', 'standard'],
    ['researcher', 'standard'],
    ['reviewer', 'heavy'],
    ['final-reviewer', 'heavy'],
    ['final-reviewer-2', 'heavy'],
    ['learner', 'light'],
    ['overseer', 'light'],
    ['somebody', 'standard'],
    ['constructor', 'standard'],
  ])('%s works at %s', (role, tier) => {
    expect(route({ role }).tier).toBe(tier);
  });

  it('gets the first agent, or its own, with the reasons', () => {
    expect(route({})).toEqual({
      agent: 'claude',
      tier: 'standard',
      model: 'claude-sonnet-4-6',
      effort: 'medium',
      reasons: [
        'agent claude: the first that is configured',
        'tier standard: usual for the role developer',
        'model claude-sonnet-4-6: usual for the tier standard',
        'effort medium: usual for the role developer',
      ],
    });
    expect(route({ roles: { developer: 'codex' } })).toMatchObject({ agent: 'codex', model: 'mid' });
    expect(route({ roles: { developer: { agent: 'codex', tier: 'light', effort: 'low' } } })).toEqual({
      agent: 'codex',
      tier: 'light',
      model: 'mini',
      effort: 'low',
      reasons: [
        'agent codex: settings give it the role developer',
        'tier light: settings of the role developer',
        'model mini: settings give it to the tier light',
        'effort low: settings say so',
      ],
    });
  });

  it('has a model of its own before any tier', () => {
    expect(route({ roles: { developer: { model: 'my-model' } } }).model).toBe('my-model');
  });

  it('that debugs goes up when it did not manage', () => {
    expect(route({ role: 'debugger', attempt: 2 }).tier).toBe('heavy');
    expect(route({ role: 'developer', attempt: 2 }).tier).toBe('standard');
  });

  it('cannot be given to an agent that is not there', () => {
    expect(() => route({ roles: { developer: 'nobody' } })).toThrow('there is no agent nobody');
    expect(() => route({ roles: { developer: 'toString' } })).toThrow('there is no agent toString');
    expect(() => route({ agents: {} })).toThrow('no agent is configured');
  });
});

describe('a task', () => {
  it('of documents is light for those who do it, not for those who judge it', () => {
    expect(route({ task: { tag: 'docs' } })).toMatchObject({ tier: 'light', model: 'claude-haiku-4-5-20251001' });
    expect(route({ role: 'planner', task: { tag: 'docs' } }).tier).toBe('heavy');
    expect(route({ task: { tag: 'feature' } }).tier).toBe('standard');
  });

  it('of high risk takes those who decide one tier up, with all effort', () => {
    expect(route({ role: 'planner', task: { risk: 'high' } })).toMatchObject({ tier: 'max', effort: 'max' });
    expect(route({ role: 'architect', task: { risk: 'high' } })).toMatchObject({ tier: 'max', effort: 'max' });
    expect(route({ task: { risk: 'high' } })).toMatchObject({ tier: 'standard' });
    expect(route({ role: 'planner', task: { risk: 'low' } }).tier).toBe('heavy');
  });

  it('that a workflow knows better is worked on as the workflow gives it, after tag, risk and settings', () => {
    const usual = { tier: 'heavy', effort: 'medium' } as const;
    expect(route({ role: 'builder', usual })).toMatchObject({ tier: 'heavy', effort: 'medium' });
    expect(route({ role: 'builder', usual, isWriter: true, task: { tag: 'docs' } }).tier).toBe('light');
    expect(route({ role: 'judge', usual, isWriter: false, task: { tag: 'docs' } }).tier).toBe('heavy');
    expect(route({ role: 'judge', usual, risk: 'High' })).toMatchObject({ tier: 'max', effort: 'max' });
    expect(route({ role: 'judge', usual, roles: { judge: { tier: 'light', effort: 'high' } } })).toMatchObject({
      tier: 'light',
    });
    const agents = { claude: { ...claude, effort: 'xhigh' } };
    expect(route({ role: 'judge', usual, agents }).effort).toBe('xhigh');
  });

  it('says more than its tag, its risk and the settings', () => {
    const roles = { planner: { tier: 'light', effort: 'low' } } as const;
    expect(route({ role: 'planner', roles, task: { tier: 'heavy', risk: 'high', effort: 'high' } })).toMatchObject({
      tier: 'heavy',
      effort: 'high',
    });
    expect(route({ task: { tier: 'heavy', tag: 'docs' } }).tier).toBe('heavy');
  });

  it('with a word that does not exist gets the usual one, and that is recorded', () => {
    const found = route({ task: { tier: 'gigantic', effort: 'banana' } });
    expect([found.tier, found.effort]).toEqual(['standard', 'medium']);
    expect(found.reasons).toContain('tier standard: there is no tier "gigantic"');
    expect(found.reasons).toContain('effort medium: there is no effort "banana"');
  });
});

describe('after trouble', () => {
  it('there is a next tier up to the last', () => {
    expect(tierNames.map(nextTier)).toEqual(['standard', 'heavy', 'max', undefined]);
  });

  it('one tier up has another model or is none', () => {
    const question = { role: 'developer', agents: { codex }, roles: {} };
    const up = tierUp(question, routeWork(question));
    expect(up).toEqual({
      agent: 'codex',
      tier: 'heavy',
      model: 'big',
      reasons: ['tier heavy: the tier below had too little room', 'model big: settings give it to the tier heavy'],
    });
    expect(up && tierUp(question, up)).toBeUndefined();
    const single = { role: 'developer', agents: { only: { model: 'one' } }, roles: {} };
    expect(tierUp(single, routeWork(single))).toBeUndefined();
    const opaque = { role: 'developer', agents: { only: {} }, roles: {} };
    expect(tierUp(opaque, routeWork(opaque))).toBeUndefined();
  });

  it('standard and heavy stand in for each other, where there is another model', () => {
    const question = { role: 'developer', agents: { codex }, roles: {}, task: { effort: 'high' } };
    const first = routeWork(question);
    expect(otherModel(question, first)).toMatchObject({ tier: 'heavy', model: 'big', effort: 'high' });
    const planner = { ...question, role: 'planner' };
    expect(otherModel(planner, routeWork(planner))).toMatchObject({ tier: 'standard', model: 'mid' });
    const single = { role: 'developer', agents: { only: { model: 'one' } }, roles: {} };
    expect(otherModel(single, routeWork(single))).toBeUndefined();
  });

  it('another agent does not get the model of the first', () => {
    const roles = { developer: { agent: 'claude', model: 'opus', tier: 'heavy' } } as const;
    expect(route({ roles, agent: 'codex' })).toMatchObject({ agent: 'codex', tier: 'heavy', model: 'big' });
    expect(route({ roles, agent: 'claude' })).toMatchObject({ agent: 'claude', model: 'opus' });
  });

  it('agents follow each other, each once', () => {
    const agents = {
      a: { next: 'b' },
      b: { next: 'c' },
      c: { next: 'a' },
      d: { next: 'gone' },
      e: { next: 'e' },
      f: {},
    };
    expect(Object.keys(agents).map((name) => fallbackAgents(agents, name))).toEqual([
      ['b', 'c'],
      ['c', 'a'],
      ['a', 'b'],
      [],
      [],
      [],
    ]);
  });
});

it('routes whatever a plan says, the same way each time, with reasons', () => {
  const word = fc.oneof(fc.string(), fc.constantFrom('docs', 'high', 'max', 'light', 'xhigh', '__proto__'));
  const task = fc.record({ tag: word, risk: word, tier: word, effort: word }, { requiredKeys: [] });
  fc.assert(
    fc.property(word, task, fc.dictionary(word, word), (role, given, env) => {
      const found = route({ role, task: given, env });
      expect(tierNames).toContain(found.tier);
      if (found.effort !== undefined) expect(effortNames).toContain(found.effort);
      expect(found.reasons.length).toBeGreaterThanOrEqual(3);
      expect(route({ role, task: given, env })).toEqual(found);
    }),
  );
});
