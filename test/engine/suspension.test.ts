/** What may happen while a run stops, waits or comes back: nothing starts, nothing hangs, nothing is forgotten. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Bench, WorkflowResult } from '../../src/engine/bench.ts';
import type { Fact } from '../../src/engine/facts.ts';
import { postMessage } from '../../src/engine/files/inbox.ts';
import { readJournalFile } from '../../src/engine/files/journal-file.ts';
import type { Performer } from '../../src/engine/performer.ts';
import { foldRun } from '../../src/engine/run-state.ts';
import { countingClock } from '../support/clock.ts';
import { tempDir } from '../support/temp.ts';
import { base, fakeHost, gate, identity, makeEngine, request } from './support.ts';

/** Children are plain JavaScript: `npm test` compiles the tests first. */
const stayingHost = resolve(import.meta.dirname, '../../.build/test/engine/staying-host.js');

type Read = Performer<'integration.read'>;
type Engine = ReturnType<typeof makeEngine>;

const done = (output?: unknown): WorkflowResult => ({ status: 'done', output });
const factsOf = ({ runs }: Engine): readonly Fact[] => readJournalFile(join(runs, 'r1', 'journal.jsonl')).facts;
const typesOf = (engine: Engine): string[] => factsOf(engine).map((fact) => `${fact.type} ${fact.key}`.trim());
const reading = async (bench: Bench): Promise<WorkflowResult> =>
  done((await bench.perform('integration.read', 'a', {})).commit);
const survivor = () => fakeHost(identity(2), new Set([2]));

/** An effect that never ends, of a process that is abandoned as it is. */
async function abandonInEffect(work: (bench: Bench) => Promise<WorkflowResult>, process = identity(77)) {
  const begun = gate();
  const engine = makeEngine({
    work,
    read: {
      perform: (_request, context) => {
        context.progress({ process });
        begun.open();
        return new Promise(() => {});
      },
    },
  });
  await engine.start(request());
  await begun.opened;
  return engine;
}

