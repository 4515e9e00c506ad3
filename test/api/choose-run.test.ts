/** Which run a person means. */
import { describe, expect, it } from 'vitest';
import {
  chooseRun,
  hasMovedBranch,
  isRecent,
  isResumable,
  lacksOnlyItsEnd,
  newestFirst,
  type WantedRun,
} from '../../src/api/choose-run.ts';
import type { ListedStatus, RunListing, RunSummary } from '../../src/engine/engine.ts';
import { type EffectRecord, emptyState, type RunState } from '../../src/engine/run-state.ts';
import { emptySummary } from '../../src/engine/run-summary.ts';
import type { ForgeError } from '../../src/errors.ts';

const listing = (run: string, status: ListedStatus, updatedAt = ''): RunSummary => ({
  ...emptySummary(),
  run,
  status,
  standing: '',
  updatedAt,
  problem: undefined,
});
const runs = [
  listing('add-login-a1', 'done', '2026-03-05T10:00:00Z'),
  listing('add-login-b2', 'paused', '2026-03-01T10:00:00Z'),
  listing('fix-menu-c3', 'running', '2026-03-04T10:00:00Z'),
  listing('fix-tabs-d4', 'limited', '2026-03-03T10:00:00Z'),
  listing('torn', 'unreadable'),
];
const choose = (run: string | undefined) => chooseRun(runs, { run, what: 'to resume', fits: isResumable }).run;

describe('chooseRun', () => {
  it('takes a name, the beginning or the end of one', () => {
    expect(choose('add-login-a1')).toBe('add-login-a1');
    expect(choose('fix-m')).toBe('fix-menu-c3');
    expect(choose('b2')).toBe('add-login-b2');
    expect(choose('login-b2')).toBe('add-login-b2');
    const exact = [...runs, listing('add-login', 'done')];
    expect(chooseRun(exact, { run: 'add-login', what: '', fits: () => true }).run).toBe('add-login');
  });

  it('takes the newest run that fits when none is named', () => {
    expect(choose(undefined)).toBe('fix-tabs-d4');
    expect(chooseRun(runs, { run: undefined, what: 'here', fits: () => true }).run).toBe('add-login-a1');
    expect(newestFirst(runs).map(({ run }) => run)).toEqual([
      'add-login-a1',
      'fix-menu-c3',
      'fix-tabs-d4',
      'add-login-b2',
      'torn',
    ]);
  });

  it('says what there is when that is not enough', () => {
    expect(() => choose('add')).toThrow('"add" could be any of 2 runs');
    // The beginning of one and the end of another.
    const mixed = [listing('ab-x', 'done'), listing('y-ab', 'done')];
    expect(() => chooseRun(mixed, { run: 'ab', what: '', fits: () => true })).toThrow('"ab" could be any of 2 runs');
    expect(() => choose('')).toThrow('There is no run ""');
    expect(() => choose('fix-menu-c4')).toThrow('There is no run "fix-menu-c4"');
    expect(() => chooseRun([], { run: undefined, what: 'here', fits: () => true })).toThrow('There is no run here');
    expect(refusal({ run: 'fix-menu-c4', what: '', fits: () => true }).hint).toBe('Did you mean fix-menu-c3?');
    expect(refusal({ run: undefined, what: 'that asks something', fits: () => false })).toMatchObject({
      code: 'unknown-run',
      hint: 'Runs of this repository: add-login-a1, fix-menu-c3, fix-tabs-d4, add-login-b2, torn.',
    });
  });

  it('takes nothing for granted where something would be destroyed', () => {
    const wanted = { run: undefined, what: 'that is not over', fits: isResumable, mustBeNamed: true } as const;
    expect(refusal(wanted)).toMatchObject({
      code: 'bad-input',
      hint: 'Runs that are not over: fix-tabs-d4, add-login-b2.',
    });
    expect(chooseRun(runs, { ...wanted, run: 'b2' }).run).toBe('add-login-b2');
  });
});

function refusal(wanted: WantedRun): ForgeError {
  try {
    chooseRun(runs, wanted);
  } catch (error) {
    return error as ForgeError;
  }
  throw new Error('it was not refused');
}

describe('hasMovedBranch', () => {
  const moved = (...refs: RunState['refs']) => hasMovedBranch({ ...listing('a', 'done'), refs });

  it('is true while a branch is not back where it was', () => {
    const there = { ref: 'refs/heads/main', before: 'a', after: 'b' };
    const back = { ref: 'refs/heads/main', before: 'b', after: 'a' };
    const made = { ref: 'refs/heads/forge/x', before: undefined, after: 'b' };
    const gone = { ref: 'refs/heads/forge/x', before: 'b', after: undefined };
    expect([moved(), moved(there), moved(there, back), moved(there, back, there)]).toEqual([false, true, false, true]);
    expect([moved(made), moved(made, gone), moved(made, there, back)]).toEqual([true, false, true]);
    expect(hasMovedBranch(listing('a', 'unreadable'))).toBe(false);
  });
});

describe('isRecent', () => {
  const last = (updatedAt: string) => listing('a', 'paused', updatedAt);
  const now = Date.parse('2026-03-02T10:00:00Z');

  it('is within a day, and never for a run that cannot be read', () => {
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
    const state = { ...emptyState(), created, ...more };
    for (const [key, record] of Object.entries(effects)) state.effects.set(key, record);
    return { run: 'r', status: 'interrupted', state, problem: undefined };
  };
  const plan = { objective: '', techStack: {}, tasks: [], decisions: [], risks: [] };

  it('is true of a run with nothing left to do', () => {
    expect(lacksOnlyItsEnd(run({ final: effect({ commit: 'x' }), publish: effect({ ref: 'r' }) }))).toBe(true);
    expect(lacksOnlyItsEnd(run({ final: effect({ commit: 'base' }) }))).toBe(true);
  });

  it('is false of everything else', () => {
    const whole = { final: effect({ commit: 'x' }), publish: effect({ ref: 'r' }) };
    expect(lacksOnlyItsEnd({ ...run(whole), status: 'stopped' })).toBe(false);
    expect(lacksOnlyItsEnd({ run: 'r', status: 'interrupted', state: undefined, problem: '' })).toBe(false);
    expect(lacksOnlyItsEnd(run({ ...whole, publish: effect() }))).toBe(false);
    expect(lacksOnlyItsEnd(run({ final: effect({ commit: 'x' }) }))).toBe(false);
    expect(lacksOnlyItsEnd(run({ 'plan#1': effect({}) }, { plan }))).toBe(false);
    expect(lacksOnlyItsEnd(run({ 'plan#1': effect({}) }, { plan }, { planOnly: true }))).toBe(false);
    const { state, ...other } = run(whole);
    const created = state?.created && { ...state.created, workflow: 'mine' };
    expect(lacksOnlyItsEnd({ ...other, state: state && { ...state, created } })).toBe(false);
  });
});
