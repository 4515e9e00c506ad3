import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Bench, WorkflowResult } from '../../src/engine/bench.ts';
import type { Fact } from '../../src/engine/facts.ts';
import { readJournalFile } from '../../src/engine/files/journal-file.ts';
import type { Performer } from '../../src/engine/performer.ts';
import { ForgeError } from '../../src/errors.ts';
import { base, fakeHost, identity, makeEngine, other, request } from './support.ts';

type Read = Performer<'integration.read'>;

const done = (output?: unknown): WorkflowResult => ({ status: 'done', output });
const factsOf = (runs: string, run = 'r1'): readonly Fact[] => readJournalFile(join(runs, run, 'journal.jsonl')).facts;
const typesOf = (runs: string): string[] => factsOf(runs).map((fact) => `${fact.type} ${fact.key}`.trim());

/** Starts a run whose process "dies": the work never ends and the run is abandoned as it is. */
async function abandon(engine: ReturnType<typeof makeEngine>, reached: Promise<void>): Promise<void> {
  await engine.start(request());
  await reached;
}

describe('keyed effects', () => {
  it('records the attempt before and the output after, and ends the run', async () => {
    const engine = makeEngine({
      work: async (bench) => done(await bench.perform('integration.read', 'T1/base', { task: 'T1' })),
    });
    const { ended } = await engine.start(request());
    expect(await ended).toEqual({ status: 'done', reason: '', output: { commit: base, judge: base } });
    expect(typesOf(engine.runs)).toEqual([
      'run.created',
      'run.opened',
      'effect.started T1/base',
      'effect.finished T1/base',
      'run.ended',
    ]);
  });

  it('answers a finished key from the journal and never performs it again', async () => {
    let performed = 0;
    let dies = true;
    const read: Read = {
      perform: async (_request, context) => {
        performed += 1;
        if (context.key === 'b' && dies) return new Promise(() => {});
        return { commit: context.key === 'a' ? base : other, judge: base };
      },
    };
    const work = async (bench: Bench): Promise<WorkflowResult> => {
      const a = await bench.perform('integration.read', 'a', {});
      const b = await bench.perform('integration.read', 'b', {});
      return done([a.commit, b.commit]);
    };
    let begun: (() => void) | undefined;
    const reached = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const first = makeEngine({
      work,
      read: {
        perform: async (r, c) => {
          if (c.key === 'b') {
            c.progress({ process: identity(77) });
            begun?.();
          }
          return read.perform(r, c);
        },
      },
    });
    await abandon(first, reached);
    dies = false;
    const host = fakeHost(identity(2), new Set([2]));
    const second = makeEngine({ runs: first.runs, work, read, host });
    expect((await second.list()).map(({ run, status }) => ({ run, status }))).toEqual([
      { run: 'r1', status: 'interrupted' },
    ]);
    const { ended } = await second.resume('r1');
    expect(await ended).toMatchObject({ status: 'done', output: [base, other] });
    expect(performed).toBe(3);
    expect(host.stopped).toEqual([77]);
    expect(typesOf(first.runs).slice(4)).toEqual([
      'effect.started b',
      'effect.progressed b',
      'run.opened',
      'effect.interrupted b',
      'effect.started b',
      'effect.finished b',
      'run.ended',
    ]);
  });

  it('asks a kind that can look whether the cut-off attempt had been done', async () => {
    const work = async (bench: Bench) => done((await bench.perform('integration.read', 'a', {})).commit);
    let begun: (() => void) | undefined;
    const reached = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const first = makeEngine({
      work,
      read: {
        perform: () => {
          begun?.();
          return new Promise(() => {});
        },
      },
    });
    await abandon(first, reached);
    const second = makeEngine({
      runs: first.runs,
      work,
      host: fakeHost(identity(2), new Set([2])),
      read: {
        perform: () => Promise.reject(new Error('must look, not act')),
        recover: async () => ({ commit: other, judge: base }),
      },
    });
    expect(await (await second.resume('r1')).ended).toMatchObject({ status: 'done', output: other });
  });

  it('stops as replay-diverged when a key is asked for other work, and resumes when asked for the same', async () => {
    let task = 'T1';
    let commit = base;
    const work = async (bench: Bench) => {
      await bench.perform('integration.read', 'a', { task });
      await bench.ask('go on?', { title: 'Go on?', freeText: true });
      return done(commit);
    };
    const engine = makeEngine({ work });
    expect(await (await engine.start(request(), { whenWaiting: 'leave' })).ended).toEqual({
      status: 'waiting',
      reason: 'go on?',
    });
    task = 'T2';
    const diverged = await (await engine.resume('r1', { whenWaiting: 'leave' })).ended;
    expect(diverged).toMatchObject({ status: 'stopped', error: { code: 'replay-diverged' } });
    expect((await engine.read('r1')).state).toMatchObject({ status: 'stopped', code: 'replay-diverged' });
    task = 'T1';
    commit = other;
    await engine.signal('r1', { type: 'answer', key: 'go on?', answer: { text: 'yes' } });
    expect(await (await engine.resume('r1')).ended).toMatchObject({ status: 'done', output: other });
  });

  it('refuses a key used twice even if the workflow would catch it', async () => {
    const engine = makeEngine({
      work: async (bench) => {
        await bench.perform('integration.read', 'a', {});
        await bench.perform('integration.read', 'a', {}).catch(() => {});
        return done();
      },
    });
    const end = await (await engine.start(request())).ended;
    expect(end).toMatchObject({ status: 'stopped', error: { code: 'effect-key-reused' } });
  });

  it('stops on a failure of the environment, and tries again with the recorded input on resume', async () => {
    let fails = true;
    const seen: unknown[] = [];
    const engine = makeEngine({
      work: async (bench) => done((await bench.perform('integration.read', 'a', { task: 'T1' })).commit),
      read: {
        perform: async (input, context) => {
          seen.push([input, context.attempt, context.earlier.interruptions]);
          if (fails) throw new ForgeError('git-failed', 'disk on fire', { hint: 'put it out' });
          return { commit: base, judge: base };
        },
      },
    });
    expect(await (await engine.start(request())).ended).toMatchObject({ status: 'stopped', reason: 'disk on fire' });
    fails = false;
    expect(await (await engine.resume('r1')).ended).toMatchObject({ status: 'done' });
    expect(seen).toEqual([
      [{ task: 'T1' }, 1, 0],
      [{ task: 'T1' }, 2, 1],
    ]);
  });

  it('pauses without giving the workflow a result, and cancels for good', async () => {
    let release: (() => void) | undefined;
    let started: (() => void) | undefined;
    let results = 0;
    let begun = new Promise<void>((resolve) => {
      started = resolve;
    });
    const engine = makeEngine({
      work: async (bench) => {
        await bench.perform('integration.read', 'a', {}).catch(() => {});
        results += 1;
        return done();
      },
      read: {
        perform: (_input, { signal }) =>
          new Promise((resolve, reject) => {
            release = () => resolve({ commit: base, judge: base });
            signal.addEventListener('abort', () => reject(signal.reason as Error));
            started?.();
          }),
      },
    });
    const handle = await engine.start(request());
    await begun;
    await engine.signal('r1', { type: 'pause', reason: 'lunch' });
    expect(await handle.ended).toEqual({ status: 'paused', reason: 'lunch' });
    expect(results).toBe(0);
    expect((await engine.read('r1')).status).toBe('paused');

    begun = new Promise((resolve) => {
      started = resolve;
    });
    const again = await engine.resume('r1');
    await begun;
    await engine.signal('r1', { type: 'cancel', reason: 'enough' });
    expect(await again.ended).toEqual({ status: 'cancelled', reason: 'enough', output: undefined });
    release?.();
    expect(results).toBe(0);
    expect(await (await engine.resume('r1')).ended).toMatchObject({ status: 'cancelled' });
  });
});

