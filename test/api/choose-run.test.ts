/** Which run a person means. */
import { describe, expect, it } from 'vitest';
import { chooseRun, isResumable } from '../../src/api/choose-run.ts';
import type { ListedStatus, RunListing } from '../../src/engine/engine.ts';

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
    expect(() => chooseRun([], { run: undefined, what: 'here', fits: () => true })).toThrow('There is no run here');
  });
});
