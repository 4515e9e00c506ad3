import { describe, expect, it } from 'vitest';
import type { CheckReport, CommandResult } from '../../../src/policy/check-report.ts';
import type { Finding } from '../../../src/policy/finding.ts';
import type { ScopeSettings } from '../../../src/policy/receipt.ts';
import { isAsAccepted, verify } from '../../../src/workflows/moves/verify.ts';
import { type Answers, base, commit, outputOf, type Played, play, red, report, scope, task } from './support.ts';

const changed = [{ path: 'package.json', what: 'scripts.test changed' }];
const weakened: Finding[] = [
  { path: 'a.test.ts', line: 3, kind: 'skipped', claim: 'a test is skipped; it was not before' },
  { path: 'b.test.ts', line: 1, kind: 'deleted', claim: 'a test is gone' },
];
const judging = (judge: unknown) => report({ judge: judge as string });

function check(
  answers: Answers,
  more: { settings?: Partial<ScopeSettings>; last?: boolean; options?: Record<string, string> } = {},
): Promise<Played> {
  const evidence = { 'evidence.measure': [{ redGreen: [], findings: [] }] };
  return play(
    (bench) =>
      verify(bench, 'T1/verify#1', {
        task: task('T1'),
        checks: { source: 'settings', entries: [], baseline: 'baseline' },
        scope: scope(more.settings),
        base,
        commit: commit(1),
        basis: { judge: base, accepted: [] },
        last: more.last ?? false,
      }),
    { ...evidence, ...answers },
    more.options,
  );
}
const keysOf = ({ asked }: Played): string[] => asked.map(({ key }) => key);

