/** What workflows decide when one thing in a recorded run goes another way. In memory, in milliseconds. */
import { describe, expect, it } from 'vitest';
import type { EffectOutput } from '../../src/engine/effect-map.ts';
import { foldRun } from '../../src/engine/run-state.ts';
import { recordedFacts } from '../views/recorded-run.ts';
import { playAltered } from './altered-run.ts';

type AgentRan = EffectOutput<'agent.run'>;
type Checked = EffectOutput<'check.run'>;

/** The agent says something else. */
const replies =
  (reply: unknown) =>
  (ran: AgentRan): AgentRan => ({
    ...ran,
    outcome: { ...ran.outcome, status: 'replied', reply },
  });

const passes = (report: Checked): Checked => ({
  ...report,
  status: 'passed',
  commands: report.commands.map((command) => ({ ...command, status: 'passed', reason: '', newFailures: [] })),
});

it.each(['waves', 'modules'] as const)('%s does the same when everything goes the same way', async (name) => {
  expect(await playAltered(name, {})).toMatchObject({ missing: [], beyond: [] });
});

it.each(['waves', 'modules'] as const)('%s builds nothing that a person did not approve', async (name) => {
  const { status, missing, beyond } = await playAltered(name, { answers: { approve: { option: 'no' } } });
  expect({ status, beyond }).toEqual({ status: 'failed', beyond: [] });
  expect(missing).toContain('publish');
  expect(missing.filter((key) => key.endsWith('/develop#1'))).not.toEqual([]);
});

describe('waves', () => {
  it('needs no fix round when the tester and the checks are content', async () => {
    const { status, missing, beyond } = await playAltered('waves', { effects: { 'W2/verify#1/check': passes } });
    expect(beyond).toEqual(['W2/verify#1/evidence']);
    expect(status).toBe('stopped');
    expect(missing).toContain('W2/develop#2');
  });

  it('sends a bug of the integration test back to the wave it belongs to', async () => {
    const bug = { title: 'mul(0) fails', category: 'unit', severity: 'major', wave: 2, files: ['src/mul.js'] };
    const { beyond, missing } = await playAltered('waves', {
      effects: { 'integration/test#1': replies({ result: 'fail', bugs: [bug], summary: 'One bug' }) },
    });
    expect(beyond).toEqual(['integration/fix#1/W2']);
    expect(missing).toContain('publish');
  });
});

describe('modules', () => {
  it('goes on to validation when a review finds nothing', async () => {
    const { missing } = await playAltered('modules', { effects: { 'm1/review#1': replies({ findings: [] }) } });
    expect(missing).toContain('m1/develop#2');
    expect(missing).not.toContain('m1/validate#1/check');
  });

  it('needs no debugger when the checks pass', async () => {
    const { missing } = await playAltered('modules', { effects: { 'm2/validate#1/check': passes } });
    expect(missing).toContain('m2/debug#1');
    expect(missing).toContain('m2/overseer#1');
  });

  it('fixes nothing when no reader of the whole finds anything, and reads it once', async () => {
    const nothing = replies({ findings: [] });
    const built = foldRun(recordedFacts('modules')).receipts.findLast(({ task }) => /^m\d/.test(task))?.after;
    const { status, missing, beyond } = await playAltered('modules', {
      effects: {
        'final/review#1/A': nothing,
        'final/review#1/B': nothing,
        final: (read: EffectOutput<'integration.read'>) => ({ ...read, commit: built }),
      },
    });
    expect({ status, beyond }).toEqual({ status: 'done', beyond: [] });
    expect(missing.every((key) => key.startsWith('final/fix#1/') || key.includes('#2'))).toBe(true);
    expect(missing).toContain('final/review#2/A');
  });

  it('builds nothing on a module that could not be built', async () => {
    const { missing } = await playAltered('modules', {
      effects: { 'm1/develop#1': replies({ status: 'blocked', summary: 'The API is missing' }) },
    });
    expect(missing).toContain('m3/develop#1');
    expect(missing).not.toContain('m2/develop#1');
  });
});
