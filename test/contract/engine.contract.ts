/**
 * What every engine promises, whatever it keeps runs in: one suite, run for each implementation by a few lines. Includes
 * processes that die before or after any fact: whoever resumes the run comes to the same end, and nothing happens twice.
 */
import { describe, expect, it } from 'vitest';
import type { Bench, Workflow, WorkflowResult } from '../../src/engine/bench.ts';
import type { Engine } from '../../src/engine/engine.ts';
import type { AppendProbe } from '../../src/engine/fact-log.ts';
import type { Fact } from '../../src/engine/facts.ts';
import type { Performers } from '../../src/engine/performer.ts';
import { foldRun } from '../../src/engine/run-state.ts';
import { advanceSummary, emptySummary } from '../../src/engine/run-summary.ts';
import { base, gate, performersWith, request, task } from '../engine/support.ts';

export interface EngineSetup {
  /** Names the process that works through this engine: two engines with two names are two processes. */
  readonly process: number;
  readonly workflow: Workflow;
  readonly performers: Performers;
  readonly probe?: AppendProbe;
}

/** One store that several processes share. */
export interface EngineStore {
  open(setup: EngineSetup): Engine;
  /** A process that is gone holds nothing any more. */
  die(process: number): void;
}

const large = 'x'.repeat(50_000);
const done: WorkflowResult = { status: 'done', output: 'over' };

