/** Whatever parks, answers, fails, throws and pauses, in any order: every wave has an outcome, or the run stops with what was thrown. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Bench } from '../../../src/engine/bench.ts';
import type { Fact, TaskOutcome } from '../../../src/engine/facts.ts';
import type { Task } from '../../../src/plan/plan.ts';
import { runInOrder } from '../../../src/workflows/waves/wave-order.ts';
import { makeEngine, request, task } from '../../engine/support.ts';

type End = 'done' | 'failed' | 'throws';
interface Scene {
  /** Per wave: what it does before it ends, how it ends, and which of the waves before it it needs. */
  readonly waves: readonly { readonly steps: readonly ('read' | 'ask')[]; readonly end: End; readonly needs: number }[];
  /** Which of the open questions is answered next. */
  readonly picks: readonly number[];
  /** The run is paused when it has so many facts. */
  readonly pauses: readonly number[];
  readonly whenWaiting: 'stay' | 'leave';
}

const scenes: fc.Arbitrary<Scene> = fc.record({
  waves: fc.array(
    fc.record({
      steps: fc.array(fc.constantFrom('read' as const, 'ask' as const), { maxLength: 3 }),
      end: fc.constantFrom<End>('done', 'done', 'done', 'failed', 'throws'),
      needs: fc.nat(15),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  picks: fc.array(fc.nat(20), { minLength: 1, maxLength: 6 }),
  pauses: fc.array(fc.integer({ min: 3, max: 25 }), { maxLength: 2 }),
  whenWaiting: fc.constantFrom('stay' as const, 'leave' as const),
});

const idOf = (place: number): string => `W${place + 1}`;
const wavesOf = ({ waves }: Scene): Task[] =>
  waves.map(({ needs }, place) => {
    const depends = waves.slice(0, place).flatMap((_, other) => ((needs >> other) & 1 ? [idOf(other)] : []));
    return task(idOf(place), { depends });
  });

/** What has to come out, by the rules alone. */
function expected(scene: Scene): { outcomes: Record<string, string>; throwers: string[] } {
  const outcomes: Record<string, string> = {};
  const throwers: string[] = [];
  for (const [place, { id, depends }] of wavesOf(scene).entries()) {
    const end = scene.waves[place]?.end ?? 'done';
    const isMet = depends.every((other) => outcomes[other] === 'done');
    outcomes[id] = isMet ? end : 'skipped';
    if (isMet && end === 'throws') throwers.push(id);
  }
  return { outcomes, throwers };
}

async function playOut(scene: Scene): Promise<{ status: string; detail: unknown }> {
  const work = async (bench: Bench, { id }: Task): Promise<TaskOutcome> => {
    const { steps = [], end = 'done' } = scene.waves[Number(id.slice(1)) - 1] ?? {};
    for (const [at, step] of steps.entries()) {
      const key = `${id}/${step}#${at}`;
      if (step === 'read') await bench.perform('integration.read', key, { task: id });
      else await bench.ask(key, { title: key, options: [{ id: 'yes', label: 'Yes' }] });
    }
    if (end === 'throws') throw new Error(`thrown by ${id}`);
    return { task: id, status: end, reason: '' };
  };
  const engine = makeEngine({
    work: async (bench) => ({ status: 'done', output: await runInOrder(bench, wavesOf(scene), work) }),
  });
  const open = new Set<string>();
  let seen = 0;
  let pick = 0;
  const pauses = [...scene.pauses];
  const answerOne = (): void => {
    const key = [...open][(scene.picks[pick++ % scene.picks.length] ?? 0) % Math.max(1, open.size)];
    if (key === undefined) return;
    open.delete(key);
    void engine.signal('r1', { type: 'answer', key, answer: { option: 'yes' } });
  };
  const onFact = ({ type, key }: Fact): void => {
    seen += 1;
    if (type === 'question.asked') open.add(key);
    // While the run is at work: with one that stays, every question is answered some time after it was asked.
    if (scene.whenWaiting === 'stay' && type === 'question.asked') setImmediate(answerOne);
    if (pauses[0] !== undefined && seen >= pauses[0]) {
      pauses.shift();
      handle?.pause('a while');
    }
  };
  const options = { whenWaiting: scene.whenWaiting, onFact };
  let handle = await engine.start(request(), options);
  let end = await handle.ended;
  for (let turns = 0; (end.status === 'waiting' || end.status === 'paused') && turns < 60; turns += 1) {
    if (end.status === 'waiting') answerOne();
    handle = await engine.resume('r1', options);
    end = await handle.ended;
  }
  return { status: end.status, detail: end.status === 'done' ? end.output : end.reason };
}

it('ends every wave or passes on what one threw', async () => {
  const property = fc.asyncProperty(scenes, async (scene) => {
    const { status, detail } = await playOut(scene);
    const { outcomes, throwers } = expected(scene);
    if (throwers.length > 0) {
      expect(status).toBe('stopped');
      expect(throwers.map((id) => `thrown by ${id}`)).toContain(detail);
    } else {
      const ended = (detail as TaskOutcome[]).map((outcome) => [outcome.task, outcome.status]);
      expect({ status, ended }).toEqual({ status: 'done', ended: Object.entries(outcomes) });
    }
  });
  await fc.assert(property, { numRuns: 60 });
});
