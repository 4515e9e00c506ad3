import { describe, expect, it } from 'vitest';
import type { Bench } from '../../../src/engine/bench.ts';
import type { Task } from '../../../src/plan/plan.ts';
import { runInOrder } from '../../../src/workflows/waves/wave-order.ts';
import { commit, outputOf, type Played, play, task } from '../moves/support.ts';

/** Every wave reads the head, then asks if it is to, then reads it again; waves named so fail. */
function run(
  waves: readonly Task[],
  { asks = [], fails = [], options = {} }: { asks?: string[]; fails?: string[]; options?: Record<string, string> },
): Promise<Played> {
  const seen: Record<string, readonly string[]> = {};
  const work = async (bench: Bench, { id }: Task, before: readonly { task: string }[]) => {
    seen[id] = before.map((one) => one.task);
    await bench.perform('integration.read', `${id}/base`, { task: id });
    if (asks.includes(id)) await bench.ask(`${id}/scope`, { title: id, options: [{ id: 'yes', label: 'Yes' }] });
    await bench.perform('integration.read', `${id}/after`, { task: id });
    const status = fails.includes(id) ? ('failed' as const) : ('done' as const);
    return { task: id, status, reason: '' };
  };
  const head = { commit: commit(1), judge: commit(1) };
  return play(
    async (bench) => ({ outcomes: await runInOrder(bench, waves, work), seen }),
    { 'integration.read': () => head },
    options,
  );
}

const keys = ({ asked }: Played): string[] => asked.map(({ key }) => key);
const done = (id: string) => ({ task: id, status: 'done', reason: '' });
const three = [task('W1'), task('W2'), task('W3')];

describe('waves in order', () => {
  it('come one after the other, and know what is over', async () => {
    const played = await run(three, {});
    expect(keys(played)).toEqual(['W1/base', 'W1/after', 'W2/base', 'W2/after', 'W3/base', 'W3/after']);
    expect(outputOf(played)).toEqual({
      outcomes: [done('W1'), done('W2'), done('W3')],
      seen: { W1: [], W2: ['W1'], W3: ['W1', 'W2'] },
    });
  });

  it('skip what depends on one that was not done, and what depends on that', async () => {
    const chain = [task('W1'), task('W2', { depends: ['W1'] }), task('W3', { depends: ['W2'] }), task('W4')];
    const played = await run(chain, { fails: ['W1'] });
    expect(keys(played)).toEqual(['W1/base', 'W1/after', 'W4/base', 'W4/after']);
    expect(outputOf(played)).toMatchObject({
      outcomes: [
        { task: 'W1', status: 'failed' },
        { task: 'W2', status: 'skipped', reason: 'depends on W1, which is failed' },
        { task: 'W3', status: 'skipped', reason: 'depends on W2, which is skipped' },
        done('W4'),
      ],
    });
  });

  it('go on past one that waits for a person, but for what needs it; the answer finishes it', async () => {
    const waves = [task('W1'), task('W2', { depends: ['W1'] }), task('W3')];
    const waiting = await run(waves, { asks: ['W1'] });
    expect(waiting.end).toEqual({ status: 'waiting', reason: 'W1/scope' });
    expect(keys(waiting)).toEqual(['W1/base', 'W3/base', 'W3/after']);
    const answered = await run(waves, { asks: ['W1'], options: { 'W1/scope': 'yes' } });
    expect(keys(answered)).toEqual(['W1/base', 'W3/base', 'W3/after', 'W1/after', 'W2/base', 'W2/after']);
    expect(outputOf(answered)).toMatchObject({ outcomes: [done('W1'), done('W2'), done('W3')] });
  });

  it('wait together when all of them ask', async () => {
    const waiting = await run(three, { asks: ['W1', 'W2', 'W3'] });
    expect(waiting.end).toEqual({ status: 'waiting', reason: 'W1/scope, W2/scope, W3/scope' });
  });

  it('pass on what a wave throws after it was parked, and never end as done without it', async () => {
    const work = async (bench: Bench, { id }: Task) => {
      if (id === 'W1') {
        await bench.ask('W1/scope', { title: 'W1', options: [{ id: 'yes', label: 'Yes' }] });
        throw new Error('lost after the park');
      }
      await bench.perform('integration.read', `${id}/base`, { task: id });
      return { task: id, status: 'done' as const, reason: '' };
    };
    const waves = [task('W1'), task('W2'), task('W3', { depends: ['W1'] })];
    const head = { commit: commit(1), judge: commit(1) };
    const played = await play(
      (bench) => runInOrder(bench, waves, work),
      { 'integration.read': () => head },
      { 'W1/scope': 'yes' },
    );
    expect(played.end).toMatchObject({ status: 'stopped', reason: 'lost after the park' });
  });

  it('refuse waves that wait for each other', async () => {
    const ring = [task('W1', { depends: ['W2'] }), task('W2', { depends: ['W1'] })];
    const { end } = await run(ring, {});
    expect(end).toMatchObject({ status: 'stopped', error: { code: 'bad-plan' } });
  });
});