export function engineContract(name: string, makeStore: () => EngineStore): void {
  const open = (
    store: EngineStore,
    work: (bench: Bench) => Promise<WorkflowResult>,
    { process = 1, kinds = {}, probe }: { process?: number; kinds?: Partial<Performers>; probe?: AppendProbe } = {},
  ): Engine =>
    store.open({
      process,
      workflow: { name: 'test', version: 1, run: work },
      performers: performersWith({
        'integration.read': { perform: async () => ({ commit: base, judge: base }) },
        ...kinds,
      }),
      ...(probe === undefined ? {} : { probe }),
    });

  describe(`${name} keeps the engine's contract`, () => {
    it('gives facts in order, after any number, and the same in short, in whole and while it is watched', async () => {
      const engine = open(makeStore(), async (bench) => {
        await bench.perform('integration.read', 'base', {});
        return done;
      });
      expect(await engine.has('r1')).toBe(false);
      await (await engine.start(request())).ended;
      const facts = await engine.facts('r1');
      expect(facts.map(({ seq }) => seq)).toEqual(facts.map((_, at) => at + 1));
      for (let after = 0; after <= facts.length; after += 1)
        expect(await engine.facts('r1', after)).toEqual(facts.slice(after));
      expect(await collect(engine.watch('r1', new AbortController().signal, 2))).toEqual(facts.slice(2));
      const { state } = await engine.read('r1');
      expect(state).toEqual(foldRun(facts));
      const [listed] = await engine.list();
      expect(listed).toEqual({ ...advanceSummary(emptySummary(), facts), run: 'r1', standing: '', problem: undefined });
      expect(await engine.summarize('r1')).toEqual(listed);
      expect(await engine.has('r1')).toBe(true);
    });

    it('refuses what it does not know, and a name that is in use', async () => {
      const engine = open(makeStore(), async () => done);
      for (const ask of [engine.read('r1'), engine.summarize('r1'), engine.facts('r1'), engine.resume('r1')])
        await expect(ask).rejects.toMatchObject({ code: 'unknown-run' });
      await expect(engine.start(request('../r1'))).rejects.toMatchObject({ code: 'bad-input' });
      await (await engine.start(request())).ended;
      await expect(engine.start(request())).rejects.toMatchObject({ code: 'run-exists' });
    });

    it('lets one process at a time work on a run, and the next one when that is gone', async () => {
      const store = makeStore();
      const asking = async (bench: Bench): Promise<WorkflowResult> => {
        const { text } = await bench.ask('q', { title: 'What?', freeText: true });
        return { status: 'done', output: text };
      };
      const first = open(store, asking);
      const handle = await first.start(request());
      const second = open(store, asking, { process: 2 });
      await expect(second.resume('r1')).rejects.toMatchObject({ code: 'lease-held' });
      expect((await second.summarize('r1')).status).toBe('running');
      store.die(1);
      expect((await second.summarize('r1')).status).toBe('interrupted');
      const id = await second.signal('r1', { type: 'answer', key: 'q', answer: { text: 'this' } });
      expect(await second.messages('r1')).toMatchObject([{ id, signal: { type: 'answer', key: 'q' } }]);
      expect(await (await second.resume('r1')).ended).toMatchObject({ status: 'done', output: 'this' });
      expect(await second.messages('r1')).toEqual([]);
      handle.pause('the test is over');
      await handle.ended.catch(() => undefined);
    });

    it('keeps what lies beside the facts, and removes all of it with the run', async () => {
      const engine = open(makeStore(), async () => done);
      const artifacts = engine.artifacts('r1');
      await artifacts.write('script.yaml', 'before it was begun');
      await (await engine.start(request())).ended;
      expect((await artifacts.read('script.yaml'))?.toString()).toBe('before it was begun');
      const lines = artifacts.append('transcripts/a.jsonl');
      lines.append('one');
      await lines.close();
      const more = artifacts.append('transcripts/a.jsonl');
      expect(more.bytes).toBe(4);
      more.append('two');
      await more.close();
      expect((await artifacts.readFrom('transcripts/a.jsonl', 4)).toString()).toBe('two\n');
      expect((await artifacts.readFrom('transcripts/a.jsonl', -4)).toString()).toBe('two\n');
      expect(await artifacts.readFrom('transcripts/none.jsonl', 0)).toHaveLength(0);
      await artifacts.write('documents/T10.md', 'ten');
      await artifacts.write('documents/T2.md', 'two');
      expect(await artifacts.list('documents')).toEqual([
        { name: 'T2.md', bytes: 3 },
        { name: 'T10.md', bytes: 3 },
      ]);
      await artifacts.remove('documents/T2.md');
      expect(await artifacts.read('documents/T2.md')).toBeUndefined();
      await engine.remove('r1');
      expect(await engine.has('r1')).toBe(false);
      expect(await engine.list()).toEqual([]);
      expect(await engine.artifacts('r1').read('documents/T10.md')).toBeUndefined();
    });

    it('hands a performer what it may know by value', async () => {
      const began = gate();
      const seen: unknown[] = [];
      const engine = open(
        makeStore(),
        async (bench) => {
          await bench.perform('integration.read', 'first', {});
          return done;
        },
        {
          kinds: {
            'integration.read': {
              perform: async (_request, { snapshot }) => {
                began.open();
                await gateOf(engine);
                seen.push(snapshot.agent);
                return { commit: base, judge: base };
              },
            },
          },
        },
      );
      const posted = { type: 'agent', agent: 'other' } as const;
      const handle = await engine.start(request());
      await began.opened;
      await engine.signal('r1', posted);
      await handle.ended;
      expect(seen).toEqual([undefined]);
      expect((await engine.read('r1')).state?.agent).toBe('other');
    });

    it('gives back what is large as it was, to the workflow and to readers', async () => {
      const store = makeStore();
      const got: unknown[] = [];
      const kinds: Partial<Performers> = {
        'diff.read': { perform: async ({ from }) => ({ text: `${from}${large}`, cut: false }) },
      };
      const work = async (bench: Bench): Promise<WorkflowResult> => {
        got.push(await bench.perform('diff.read', 'diff', { from: base, to: base, chars: 1 }));
        await bench.ask('q', { title: 'Go on?', freeText: true });
        return done;
      };
      const first = open(store, work, { kinds });
      const handle = await first.start(request(), { whenWaiting: 'leave' });
      expect(await handle.ended).toMatchObject({ status: 'waiting' });
      const second = open(store, work, { process: 2, kinds });
      await second.signal('r1', { type: 'answer', key: 'q', answer: { text: 'yes' } });
      await (await second.resume('r1')).ended;
      const whole = { text: `${base}${large}`, cut: false };
      expect(got).toEqual([whole, whole]);
      const finished = (await second.facts('r1')).find(({ type }) => type === 'effect.finished');
      expect(JSON.parse(JSON.stringify(finished?.data))).toEqual({ attempt: 1, output: whole });
    });

    it('comes to the same end whenever a process dies, before or after any fact', async () => {
      const whole = await runThrough(makeStore(), undefined);
      expect(whole.end).toMatchObject({ status: 'done', output: ['over', 'yes'] });
      for (const side of ['before', 'after'] as const) {
        for (let at = 2; at <= whole.facts.length; at += 1) {
          const killed = await runThrough(makeStore(), { at, side });
          expect(killed.end, `${side} ${at}`).toMatchObject({ status: 'done', output: ['over', 'yes'] });
          expect(killed.finished, `${side} ${at}`).toEqual(whole.finished);
          expect(killed.summary).toMatchObject(advanceSummary(emptySummary(), killed.facts));
        }
      }
    });
  });

  /** A run of several kinds of facts; the first process may die at one of them, and another takes over. */
  async function runThrough(store: EngineStore, kill: { at: number; side: 'before' | 'after' } | undefined) {
    const work = async (bench: Bench): Promise<WorkflowResult> => {
      const [outcome] = await bench.schedule([task('T1')], { limit: 1 }, async ({ id }) => {
        await bench.step('step', { kind: 'round', title: 'A round' }, () =>
          bench.perform('diff.read', `${id}/diff`, { from: base, to: base, chars: 1 }),
        );
        return { task: id, status: 'done', reason: '' };
      });
      const { text } = await bench.ask('q', { title: 'Go on?', freeText: true });
      await bench.record('note', 'note.recorded', { text: 'asked' });
      return { status: 'done', output: [outcome?.status === 'done' ? 'over' : 'not over', text ?? ''] };
    };
    const kinds: Partial<Performers> = { 'diff.read': { perform: async () => ({ text: large, cut: false }) } };
    const posts = [{ type: 'answer', key: 'q', answer: { text: 'yes' } } as const];
    const probe = kill === undefined ? undefined : dyingAt(kill.at, kill.side);
    const first = open(store, work, { kinds, ...(probe === undefined ? {} : { probe }) });
    const handle = await first.start({ ...request(), posts }).catch(() => undefined);
    const ended = await handle?.ended.catch(() => undefined);
    store.die(1);
    const second = open(store, work, { process: 2, kinds });
    const end = kill === undefined ? ended : await (await second.resume('r1')).ended;
    const facts = await second.facts('r1');
    const finished = facts.filter(({ type }) => type === 'effect.finished' || type === 'task.ended');
    return {
      end,
      facts,
      finished: finished.map(({ type, key }) => [type, key]),
      summary: await second.summarize('r1'),
    };
  }
}

/** From then on the process writes nothing any more, as if it were gone. */
function dyingAt(at: number, side: 'before' | 'after'): AppendProbe {
  let isDead = false;
  const die = (): never => {
    isDead = true;
    throw new Error('the process is gone');
  };
  return {
    before: (seq) => {
      if (isDead || (side === 'before' && seq >= at)) die();
    },
    after: (seq) => {
      if (side === 'after' && seq >= at) die();
    },
  };
}

/** Until what was posted was taken up. */
async function gateOf(engine: Engine): Promise<void> {
  await expect.poll(async () => (await engine.read('r1')).state?.agent).toBe('other');
}

async function collect(facts: AsyncIterable<Fact>): Promise<readonly Fact[]> {
  const all: Fact[] = [];
  for await (const fact of facts) all.push(fact);
  return all;
}
