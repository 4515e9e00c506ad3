/** Steps say where everything in a run was asked for, once, whatever is killed, replayed, run in parallel or tried again. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Bench, WorkflowResult } from '../../src/engine/bench.ts';
import type { Fact, TaskOutcome } from '../../src/engine/facts.ts';
import { readJournalFile } from '../../src/engine/files/journal-file.ts';
import { foldRun } from '../../src/engine/run-state.ts';
import { tempDir } from '../support/temp.ts';
import { base, fakeHost, gate, identity, makeEngine, other, request, task } from './support.ts';

const factsOf = (runs: string): readonly Fact[] => readJournalFile(join(runs, 'r1', 'journal.jsonl')).facts;
const survivor = () => fakeHost(identity(2), new Set([2]));

/** A plan with a question in a nested step, then two tasks at once, each with a step of its own. */
async function work(bench: Bench): Promise<WorkflowResult> {
  await bench.announce('outline', [
    { key: 'plan', kind: 'plan', title: 'Plan' },
    { key: 'build', kind: 'build', title: 'Build' },
  ]);
  await bench.step('plan', { kind: 'plan', title: 'Plan', detail: 'planning' }, async () => {
    await bench.perform('integration.read', 'plan/base', {});
    await bench.step('plan/approval', { kind: 'question', title: 'Approval' }, () =>
      bench.ask('approve', { title: 'Go?', freeText: true }),
    );
  });
  const build = { kind: 'build', title: 'Build', end: describeOutcomes };
  const outcomes = await bench.step('build', build, () =>
    bench.schedule([task('T1', { writes: ['a'] }), task('T2', { writes: ['b'] })], { limit: 2 }, ({ id }) =>
      bench.step(`${id}/work`, { kind: 'round', title: `Work on ${id}` }, async (): Promise<TaskOutcome> => {
        const { commit } = await bench.perform('integration.read', `${id}/base`, { task: id });
        return commit === other
          ? { task: id, status: 'failed', reason: 'broken' }
          : { task: id, status: 'done', reason: '' };
      }),
    ),
  );
  await bench.perform('integration.read', 'final', {});
  return { status: outcomes.every(({ status }) => status === 'done') ? 'done' : 'failed' };
}

function describeOutcomes(outcomes: readonly TaskOutcome[]) {
  const done = outcomes.filter(({ status }) => status === 'done').length;
  const status = done === outcomes.length ? ('done' as const) : ('failed' as const);
  return {
    status,
    detail: `${done} of ${outcomes.length}`,
    figures: { done },
    links: outcomes.map(({ task: id }) => id),
  };
}

async function finishedRun(setup: { runs?: string; broken?: boolean } = {}) {
  const read = {
    perform: async (_: unknown, { key }: { key: string }) => ({
      commit: key === 'T1/base' && setup.broken === true ? other : base,
      judge: base,
    }),
  };
  const engine = makeEngine({
    work,
    read,
    ...(setup.runs === undefined ? {} : { runs: setup.runs }),
    host: survivor(),
  });
  const handle = await engine.start(request());
  await engine.signal('r1', { type: 'answer', key: 'approve', answer: { text: 'yes' } });
  await handle.ended;
  return engine;
}

const places = (facts: readonly Fact[]): readonly string[] =>
  facts.flatMap((fact) => {
    if (!['effect.started', 'question.asked', 'task.started', 'step.started', 'steps.announced'].includes(fact.type))
      return [];
    const { within } = fact.data as { within?: { type: string; key: string } };
    return [`${fact.key} in ${within === undefined ? 'the run' : `${within.type} ${within.key}`}`];
  });