describe('suspension', () => {
  it('starts nothing when it is paused while orphans are being stopped', async () => {
    const first = await abandonInEffect(reading);
    const stopping = gate();
    const stopped = gate();
    const host = { ...survivor(), stop: () => (stopping.open(), stopped.opened) };
    let performed = 0;
    const read: Read = {
      perform: async () => {
        performed += 1;
        return { commit: base, judge: base };
      },
    };
    const second = makeEngine({ runs: first.runs, work: reading, host, read });
    const handle = await second.resume('r1');
    await stopping.opened;
    handle.pause('wait');
    stopped.open();
    expect(await handle.ended).toEqual({ status: 'paused', reason: 'wait' });
    expect({ performed, types: typesOf(first).slice(4) }).toEqual({
      performed: 0,
      types: ['run.opened', 'effect.interrupted a', 'run.suspended'],
    });
    expect(await (await second.resume('r1')).ended).toMatchObject({ status: 'done', output: base });
  });

  it('stops the orphans of every cut-off attempt before anything runs, and also when the run was cancelled meanwhile', async () => {
    const first = await abandonInEffect(reading);
    await first.signal('r1', { type: 'cancel', reason: 'enough' });
    const host = survivor();
    const second = makeEngine({ runs: first.runs, work: () => Promise.reject(new Error('must not run')), host });
    expect(await (await second.resume('r1')).ended).toEqual({
      status: 'cancelled',
      reason: 'enough',
      output: undefined,
    });
    expect(host.stopped).toEqual([77]);
    const { effects, status } = foldRun(factsOf(first));
    expect({ status, open: effects.get('a')?.open }).toEqual({ status: 'cancelled', open: undefined });
  });

  it('hears what comes with a resume once it has the run, and not of one that is refused', async () => {
    const first = await abandonInEffect(reading);
    const post = (usd: number) => ({ posts: [{ type: 'budget', limit: { usd } }] }) as const;
    const neighbour = makeEngine({ runs: first.runs, work: reading, host: fakeHost(identity(3), new Set([1, 3])) });
    await expect(neighbour.resume('r1', post(1))).rejects.toMatchObject({ code: 'lease-held' });
    const second = makeEngine({ runs: first.runs, work: reading, host: survivor() });
    expect(await (await second.resume('r1', post(2))).ended).toMatchObject({ status: 'done' });
    const heard = factsOf(first).flatMap((fact) => (fact.type === 'signal.received' ? [fact.data.signal] : []));
    expect(heard).toEqual([{ type: 'budget', limit: { usd: 2 } }]);
  });

  it('does not signal processes of another host when it takes a run over', async () => {
    const far = fakeHost(identity(9, 'far'));
    const begun = gate();
    const first = makeEngine({
      work: reading,
      host: far,
      read: {
        perform: (_request, context) => {
          context.progress({ process: identity(78, 'far') });
          begun.open();
          return new Promise(() => {});
        },
      },
    });
    await first.start(request());
    await begun.opened;
    const host = survivor();
    const here = makeEngine({ runs: first.runs, work: reading, host });
    expect(await (await here.resume('r1', { takeOver: true })).ended).toMatchObject({ status: 'done' });
    expect(host.stopped).toEqual([]);
  });

  it('still cancels when the process died between hearing of it and ending', async () => {
    const first = await abandonInEffect(reading);
    await first.signal('r1', { type: 'cancel', reason: 'enough' });
    while (!typesOf(first).includes('signal.received')) await new Promise((again) => setImmediate(again));
    const second = makeEngine({ runs: first.runs, work: reading, host: survivor() });
    expect(await (await second.resume('r1')).ended).toEqual({
      status: 'cancelled',
      reason: 'enough',
      output: undefined,
    });
  });

  it('is cancelled by a cancel that a pause follows', async () => {
    const first = await abandonInEffect(reading);
    await first.signal('r1', { type: 'cancel', reason: 'enough' });
    await first.signal('r1', { type: 'pause', reason: 'lunch' });
    const second = makeEngine({ runs: first.runs, work: reading, host: survivor() });
    expect(await (await second.resume('r1')).ended).toMatchObject({ status: 'cancelled', reason: 'enough' });
  });

  it('never hands the workflow a failure of the journal, whatever it catches', async () => {
    const begun = gate();
    const fail = gate();
    const caught: unknown[] = [];
    const engine = makeEngine({
      work: async (bench) => {
        await bench.perform('integration.read', 'a', {}).catch((error: unknown) => caught.push(error));
        return done();
      },
      read: {
        perform: async () => {
          begun.open();
          await fail.opened;
          throw new Error('boom');
        },
      },
    });
    const handle = await engine.start(request());
    await begun.opened;
    const file = join(engine.runs, 'r1', 'journal.jsonl');
    renameSync(file, `${file}.gone`);
    writeFileSync(file, '');
    fail.open();
    expect(await handle.ended).toMatchObject({ status: 'stopped' });
    expect(caught).toEqual([]);
  });

  it('stops on a question that cannot be asked, even if the workflow would catch it', async () => {
    const caught: unknown[] = [];
    const engine = makeEngine({
      work: async (bench) => {
        await bench.ask('q', { title: 7 as unknown as string }).catch((error: unknown) => caught.push(error));
        return done();
      },
    });
    expect(await (await engine.start(request())).ended).toMatchObject({ status: 'stopped' });
    expect(caught).toEqual([]);
  });

  it('stops when the workflow throws before its first await', async () => {
    const engine = makeEngine({
      work: () => {
        throw new Error('no such input');
      },
    });
    expect(await (await engine.start(request())).ended).toMatchObject({ status: 'stopped', reason: 'no such input' });
    expect((await engine.read('r1')).status).toBe('stopped');
  });

  it('records what was finished after a pause, and answers from it later', async () => {
    const begun = gate();
    const finish = gate();
    let performed = 0;
    const engine = makeEngine({
      work: reading,
      read: {
        perform: async () => {
          performed += 1;
          begun.open();
          await finish.opened;
          return { commit: base, judge: base };
        },
      },
    });
    const handle = await engine.start(request());
    await begun.opened;
    handle.pause('lunch');
    finish.open();
    expect(await handle.ended).toEqual({ status: 'paused', reason: 'lunch' });
    expect(await (await engine.resume('r1')).ended).toMatchObject({ status: 'done', output: base });
    expect(performed).toBe(1);
  });

  it('ends with the workflow even if it left an effect in flight, which is then cut off', async () => {
    const engine = makeEngine({
      work: async (bench) => {
        void bench.perform('integration.read', 'a', {});
        return done('early');
      },
      read: {
        perform: (_request, { signal }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason as Error));
          }),
      },
    });
    expect(await (await engine.start(request())).ended).toMatchObject({ status: 'done', output: 'early' });
    expect(typesOf(engine).slice(2)).toEqual(['effect.started a', 'effect.interrupted a', 'run.ended']);
  });
});

