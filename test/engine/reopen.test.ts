/** A task that was not done is tried again: what goes, what stays, and that no crash on the way changes the end. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Bench, WorkflowResult } from '../../src/engine/bench.ts';
import type { Fact, TaskOutcome } from '../../src/engine/facts.ts';
import { readJournalFile } from '../../src/engine/files/journal-file.ts';
import { ownerOf, planReopening, tasksToRetry } from '../../src/engine/reopen.ts';
import { foldRun } from '../../src/engine/run-state.ts';
import { tempDir } from '../support/temp.ts';
import { base, fakeHost, gate, identity, makeEngine, other, request, task } from './support.ts';

const factsOf = (runs: string): readonly Fact[] => readJournalFile(join(runs, 'r1', 'journal.jsonl')).facts;
const survivor = () => fakeHost(identity(2), new Set([2]));

/** T1 fails while `broken`, T2 and T4 wait for it, T3 has nothing to do with it. */
async function work(bench: Bench): Promise<WorkflowResult> {
  await bench.perform('integration.read', 'before', {});
  const { text } = await bench.ask('approve', { title: 'Go?', freeText: true });
  await bench.record('plan', 'note.recorded', { text: `approved: ${text}` });
  const tasks = [
    task('T1'),
    task('T2', { depends: ['T1'] }),
    task('T3', { writes: ['other'] }),
    task('T4', { depends: ['T2'] }),
  ];
  const outcomes = await bench.schedule(tasks, { limit: 1 }, async ({ id }): Promise<TaskOutcome> => {
    const { commit } = await bench.perform('integration.read', `${id}/base`, { task: id });
    return commit === other
      ? { task: id, status: 'failed', reason: 'broken' }
      : { task: id, status: 'done', reason: '' };
  });
  await bench.record('told', 'note.recorded', { text: 'told' });
  await bench.perform('integration.read', 'final', {});
  const failed = outcomes.filter(({ status }) => status !== 'done');
  return { status: failed.length === 0 ? 'done' : 'failed', output: outcomes.map(({ status }) => status) };
}

/** An engine whose T1 fails as long as `broken` says so; `performed` lists the keys with their tries. */
function setting(runs = join(tempDir(), 'runs')) {
  const at: { broken: boolean | readonly string[]; held: Promise<void> | undefined } = {
    broken: true,
    held: undefined,
  };
  const performed: string[] = [];
  const isBroken = (key: string): boolean =>
    typeof at.broken === 'boolean' ? at.broken && key === 'T1/base' : at.broken.includes(key);
  const read = {
    perform: async (_request: unknown, { key, tryNumber }: { key: string; tryNumber: number }) => {
      performed.push(`${key} ${tryNumber}`);
      await at.held;
      return { commit: isBroken(key) ? other : base, judge: base };
    },
  };
  return { at, performed, engine: makeEngine({ runs, work, read, host: survivor() }) };
}

async function failedRun(runs?: string) {
  const made = setting(runs);
  const handle = await made.engine.start(request());
  await made.engine.signal('r1', { type: 'answer', key: 'approve', answer: { text: 'yes' } });
  expect(await handle.ended).toMatchObject({ status: 'failed', output: ['failed', 'skipped', 'done', 'skipped'] });
  made.performed.length = 0;
  return made;
}

describe('ownerOf', () => {
  it('knows the task a key is of by its beginning, the longest one', () => {
    const owner = (key: string) => ownerOf(key, new Set(['W1', 'W1/T2', 'again/W1']));
    expect(['W1', 'W1/base', 'W1@2/base', 'W1#2', 'W1/T2/base', 'again/W1/x'].map(owner)).toEqual([
      'W1',
      'W1',
      'W1',
      'W1',
      'W1/T2',
      'again/W1',
    ]);
    expect(['W10/base', 'W', 'final', '', 'again'].map(owner)).toEqual(Array(5).fill(undefined));
  });
});