describe('verify', () => {
  it('passes what the checks and the evidence let pass, judged by the basis it was given', async () => {
    const played = await check({ 'check.run': [report()] });
    expect(outputOf(played)).toMatchObject({ status: 'passed', basis: { judge: base, accepted: [] }, findings: [] });
    expect(played.asked[0]?.input).toMatchObject({ commit: commit(1), judge: base, task: 'T1', baseline: 'baseline' });
    expect(keysOf(played)).toEqual(['T1/verify#1/check', 'T1/verify#1/evidence']);
  });

  it('sends red checks back and rejects what could not be verified', async () => {
    expect(outputOf(await check({ 'check.run': [red()] }))).toMatchObject({
      status: 'red',
      findings: [],
      reason: 'checks failed (npm test: exit 1)',
    });
    expect(outputOf(await check({ 'check.run': [report({ status: 'unverified' })] }))).toMatchObject({
      status: 'rejected',
      reason: 'checks unverified (there is no command to check with)',
    });
  });

  const counts = (passed: number) => ({ passed, failed: 0, skipped: 0, failing: [] });
  const unverified = (command: Partial<CommandResult>): CheckReport => {
    const { commands } = red('timed out after 60 s');
    return report({
      status: 'unverified',
      commands: commands.map((one) => ({ ...one, status: 'unverified', ...command })),
    });
  };

  it('sends a lack of evidence back while an agent can mend it, and rejects it at last', async () => {
    const answers = { 'check.run': [unverified({ exit: null })] };
    const reason = 'checks unverified (npm test: timed out after 60 s)';
    expect(outputOf(await check(answers))).toMatchObject({ status: 'red', reason });
    const last = await check(answers, { last: true });
    expect({ output: outputOf(last), questions: last.questions }).toMatchObject({
      output: { status: 'rejected', reason },
      questions: [],
    });
  });

  const fewer = {
    'check.run': [unverified({ exit: 0, counts: counts(3), reason: 'exit 0, but 3 tests ran, the base had 5' })],
  };

  it('asks a person at last where all that is missing are tests of the base, whatever the settings allow', async () => {
    const reason = 'checks unverified (npm test: exit 0, but 3 tests ran, the base had 5)';
    expect(outputOf(await check(fewer))).toMatchObject({ status: 'red', reason });
    const open = await check(fewer, { last: true, settings: { weakened: 'allow' } });
    expect(open.end).toEqual({ status: 'waiting', reason: 'T1/verify#1/fewer' });
    const accepted = await check(fewer, { last: true, options: { 'T1/verify#1/fewer': 'accept' } });
    expect(outputOf(accepted)).toMatchObject({
      status: 'passed',
      basis: {
        accepted: [
          { path: 'npm test', case: 'weakened', action: 'allow', reason: 'exit 0, but 3 tests ran, the base had 5' },
        ],
      },
    });
    const refused = await check(fewer, { last: true, options: { 'T1/verify#1/fewer': 'refuse' } });
    expect(outputOf(refused)).toMatchObject({ status: 'rejected', reason });
    const set = await check(fewer, { last: true, settings: { weakened: 'refuse' } });
    expect({ output: outputOf(set), questions: set.questions }).toMatchObject({
      output: { status: 'rejected', reason },
      questions: [],
    });
  });

  it('lets a merged tree lose no more tests than were accepted', () => {
    const lost = (passed: number, exit: number | null = 0) => unverified({ exit, counts: counts(passed) });
    expect(isAsAccepted(report(), report())).toBe(true);
    expect(isAsAccepted(lost(3), lost(3))).toBe(true);
    expect(isAsAccepted(lost(4), lost(3))).toBe(true);
    expect(isAsAccepted(lost(2), lost(3))).toBe(false);
    expect(isAsAccepted(lost(3), report())).toBe(false);
    expect(isAsAccepted(lost(3, null), lost(3))).toBe(false);
    expect(isAsAccepted(red(), lost(3))).toBe(false);
  });

  const changing: Answers = {
    'check.run': ({ judge }) => (judge === base ? report({ checkChanged: changed }) : judging(judge)),
  };

  it('asks about a change of what judges; accepted, the commit is judged by its own', async () => {
    const played = await check(changing, { options: { 'T1/verify#1/judge': 'accept' } });
    expect(outputOf(played)).toMatchObject({
      status: 'passed',
      report: { judge: commit(1) },
      basis: {
        judge: commit(1),
        accepted: [{ path: 'package.json', case: 'judge', action: 'allow', reason: 'scripts.test changed' }],
      },
    });
    expect(keysOf(played)).toEqual(['T1/verify#1/check', 'T1/verify#1/check/accepted', 'T1/verify#1/evidence']);
  });

  it('rejects a change of what judges that a person or the settings refuse, without asking where they say so', async () => {
    const reason = 'it changes what judges it: package.json: scripts.test changed';
    const asked = await check(changing, { options: { 'T1/verify#1/judge': 'refuse' } });
    expect(outputOf(asked)).toMatchObject({ status: 'rejected', reason, basis: { judge: base, accepted: [] } });
    const set = await check(changing, { settings: { judge: 'refuse' } });
    expect({ output: outputOf(set), questions: set.questions }).toMatchObject({
      output: { status: 'rejected', reason },
      questions: [],
    });
    const allowed = await check(changing, { settings: { judge: 'allow' } });
    expect({ output: outputOf(allowed), questions: allowed.questions }).toMatchObject({
      output: { status: 'passed', basis: { judge: commit(1) } },
      questions: [],
    });
  });

  const weak: Answers = { 'check.run': [report()], 'evidence.measure': [{ redGreen: [], findings: weakened }] };
  const reason = 'a.test.ts: a test is skipped; it was not before; b.test.ts: a test is gone';

  it('sends weakened evidence back while an agent can mend it', async () => {
    const played = await check(weak);
    expect(outputOf(played)).toMatchObject({ status: 'red', findings: weakened, reason });
    expect(played.questions).toEqual([]);
  });

  it('asks about weakened evidence on the last round, one line for each finding', async () => {
    const last = await check(weak, { last: true });
    expect(last.end).toEqual({ status: 'waiting', reason: 'T1/verify#1/weakened' });
    const accepted = await check(weak, { last: true, options: { 'T1/verify#1/weakened': 'accept' } });
    expect(outputOf(accepted)).toMatchObject({
      status: 'passed',
      basis: {
        accepted: [
          { path: 'a.test.ts', case: 'weakened', action: 'allow' },
          { path: 'b.test.ts', case: 'weakened', action: 'allow' },
        ],
      },
    });
    const refused = await check(weak, { last: true, options: { 'T1/verify#1/weakened': 'refuse' } });
    expect(outputOf(refused)).toMatchObject({ status: 'rejected', reason });
    const set = await check(weak, { last: true, settings: { weakened: 'refuse' } });
    expect(outputOf(set)).toMatchObject({ status: 'rejected', reason });
  });
});