describe('waiting', () => {
  const asking = (finish: Promise<void>) => ({
    work: async (bench: Bench): Promise<WorkflowResult> => {
      const questions = ['q1', 'q2'].map(async (key) => (await bench.ask(key, { title: key })).text);
      const read = bench.perform('integration.read', 'a', {});
      return done([...(await Promise.all(questions)), (await read).commit]);
    },
    read: {
      perform: async () => {
        await finish;
        return { commit: base, judge: base };
      },
    } satisfies Read,
  });

  it('leaves with several questions open only when no effect is in flight any more', async () => {
    const finish = gate();
    const engine = makeEngine(asking(finish.opened));
    const handle = await engine.start(request(), { whenWaiting: 'leave' });
    await engine.signal('r1', { type: 'answer', key: 'q1', answer: { text: 'one' } });
    while (!typesOf(engine).includes('question.answered q1')) await new Promise((again) => setImmediate(again));
    expect(handle.state.status).toBe('running');
    finish.open();
    expect(await handle.ended).toEqual({ status: 'waiting', reason: 'q2' });
    await engine.signal('r1', { type: 'answer', key: 'q2', answer: { text: 'two' } });
    expect(await (await engine.resume('r1', { whenWaiting: 'leave' })).ended).toMatchObject({
      status: 'done',
      output: ['one', 'two', base],
    });
  });

  it('looks into the inbox a last time before it leaves', async () => {
    const inbox = (engine: Engine) => join(engine.runs, 'r1', 'inbox');
    const engine: Engine = makeEngine({
      work: async (bench) => {
        const asked = bench.ask('q1', { title: 'q1' });
        // In the same turn as the question: no watcher can have told of it yet.
        postMessage(inbox(engine), countingClock(), { type: 'answer', key: 'q1', answer: { text: 'one' } });
        return done((await asked).text);
      },
    });
    expect(await (await engine.start(request(), { whenWaiting: 'leave' })).ended).toMatchObject({ output: 'one' });
  });

  it('takes the first early answer that fits, whatever came after it', async () => {
    const choose = async (bench: Bench): Promise<WorkflowResult> => {
      await bench.ask('first', { title: 'First?' });
      const options = [
        { id: 'red', label: 'Red' },
        { id: 'blue', label: 'Blue' },
      ];
      return done((await bench.ask('colour', { title: 'Which?', options })).option);
    };
    const engine = makeEngine({ work: choose });
    await (await engine.start(request(), { whenWaiting: 'leave' })).ended;
    for (const option of ['green', 'red', 'blue', 'pink']) {
      await engine.signal('r1', { type: 'answer', key: 'colour', answer: { option } });
    }
    await engine.signal('r1', { type: 'answer', key: 'first', answer: { text: 'go' } });
    expect(await (await engine.resume('r1', { whenWaiting: 'leave' })).ended).toMatchObject({ output: 'red' });
    expect(readdirSync(join(engine.runs, 'r1', 'inbox'))).toEqual([]);
  });

  it('keeps its process when it stays for an answer', async () => {
    const runs = join(tempDir(), 'runs');
    const child = spawn(process.execPath, [stayingHost, runs], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const printed: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => printed.push(chunk));
    const exit = new Promise<number | null>((closed) => child.on('close', closed));
    const engine = makeEngine({ runs, work: reading });
    const asked = (): boolean =>
      existsSync(join(runs, 'r1', 'journal.jsonl')) && typesOf(engine).includes('question.asked q');
    while (child.exitCode === null && !asked()) await new Promise((again) => setTimeout(again, 20));
    await engine.signal('r1', { type: 'answer', key: 'q', answer: { text: 'yes' } });
    expect({ code: await exit, printed: Buffer.concat(printed).toString() }).toEqual({
      code: 0,
      printed: 'done yes\n',
    });
  });
});
