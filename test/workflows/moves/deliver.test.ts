import { describe, expect, it } from 'vitest';
import type { EffectOutput } from '../../../src/engine/effect-map.ts';
import { deliver } from '../../../src/workflows/moves/deliver.ts';
import {
  type Answers,
  base,
  commit,
  left,
  outputOf,
  type Played,
  play,
  ran,
  red,
  report,
  resultSchema,
  scope,
  task,
  trouble,
} from './support.ts';

const one = task('T1', { writes: ['src/a.ts'], title: 'Make a', objective: 'do it' });
const receipt = { task: 'T1', declared: [], changed: [], flags: [], leftBehind: [], before: base, base, checks: [] };
const standard: Answers = {
  'integration.read': (_input, key) => ({ commit: key === 'T1/base' ? base : commit(100), judge: base }),
  'check.run': () => report(),
  'evidence.measure': () => ({ redGreen: [], findings: [] }),
  'merge.land': (input) => ({
    status: 'merged',
    receipt: { ...receipt, source: input['source'] as string, after: input['commit'] as string },
  }),
  'workspace.drop': () => ({ dropped: true, reason: '' }),
};
const ready = (number: number): EffectOutput<'merge.prepare'> => ({
  status: 'ready',
  commit: commit(number),
  before: base,
  changes: [],
});
const conflict: EffectOutput<'merge.prepare'> = { status: 'conflict', before: base, files: ['src/a.ts', 'src/b.ts'] };

const run = (answers: Answers, rounds = { fixRounds: 1, conflictRounds: 1 }): Promise<Played> =>
  play(
    (bench) =>
      deliver(bench, {
        task: one,
        tasks: [one],
        agent: 'worker',
        role: 'developer',
        result: resultSchema,
        prompt: (situation) =>
          situation.mode === 'conflict' ? `conflict ${situation.files.join(' ')}` : situation.mode,
        checks: { source: 'settings', entries: [] },
        scope: scope(),
        ...rounds,
      }),
    { ...standard, ...answers },
  );
const keysOf = ({ asked }: Played): string[] => asked.map(({ key }) => key);
const agentsOf = ({ asked }: Played) =>
  asked
    .filter(({ kind }) => kind === 'agent.run')
    .map(({ key, input: { workspace, commit: from, prompt, session } }) => ({ key, workspace, from, prompt, session }));

describe('deliver', () => {
  it('develops, integrates, drops the workspace and names the merged commit', async () => {
    const played = await run({ 'agent.run': [ran(1)], 'merge.prepare': [ready(2)] });
    expect(outputOf(played)).toEqual({ task: 'T1', status: 'done', reason: '', commit: commit(2) });
    expect(keysOf(played)).toEqual([
      'T1/base',
      'T1/develop#1',
      'T1/verify#1/check',
      'T1/verify#1/evidence',
      'T1/integrate#1/prepare',
      'T1/integrate#1/check',
      'T1/integrate#1/land',
      'T1/drop',
    ]);
  });

  it('sends red checks back in the same session, from what was left, until its rounds are used up', async () => {
    const mended = await run({
      'agent.run': [ran(1, { status: 'success' }, 's1'), ran(2)],
      'check.run': ({ commit: at }) => (at === commit(1) ? red() : report()),
      'merge.prepare': [ready(3)],
    });
    expect(outputOf(mended)).toMatchObject({ status: 'done', commit: commit(3) });
    expect(agentsOf(mended)).toEqual([
      { key: 'T1/develop#1', workspace: 'T1', from: base, prompt: 'first', session: undefined },
      { key: 'T1/develop#2', workspace: 'T1', from: commit(1), prompt: 'fix', session: 's1' },
    ]);
    const never = await run({ 'agent.run': [ran(1), ran(2)], 'check.run': () => red() });
    expect(outputOf(never)).toEqual({
      task: 'T1',
      status: 'failed',
      reason: 'checks failed (npm test: exit 1)',
      commit: commit(2),
    });
    expect(keysOf(never)).not.toContain('T1/drop');
  });

  it('does it again on the newer base after a conflict, in a workspace of its own', async () => {
    const played = await run({ 'agent.run': [ran(1), ran(2)], 'merge.prepare': [conflict, ready(3)] });
    expect(outputOf(played)).toMatchObject({ status: 'done', commit: commit(3) });
    expect(agentsOf(played)[1]).toEqual({
      key: 'T1@2/develop#1',
      workspace: 'T1@2',
      from: commit(100),
      prompt: 'conflict src/a.ts src/b.ts',
      session: undefined,
    });
    expect(keysOf(played).filter((key) => key.endsWith('/drop'))).toEqual(['T1/drop', 'T1@2/drop']);
  });

  it('gives up after its conflict rounds, and keeps naming the work', async () => {
    const played = await run({ 'agent.run': [ran(1), ran(2)], 'merge.prepare': [conflict, conflict] });
    expect(outputOf(played)).toEqual({
      task: 'T1',
      status: 'failed',
      reason: 'merge conflict in src/a.ts, src/b.ts',
      commit: commit(2),
    });
  });

  it('fails with the reason of the agent or of the merge', async () => {
    const reasonOf = async (answers: Answers): Promise<unknown> =>
      (outputOf(await run(answers)) as { reason: string }).reason;
    expect(await reasonOf({ 'agent.run': [left(1, trouble('rate_limit'))] })).toBe('rate_limit: later');
    expect(await reasonOf({ 'agent.run': [ran(1, 1), ran(2, 2), ran(3, 3)] })).toContain(
      "does not fit the role's result",
    );
    expect(await reasonOf({ 'agent.run': [ran(1)], 'merge.prepare': [{ status: 'empty', before: base }] })).toBe(
      'it changed nothing',
    );
    expect(
      await reasonOf({
        'agent.run': [ran(1)],
        'merge.prepare': [ready(2)],
        'check.run': (_input, key) => (key.includes('integrate') ? red() : report()),
      }),
    ).toBe('after the merge, checks failed (npm test: exit 1)');
  });
});
