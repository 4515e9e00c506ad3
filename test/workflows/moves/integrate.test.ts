import { describe, expect, it } from 'vitest';
import type { EffectOutput } from '../../../src/engine/effect-map.ts';
import type { Change, ScopeFlag, ScopeSettings } from '../../../src/policy/receipt.ts';
import type { Passed } from '../../../src/workflows/moves/build-until-passed.ts';
import { integrate } from '../../../src/workflows/moves/integrate.ts';
import { type Answers, base, commit, outputOf, type Played, play, red, report, scope, task } from './support.ts';

const declared: Change[] = [{ path: 'src/a.ts', status: 'modified' }];
const undeclared: Change[] = [...declared, { path: 'README.md', status: 'modified' }];
const source = commit(1);
const developed: Passed = {
  status: 'passed',
  commit: source,
  base,
  report: report(),
  redGreen: [],
  findings: [],
  leftBehind: [],
  accepted: [],
};

const ready = (number: number, changes = declared, more = {}): EffectOutput<'merge.prepare'> => ({
  status: 'ready',
  commit: commit(number),
  before: base,
  changes: [...changes],
  judge: base,
  ...more,
});
const lands = (input: Readonly<Record<string, unknown>>): EffectOutput<'merge.land'> => ({
  status: 'merged',
  receipt: {
    task: 'T1',
    declared: input['declared'] as string[],
    changed: input['changed'] as Change[],
    flags: input['flags'] as ScopeFlag[],
    leftBehind: [],
    before: input['before'] as string,
    after: input['commit'] as string,
    source,
    base,
    checks: [],
  },
});

function merge(
  answers: Answers,
  more: { settings?: Partial<ScopeSettings>; accepted?: ScopeFlag[]; options?: Record<string, string> } = {},
): Promise<Played> {
  const one = task('T1', { writes: ['src/a.ts'] });
  const passing: Answers = { 'check.run': () => report(), 'merge.land': lands };
  return play(
    (bench) =>
      integrate(bench, {
        task: one,
        tasks: [one, task('T2', { writes: ['src/b.ts'] })],
        developed: { ...developed, accepted: more.accepted ?? [] },
        checks: { source: 'settings', entries: [] },
        scope: scope(more.settings),
        mergeRound: 1,
      }),
    { ...passing, ...answers },
    more.options,
  );
}
const keysOf = ({ asked }: Played): string[] => asked.map(({ key }) => key);
const judgesOf = ({ asked }: Played): unknown[] =>
  asked.filter(({ kind }) => kind === 'check.run').map(({ input }) => input['judge']);

describe('integrate', () => {
  it('prepares, checks the merged tree and lands, with what was accepted on the receipt', async () => {
    const flag: ScopeFlag = { path: 'a.test.ts', case: 'weakened', action: 'allow', reason: 'skipped' };
    const played = await merge({ 'merge.prepare': [ready(2)] }, { accepted: [flag] });
    expect(outputOf(played)).toMatchObject({ status: 'merged', receipt: { after: commit(2), flags: [flag] } });
    expect(keysOf(played)).toEqual(['T1/integrate#1/prepare', 'T1/integrate#1/check', 'T1/integrate#1/land']);
    expect(played.asked[1]?.input).toMatchObject({ commit: commit(2), judge: base });
  });

  it('judges by the scripts that were accepted at the head meanwhile, or by its own once they were', async () => {
    const prepared = { 'merge.prepare': [ready(2, declared, { judge: commit(7) })] };
    expect(judgesOf(await merge(prepared))).toEqual([commit(7)]);
    const flag: ScopeFlag = { path: 'package.json', case: 'judge', action: 'allow', reason: 'scripts' };
    expect(judgesOf(await merge(prepared, { accepted: [flag] }))).toEqual([commit(2)]);
    const older = { 'merge.prepare': [ready(2, declared, { judge: undefined })] };
    expect(judgesOf(await merge(older))).toEqual([base]);
  });

  const asking = { undeclared: 'ask' } as const;

  it('asks about scope outside its turn, and takes what was accepted in the next one', async () => {
    const played = await merge(
      { 'merge.prepare': [ready(2, undeclared), ready(3, undeclared)] },
      { settings: asking, options: { 'T1/integrate#1/scope': 'accept' } },
    );
    const reason = 'not declared by T1; accepted';
    expect(outputOf(played)).toMatchObject({
      status: 'merged',
      receipt: { after: commit(3), flags: [{ path: 'README.md', case: 'undeclared', action: 'allow', reason }] },
    });
    expect(keysOf(played)).toEqual([
      'T1/integrate#1/prepare',
      'T1/integrate#2/prepare',
      'T1/integrate#2/check',
      'T1/integrate#2/land',
    ]);
  });

  it('asks again only about what was not shown before', async () => {
    const more: Change[] = [...undeclared, { path: 'LICENSE', status: 'added' }];
    const played = await merge(
      { 'merge.prepare': [ready(2, undeclared), ready(3, more), ready(4, more)] },
      { settings: asking, options: { 'T1/integrate#1/scope': 'accept', 'T1/integrate#2/scope': 'accept' } },
    );
    expect(outputOf(played)).toMatchObject({ status: 'merged', receipt: { after: commit(4) } });
    expect(played.questions).toEqual(['T1/integrate#1/scope', 'T1/integrate#2/scope']);
  });

  it('refuses what a person refuses, and what the settings refuse without asking', async () => {
    const prepared: Answers = { 'merge.prepare': [ready(2, undeclared)] };
    const refused = { status: 'refused', reason: 'README.md: not declared by T1' };
    const asked = await merge(prepared, { settings: asking, options: { 'T1/integrate#1/scope': 'refuse' } });
    expect(outputOf(asked)).toMatchObject(refused);
    const set = await merge(prepared, { settings: { undeclared: 'refuse' } });
    expect({ output: outputOf(set), questions: set.questions }).toMatchObject({ output: refused, questions: [] });
    expect(keysOf(set)).toEqual(['T1/integrate#1/prepare']);
  });

  it('prepares again on the newer head when another task was faster', async () => {
    const played = await merge({
      'merge.prepare': [ready(2), ready(3, declared, { before: commit(9) })],
      'merge.land': (input) => (input['before'] === base ? { status: 'stale', head: commit(9) } : lands(input)),
    });
    expect(outputOf(played)).toMatchObject({ status: 'merged', receipt: { before: commit(9), after: commit(3) } });
    expect(keysOf(played)).toEqual(
      [1, 2].flatMap((round) => ['prepare', 'check', 'land'].map((step) => `T1/integrate#${round}/${step}`)),
    );
  });

  it('lands nothing that is red after the merge, conflicts or changes nothing', async () => {
    const afterwards = await merge({ 'merge.prepare': [ready(2)], 'check.run': [red()] });
    expect(outputOf(afterwards)).toEqual({ status: 'red', reason: 'checks failed (npm test: exit 1)' });
    const conflict = { status: 'conflict' as const, before: base, files: ['src/a.ts'] };
    expect(outputOf(await merge({ 'merge.prepare': [conflict] }))).toMatchObject({
      status: 'conflict',
      files: ['src/a.ts'],
    });
    expect(outputOf(await merge({ 'merge.prepare': [{ status: 'empty', before: base }] }))).toEqual({
      status: 'empty',
    });
  });
});
