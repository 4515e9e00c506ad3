/** Which run a person means. */
import { describe, expect, it } from 'vitest';
import { chooseRun, isRecent, isResumable, lacksOnlyItsEnd } from '../../src/api/choose-run.ts';
import type { ListedStatus, RunListing } from '../../src/engine/engine.ts';
import { type EffectRecord, emptyState, type RunState } from '../../src/engine/run-state.ts';

const listing = (run: string, status: ListedStatus): RunListing => ({
  run,
  status,
  directory: `/runs/${run}`,
  state: undefined,
  problem: undefined,
});
const runs = [listing('add-login-a1', 'done'), listing('add-login-b2', 'paused'), listing('fix-menu-c3', 'running')];
const choose = (run: string | undefined) => chooseRun(runs, { run, what: 'to resume', fits: isResumable }).run;

describe('chooseRun', () => {
  it('takes a name, the beginning of one, or the only candidate', () => {
    expect(choose('add-login-a1')).toBe('add-login-a1');
    expect(choose('fix')).toBe('fix-menu-c3');
    expect(choose(undefined)).toBe('add-login-b2');
    expect(
      chooseRun([...runs, listing('add-login', 'done')], { run: 'add-login', what: '', fits: () => true }).run,
    ).toBe('add-login');
  });

  it('says what there is when that is not enough', () => {
    expect(() => choose('add')).toThrow('"add" is the beginning of 2 runs');
    expect(() => choose('')).toThrow('There is no run ""');
    expect(() => choose('fix-menu-c4')).toThrow('There is no run "fix-menu-c4"');
    expect(() => chooseRun(runs, { run: undefined, what: 'here', fits: () => true })).toThrow('There are 3 runs here');
    expect(() => chooseRun(runs, { run: undefined, what: 'that is not over', fits: () => true })).toThrow(
      'There are 3 runs that are not over',
    );
    expect(() => chooseRun([], { run: undefined, what: 'here', fits: () => true })).toThrow('There is no run here');
  });
});

describe('isRecent', () => {
  const last = (updatedAt: string) => ({ ...listing('a', 'paused'), state: { ...emptyState(), updatedAt } });
  const now = Date.parse('2026-03-02T10:00:00Z');

  it('is within a day, and never for a run that can not be read', () => {
    const times = ['2026-03-02T09:59:59.000Z', '2026-03-01T10:00:00.001Z', '2026-03-01T10:00:00.000Z', ''];
    expect(times.map((at) => isRecent(last(at), now))).toEqual([true, true, false, false]);
    expect(isRecent(listing('a', 'unreadable'), now)).toBe(false);
  });
});

describe('lacksOnlyItsEnd', () => {
  const effect = (output?: unknown): EffectRecord => ({
    kind: 'integration.read',
    startedSeq: 1,
    generation: 1,
    identity: {},
    input: {},
    attempts: 1,
    open: undefined,
    session: undefined,
    interruptions: 0,
    result: output === undefined ? undefined : { output },
  });
  const run = (effects: Record<string, EffectRecord>, more: Partial<RunState> = {}, input: object = {}): RunListing => {
    const named = { run: 'r', title: '', workflow: 'waves', workflowVersion: 1, base: 'base', root: '/', forge: '0' };
    const created = { ...named, input: input as unknown as null, settings: null };
    const state = { ...emptyState(), created, ...more, effects: new Map(Object.entries(effects)) };
    return { ...listing('r', 'interrupted'), state };
  };
  const plan = { objective: '', techStack: {}, tasks: [], decisions: [], risks: [] };

  it('is true of a run with nothing left to do', () => {
    expect(lacksOnlyItsEnd(run({ final: effect({ commit: 'x' }), publish: effect({ ref: 'r' }) }))).toBe(true);
    expect(lacksOnlyItsEnd(run({ final: effect({ commit: 'base' }) }))).toBe(true);
  });

  it('is false of everything else', () => {
    const whole = { final: effect({ commit: 'x' }), publish: effect({ ref: 'r' }) };
    expect(lacksOnlyItsEnd({ ...run(whole), status: 'stopped' })).toBe(false);
    expect(lacksOnlyItsEnd(listing('r', 'interrupted'))).toBe(false);
    expect(lacksOnlyItsEnd(run({ ...whole, publish: effect() }))).toBe(false);
    expect(lacksOnlyItsEnd(run({ final: effect({ commit: 'x' }) }))).toBe(false);
    expect(lacksOnlyItsEnd(run({ 'plan#1': effect({}) }, { plan }))).toBe(false);
    expect(lacksOnlyItsEnd(run({ 'plan#1': effect({}) }, { plan }, { planOnly: true }))).toBe(false);
    const { state, ...other } = run(whole);
    const created = state?.created && { ...state.created, workflow: 'mine' };
    expect(lacksOnlyItsEnd({ ...other, state: state && { ...state, created } })).toBe(false);
  });
});