describe('a task that is tried again', () => {
  it('takes what was skipped along and keeps everything else; the run is open again and ends anew', async () => {
    const { engine, at, performed } = await failedRun();
    const before = foldRun(factsOf(engine.runs));
    at.broken = false;
    const handle = await engine.retry('r1', 'T1');
    expect(await handle.ended).toEqual({ status: 'done', reason: '', output: ['done', 'done', 'done', 'done'] });
    expect(performed).toEqual(['T1/base 2', 'T2/base 2', 'T4/base 2', 'final 2']);
    const facts = factsOf(engine.runs);
    expect(facts.find((fact) => fact.type === 'task.reopened')).toMatchObject({
      key: 'T1',
      data: { task: 'T1', generation: 2, tasks: ['T1', 'T2', 'T4'], forgotten: ['T1/base', 'final', 'told'] },
    });
    expect(facts.filter((fact) => fact.type === 'question.asked')).toHaveLength(1);
    const after = foldRun(facts);
    expect(after.effects.get('T3/base')).toEqual(before.effects.get('T3/base'));
    expect(after.status).toBe('done');
    await expect(engine.retry('r1', 'T1')).rejects.toMatchObject({ code: 'bad-input', message: 'T1 is done' });
  });

  it('is tried with everything else that failed, each once', async () => {
    const { engine, at, performed } = setting();
    at.broken = ['T1/base', 'T3/base'];
    const first = await engine.start(request());
    await engine.signal('r1', { type: 'answer', key: 'approve', answer: { text: 'yes' } });
    expect(await first.ended).toMatchObject({ output: ['failed', 'skipped', 'failed', 'skipped'] });
    const failed = tasksToRetry(foldRun(factsOf(engine.runs)));
    expect(failed).toEqual(['T1', 'T3']);
    at.broken = false;
    performed.length = 0;
    const handle = await engine.retry('r1', [...failed, 'T1']);
    expect(await handle.ended).toMatchObject({ status: 'done', output: ['done', 'done', 'done', 'done'] });
    expect(performed.toSorted()).toEqual(['T1/base 2', 'T2/base 2', 'T3/base 2', 'T4/base 2', 'final 3']);
    expect(factsOf(engine.runs).filter(({ type }) => type === 'task.reopened')).toHaveLength(2);
    expect(tasksToRetry(foldRun(factsOf(engine.runs)))).toEqual([]);
    // One that cannot be tried again takes the others with it: nothing is written.
    const before = factsOf(engine.runs).length;
    await expect(engine.retry('r1', ['T1', 'T9'])).rejects.toMatchObject({ code: 'bad-input' });
    expect(factsOf(engine.runs)).toHaveLength(before);
  });

  it('can fail again, and be tried a third time', async () => {
    const { engine, at, performed } = await failedRun();
    expect(await (await engine.retry('r1', 'T1')).ended).toMatchObject({ status: 'failed' });
    at.broken = false;
    performed.length = 0;
    expect(await (await engine.retry('r1', 'T1')).ended).toMatchObject({ status: 'done' });
    expect(performed).toEqual(['T1/base 3', 'T2/base 3', 'T4/base 3', 'final 3']);
  });

  it('ends the same wherever the process dies, and nothing finished in a try is done twice in it', async () => {
    const { engine, at } = await failedRun();
    const first = factsOf(engine.runs).length;
    at.broken = false;
    await (await engine.retry('r1', 'T1')).ended;
    const lines = readFileSync(join(engine.runs, 'r1', 'journal.jsonl'), 'utf8')
      .trimEnd()
      .split('\n');
    for (let cut = first; cut < lines.length; cut += 1) {
      const runs = join(tempDir(), 'runs');
      mkdirSync(join(runs, 'r1'), { recursive: true });
      cpSync(join(engine.runs, 'r1'), join(runs, 'r1'), { recursive: true });
      writeFileSync(join(runs, 'r1', 'journal.jsonl'), `${lines.slice(0, cut).join('\n')}\n`);
      const later = setting(runs);
      later.at.broken = false;
      const reopened = factsOf(runs).some((fact) => fact.type === 'task.reopened');
      const handle = reopened ? await later.engine.resume('r1') : await later.engine.retry('r1', 'T1');
      const end = await handle.ended;
      expect({ cut, end, repeated: repeated(factsOf(runs)) }).toEqual({
        cut,
        end: { status: 'done', reason: '', output: ['done', 'done', 'done', 'done'] },
        repeated: [],
      });
    }
  });

  it('brings a move of a ref that was under way to its end before it forgets it', async () => {
    const landing = gate();
    let lands = 0;
    const receipt = { task: 'I1', declared: [], changed: [], flags: [], leftBehind: [], checks: [] };
    const output = {
      status: 'merged' as const,
      receipt: { ...receipt, before: base, after: other, source: other, base },
    };
    const land = {
      task: 'I1',
      commit: other,
      before: base,
      base,
      source: other,
      declared: [],
      changed: [],
      flags: [],
      leftBehind: [],
      checks: [],
    };
    const landWork = async (bench: Bench): Promise<WorkflowResult> => {
      const [outcome] = await bench.schedule([task('T1')], { limit: 1 }, async ({ id }): Promise<TaskOutcome> => {
        const { commit } = await bench.perform('integration.read', `${id}/base`, {});
        return { task: id, status: commit === base ? 'failed' : 'done', reason: '' };
      });
      if (outcome?.status === 'failed') await bench.perform('merge.land', 'I1/land', land);
      return { status: 'done', output: outcome?.status };
    };
    const first = makeEngine({
      work: landWork,
      kinds: {
        'merge.land': {
          perform: () => {
            landing.open();
            return new Promise(() => {});
          },
        },
      },
    });
    await first.start(request());
    await landing.opened;
    const second = makeEngine({
      runs: first.runs,
      work: landWork,
      host: survivor(),
      kinds: {
        'merge.land': {
          perform: async () => {
            lands += 1;
            return output;
          },
        },
        'integration.read': {
          perform: async (_request, { snapshot }) => ({ commit: snapshot.integration ?? base, judge: base }),
        },
      },
    });
    const handle = await second.retry('r1', 'T1');
    // What this workflow merges was never checked.
    expect(await handle.ended).toMatchObject({ status: 'failed', output: 'done' });
    expect({ lands, integration: handle.state.integration, keys: [...handle.state.effects.keys()] }).toEqual({
      lands: 1,
      integration: other,
      keys: ['T1/base'],
    });
  });

  it('is refused where there is nothing to try again, and then nothing is written', async () => {
    const { engine } = await failedRun();
    const facts = factsOf(engine.runs).length;
    const refusals: unknown[] = [];
    for (const id of ['T2', 'T3', 't1', 'build'])
      refusals.push(await engine.retry('r1', id).catch((error: unknown) => error));
    expect(refusals).toMatchObject([
      {
        message: 'T2 was skipped: depends on T1, which is failed',
        hint: 'Try T1 again: what was skipped is tried with it.',
      },
      { message: 'T3 is done', hint: 'Only a task that failed, was blocked or was skipped can be tried again.' },
      { message: 'There is no task "t1" in this run', hint: 'Did you mean T1?' },
      { message: 'There is no task "build" in this run', hint: 'Known: T1, T2, T4, T3.' },
    ]);
    expect(factsOf(engine.runs)).toHaveLength(facts);
    expect(await engine.read('r1')).toMatchObject({ status: 'failed' });
  });

  it('is refused while the task is under way, by whoever', async () => {
    const begun = gate();
    const stuck = makeEngine({
      work,
      read: {
        perform: (_request, { key }) => {
          if (key === 'before') return Promise.resolve({ commit: base, judge: base });
          begun.open();
          return new Promise(() => {});
        },
      },
    });
    await stuck.start(request());
    await stuck.signal('r1', { type: 'answer', key: 'approve', answer: { text: 'yes' } });
    await begun.opened;
    const neighbour = makeEngine({ runs: stuck.runs, work, host: fakeHost(identity(3), new Set([1, 3])) });
    await expect(neighbour.retry('r1', 'T1')).rejects.toMatchObject({ code: 'lease-held' });
    const { engine } = setting(stuck.runs);
    await expect(engine.retry('r1', 'T1')).rejects.toMatchObject({
      message: 'T1 is not over',
      hint: 'Resume the run; it continues with this task.',
    });
  });

  it('is refused after a cancel', async () => {
    const { engine } = await failedRun();
    const file = join(engine.runs, 'r1', 'journal.jsonl');
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    writeFileSync(file, `${lines.slice(0, -1).join('\n')}\n`);
    await engine.signal('r1', { type: 'cancel' });
    expect(await (await engine.resume('r1')).ended).toMatchObject({ status: 'cancelled' });
    await expect(engine.retry('r1', 'T1')).rejects.toMatchObject({ message: 'The run was cancelled, for good' });
  });

  it('is followed by those who watch, past the end that no longer counts', async () => {
    const { engine, at } = await failedRun();
    await engine.recordRefs('r1', [{ ref: 'refs/heads/main', before: base, after: other }]);
    const watched = async (): Promise<readonly string[]> => {
      const types: string[] = [];
      for await (const fact of engine.watch('r1', new AbortController().signal)) types.push(fact.type);
      return types;
    };
    expect((await watched()).slice(-2)).toEqual(['run.ended', 'ref.moved']);
    const release = gate();
    Object.assign(at, { broken: false, held: release.opened });
    const handle = await engine.retry('r1', 'T1');
    const watching = watched();
    release.open();
    await handle.ended;
    const types = await watching;
    expect(types.filter((type) => type === 'run.ended')).toHaveLength(2);
    expect(types.at(-1)).toBe('run.ended');
  });
});