describe('questions and the inbox', () => {
  const asking = (bench: Bench): Promise<WorkflowResult> =>
    bench
      .ask('colour', {
        title: 'Which?',
        options: [
          { id: 'red', label: 'Red' },
          { id: 'blue', label: 'Blue', recommended: true },
        ],
      })
      .then((answer) => done(answer.option));

  it('keeps an answer that was posted before anyone asked', async () => {
    const runs = makeEngine({ work: asking }).runs;
    const engine = makeEngine({
      runs,
      work: async (bench) => {
        await bench.ask('first', { title: 'First?' });
        return asking(bench);
      },
    });
    expect(await (await engine.start(request(), { whenWaiting: 'leave' })).ended).toMatchObject({ status: 'waiting' });
    await engine.signal('r1', { type: 'answer', key: 'colour', answer: { option: 'red' } });
    await engine.signal('r1', { type: 'answer', key: 'first', answer: { text: 'ok' } });
    expect(await (await engine.resume('r1', { whenWaiting: 'leave' })).ended).toMatchObject({
      status: 'done',
      output: 'red',
    });
  });

  it('refuses an answer that does not fit, says why, and goes on waiting', async () => {
    const engine = makeEngine({ work: asking });
    const handle = await engine.start(request());
    await engine.signal('r1', { type: 'answer', key: 'colour', answer: { option: 'green' } });
    await engine.signal('r1', { type: 'answer', key: 'colour', answer: { text: 'any' } });
    await engine.signal('r1', { type: 'answer', key: 'colour', answer: { option: 'blue' } });
    expect(await handle.ended).toMatchObject({ status: 'done', output: 'blue' });
    const refused = factsOf(engine.runs).flatMap((fact) =>
      fact.type === 'signal.received' ? [fact.data.refused] : [],
    );
    expect(refused).toEqual([
      'there is no option "green"; options are: red, blue',
      'free text is not taken here; choose an option',
      undefined,
    ]);
    expect(readdirSync(join(engine.runs, 'r1', 'inbox'))).toEqual([]);
  });

  it('sets a message that cannot be read aside, and does not lose it', async () => {
    const engine = makeEngine({ work: asking });
    mkdirSync(join(engine.runs, 'r1x'), { recursive: true });
    const handle = await engine.start(request());
    writeFileSync(join(engine.runs, 'r1', 'inbox', 'id-0.json'), '{"type":"shrug"}');
    await engine.signal('r1', { type: 'answer', key: 'colour', answer: { option: 'red' } });
    expect(await handle.ended).toMatchObject({ output: 'red' });
    expect(existsSync(join(engine.runs, 'r1', 'inbox', 'id-0.json.bad'))).toBe(true);
  });

  it('watches a run from its first fact to its end', async () => {
    const engine = makeEngine({ work: asking });
    const handle = await engine.start(request());
    const seen: string[] = [];
    for await (const fact of engine.watch('r1', new AbortController().signal)) {
      seen.push(fact.type);
      if (fact.type === 'question.asked')
        await engine.signal('r1', { type: 'answer', key: 'colour', answer: { option: 'red' } });
    }
    await handle.ended;
    expect(seen).toEqual([
      'run.created',
      'run.opened',
      'question.asked',
      'signal.received',
      'question.answered',
      'run.ended',
    ]);
  });

  it('moves the journal when it is taken from another host, so that the old holder cannot write', async () => {
    const far = makeEngine({ work: asking, host: fakeHost(identity(9, 'far')) });
    const old = await far.start(request());
    const here = makeEngine({ runs: far.runs, work: asking });
    await expect(here.resume('r1')).rejects.toThrow(/on host far/);
    const ours = await here.resume('r1', { takeOver: true, whenWaiting: 'leave' });
    expect(await ours.ended).toMatchObject({ status: 'waiting' });
    const before = factsOf(far.runs);
    old.pause('waking up');
    expect(await old.ended).toMatchObject({ status: 'stopped', error: { code: 'lease-lost' } });
    expect(factsOf(far.runs)).toEqual(before);
    await here.signal('r1', { type: 'answer', key: 'colour', answer: { option: 'red' } });
    expect(await (await here.resume('r1')).ended).toMatchObject({ status: 'done', output: 'red' });
  });

  it('refuses a second start, an unknown run and a name that leaves the folder', async () => {
    const engine = makeEngine({ work: async () => done() });
    await (await engine.start(request())).ended;
    await expect(engine.start(request())).rejects.toMatchObject({ code: 'run-exists' });
    await expect(engine.resume('nope')).rejects.toMatchObject({ code: 'unknown-run' });
    await expect(engine.resume('../r1')).rejects.toMatchObject({ code: 'bad-input' });
  });
});