describe('steps', () => {
  it('nest, and everything asked for hangs below the innermost one', async () => {
    const { runs } = await finishedRun();
    expect([...places(factsOf(runs))].sort()).toEqual([
      'T1 in step build',
      'T1/base in step T1/work',
      'T1/work in task T1',
      'T2 in step build',
      'T2/base in step T2/work',
      'T2/work in task T2',
      'approve in step plan/approval',
      'build in the run',
      'final in the run',
      'outline in the run',
      'plan in the run',
      'plan/approval in step plan',
      'plan/base in step plan',
    ]);
  });

  it('end with the words and figures of who made them', async () => {
    const { runs } = await finishedRun({ broken: true });
    const { steps } = foldRun(factsOf(runs));
    expect(steps.get('build')?.end).toMatchObject({
      status: 'failed',
      detail: '1 of 2',
      figures: { done: 1 },
      lines: [],
      links: ['T1', 'T2'],
    });
    expect(steps.get('plan')).toMatchObject({
      kind: 'plan',
      title: 'Plan',
      detail: 'planning',
      end: { status: 'done' },
    });
  });

  it('are recorded once, wherever the run is cut off and resumed', async () => {
    const whole = await finishedRun();
    const lines = readFileSync(join(whole.runs, 'r1', 'journal.jsonl'), 'utf8')
      .trimEnd()
      .split('\n');
    const stepFacts = (facts: readonly Fact[]): readonly string[] =>
      facts
        .filter(({ type }) => type.startsWith('step'))
        .map(({ type, key }) => `${type} ${key}`)
        .sort();
    const expected = stepFacts(factsOf(whole.runs));
    for (let kept = 2; kept < lines.length; kept += 1) {
      const runs = join(tempDir(), 'runs');
      mkdirSync(join(runs, 'r1', 'inbox'), { recursive: true });
      writeFileSync(join(runs, 'r1', 'journal.jsonl'), `${lines.slice(0, kept).join('\n')}\n`);
      const engine = makeEngine({ work, runs, host: fakeHost(identity(3), new Set([3])) });
      const handle = await engine.resume('r1');
      await engine.signal('r1', { type: 'answer', key: 'approve', answer: { text: 'yes' } });
      expect(await handle.ended).toMatchObject({ status: 'done' });
      expect(stepFacts(factsOf(runs))).toEqual(expected);
      expect([...new Set(places(factsOf(runs)))].sort()).toEqual([...new Set(places(factsOf(whole.runs)))].sort());
    }
  });

  it('have no end while the run is paused inside of them', async () => {
    const engine = makeEngine({ work, host: survivor() });
    const handle = await engine.start(request(), { whenWaiting: 'leave' });
    expect(await handle.ended).toMatchObject({ status: 'waiting' });
    const { steps } = foldRun(factsOf(engine.runs));
    expect([...steps].map(([key, { end }]) => [key, end])).toEqual([
      ['plan', undefined],
      ['plan/approval', undefined],
    ]);
  });

  it('around a task that is tried again are open again, and those inside of it never were', async () => {
    const { runs } = await finishedRun({ broken: true });
    const started = gate();
    const engine = makeEngine({
      work,
      runs,
      host: fakeHost(identity(4), new Set([4])),
      read: {
        perform: async () => {
          started.open();
          return { commit: base, judge: base };
        },
      },
    });
    const handle = await engine.retry('r1', 'T1');
    await started.opened;
    expect(await handle.ended).toMatchObject({ status: 'done' });
    const facts = factsOf(runs);
    const reopened = facts.find(({ type }) => type === 'task.reopened') as Extract<Fact, { type: 'task.reopened' }>;
    expect(reopened.data.steps).toEqual(['build']);
    expect(reopened.data.forgotten).toContain('T1/work');
    expect(reopened.data.forgotten).not.toContain('T2/work');
    expect(foldRun(facts).steps.get('build')?.end).toMatchObject({ status: 'done', detail: '2 of 2' });
  });

  it('with one key twice stop the run', async () => {
    const twice = async (bench: Bench): Promise<WorkflowResult> => {
      await bench.step('s', { kind: 'plan', title: 'S' }, async () => {});
      await bench.step('s', { kind: 'plan', title: 'S' }, async () => {});
      return { status: 'done' };
    };
    const handle = await makeEngine({ work: twice }).start(request());
    expect(await handle.ended).toMatchObject({ status: 'stopped', error: { code: 'effect-key-reused' } });
  });
});