describe('planReopening', () => {
  it('takes tasks within the task along, and nothing that began before it', async () => {
    const nested = makeEngine({
      work: async (bench) => {
        await bench.perform('integration.read', 'early', {});
        await bench.schedule([task('A')], { limit: 1 }, async ({ id }) => {
          const inner = await bench.schedule([task('x')], { limit: 1, keyPrefix: 'A/' }, async () => {
            await bench.perform('integration.read', 'A/x/base', {});
            return { task: 'x', status: 'done', reason: '' };
          });
          return { task: id, status: 'failed', reason: String(inner.length) };
        });
        return { status: 'failed' };
      },
    });
    const handle = await nested.start(request());
    await handle.ended;
    expect(planReopening(handle.state, 'A')).toEqual({
      key: 'A',
      data: { task: 'A', generation: 2, tasks: ['A', 'A/x'], forgotten: ['A/x/base'], steps: [], unscheduled: [] },
    });
  });
});

/** Finished keys that were started or finished again without having been forgotten. */
function repeated(facts: readonly Fact[]): readonly string[] {
  const finished = new Set<string>();
  return facts.flatMap((fact) => {
    if (fact.type === 'task.reopened') for (const key of fact.data.forgotten) finished.delete(key);
    if (fact.type !== 'effect.started' && fact.type !== 'effect.finished') return [];
    if (finished.has(fact.key)) return [fact.key];
    if (fact.type === 'effect.finished') finished.add(fact.key);
    return [];
  });
}
