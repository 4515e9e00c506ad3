/** Where the integration head may stand when a merge lands, and what that means. */
import { describe, expect, it } from 'vitest';
import { mergeLand } from '../../src/effects/merge-land.ts';
import type { EffectDeps } from '../../src/effects/deps.ts';
import type { EffectRequest } from '../../src/engine/effect-map.ts';
import type { EffectContext } from '../../src/engine/performer.ts';
import { takeSnapshot } from '../../src/engine/run-snapshot.ts';
import { emptyState } from '../../src/engine/run-state.ts';
import { makeRepo } from '../git/support.ts';

const ref = 'refs/forge/r1/integration';

async function setting() {
  const user = makeRepo();
  const repo = await user.open();
  const base = repo.head;
  const commitOn = (parent: string, name: string): string =>
    user.git('commit-tree', `${parent}^{tree}`, '-p', parent, '-m', name);
  const state = emptyState();
  const land = (commit: string, before: string) => {
    const request = {
      task: 'T1',
      commit,
      before,
      base,
      source: commit,
      declared: [],
      changed: [],
      flags: [],
      leftBehind: [],
      checks: [],
    } satisfies EffectRequest<'merge.land'>;
    const snapshot = takeSnapshot(state, 'merge.land', request);
    const context = { run: { id: 'r1', base }, snapshot } as unknown as EffectContext;
    return mergeLand({ repo } as EffectDeps).perform(request, context);
  };
  const began = (key: string, commit: string): void => {
    const open = { attempt: 1, processes: [] };
    const record = {
      kind: 'merge.land',
      startedSeq: 1,
      generation: 1,
      identity: {},
      input: { commit },
      attempts: 1,
      open,
    };
    state.effects.set(key, { ...record, session: undefined, interruptions: 0, result: undefined });
  };
  return { user, base, state, commitOn, land, began };
}

describe('merge.land', () => {
  it('moves the head, and says so again when only the fact was missing', async () => {
    const { user, base, commitOn, land } = await setting();
    const ours = commitOn(base, 'ours');
    expect(await land(ours, base)).toMatchObject({ status: 'merged', receipt: { before: base, after: ours } });
    expect(await land(ours, base)).toMatchObject({ status: 'merged', receipt: { before: base, after: ours } });
    expect(user.git('rev-parse', ref)).toBe(ours);
  });

  it('is stale when another task of the run has landed, even if that is not a fact yet', async () => {
    const { user, base, commitOn, land, began } = await setting();
    const theirs = commitOn(base, 'theirs');
    began('T2/integrate#1/land', theirs);
    user.git('update-ref', ref, theirs);
    expect(await land(commitOn(base, 'ours'), base)).toEqual({ status: 'stale', head: theirs });
    expect(user.git('rev-parse', ref)).toBe(theirs);
  });

  it('stops when somebody else has moved the head: trying again would never end', async () => {
    const { user, base, commitOn, land } = await setting();
    user.git('update-ref', ref, commitOn(base, 'stranger'));
    await expect(land(commitOn(base, 'ours'), base)).rejects.toMatchObject({ code: 'ref-moved' });
  });

  it('makes a head again that somebody removed: other refs keep what was merged', async () => {
    const { user, base, state, commitOn, land } = await setting();
    const ours = commitOn(base, 'ours');
    state.integration = ours;
    const more = commitOn(ours, 'more');
    expect(await land(more, ours)).toMatchObject({ status: 'merged', receipt: { after: more } });
    expect(user.git('rev-parse', ref)).toBe(more);
  });
});
