import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fact } from '../../src/engine/facts.ts';
import { Journal } from '../../src/engine/files/journal.ts';
import { readJournal } from '../../src/engine/files/read-journal.ts';
import { advanceRun, foldRun, isRunOver } from '../../src/engine/run-state.ts';
import { countingClock } from '../support/clock.ts';
import { tempDir } from '../support/temp.ts';
import { base, identity, other } from './support.ts';

const usage = { inputTokens: 10, outputTokens: 5, costUsd: 0.5, turns: 1 };
const ran = (key: string): Step[] => [
  ['effect.started', key, { kind: 'agent.run', attempt: 1, input: {} }],
  ['effect.progressed', key, { attempt: 1, process: identity(5), session: `s-${key}` }],
  [
    'effect.finished',
    key,
    {
      attempt: 1,
      output: {
        outcome: { status: 'replied', reply: {}, usage, durationMs: 1 },
        commit: base,
        changes: [],
        leftBehind: [],
        agentCommits: [],
      },
    },
  ],
];
type Step = [Fact['type'], string, unknown];

/** Any order of plausible steps: the reducer must hold for all of them. */
const steps = fc
  .array(
    fc.oneof(
      fc.nat(4).map((n) => ran(`k${n}`)),
      fc.constant<Step[]>([
        ['run.opened', '', { holder: identity(1), epoch: 1, forge: '0', workflowVersion: 1, jail: 'none' }],
      ]),
      fc
        .constantFrom('paused', 'waiting', 'limit', 'error')
        .map((reason): Step[] => [['run.suspended', '', { reason }]]),
      fc.nat(3).map((n): Step[] => [['question.asked', `q${n}`, { title: 'Q' }]]),
      fc.nat(3).map((n): Step[] => [['question.answered', `q${n}`, { text: 'a' }]]),
      fc
        .nat(9)
        .map((n): Step[] => [
          ['signal.received', '', { id: `i${n}`, signal: { type: 'answer', key: 'q1', answer: { text: 'x' } } }],
        ]),
      fc
        .constantFrom('pause', 'cancel')
        .map((type): Step[] => [['signal.received', '', { id: type, signal: { type } }]]),
      fc.nat(3).map((n): Step[] => [['task.started', `T${n}`, { task: `T${n}` }]]),
      fc.nat(3).map((n): Step[] => [['task.ended', `T${n}`, { task: `T${n}`, status: 'done' }]]),
      fc
        .nat(3)
        .map((n): Step[] => [
          [
            'task.reopened',
            `T${n}`,
            { task: `T${n}`, generation: 2, tasks: [`T${n}`], forgotten: [`k${n}`, `q${n}`, 'never'] },
          ],
        ]),
      fc.nat(3).map((n): Step[] => [['effect.interrupted', `k${n}`, { attempt: 1, reason: 'crash' }]]),
    ),
    { maxLength: 25 },
  )
  .map((groups) => groups.flat());

function factsFrom(all: readonly Step[]): readonly Fact[] {
  const file = join(tempDir(), 'j.jsonl');
  const journal = Journal.create({ file, clock: countingClock() });
  for (const [type, key, data] of all) journal.append(type, key, data as never);
  journal.close();
  return readJournal(readFileSync(file), { file }).facts;
}

describe('fold', () => {
  it('is the same whether facts come at once or one by one, for any prefix', () => {
    fc.assert(
      fc.property(steps, fc.nat(), (all, cut) => {
        const facts = factsFrom(all);
        const at = facts.length === 0 ? 0 : cut % facts.length;
        const state = foldRun(facts.slice(0, at));
        for (const fact of facts.slice(at)) advanceRun(state, fact);
        expect(state).toEqual(foldRun(facts));
        expect(state.usage.inputTokens).toBe(10 * facts.filter((fact) => fact.type === 'effect.finished').length);
      }),
      { numRuns: 60 },
    );
  });

  it('knows the integration head, the receipts and the refs only from what landed', () => {
    const receipt = {
      task: 'T1',
      declared: [],
      changed: [],
      flags: [],
      leftBehind: [],
      before: base,
      after: other,
      source: other,
      base,
      checks: [],
    };
    const started = (kind: string): unknown => ({ kind, attempt: 1, input: {} });
    const state = foldRun(
      factsFrom([
        ['effect.started', 'a', started('merge.land')],
        ['effect.finished', 'a', { attempt: 1, output: { status: 'stale', head: other } }],
        ['effect.started', 'b', started('merge.land')],
        ['effect.finished', 'b', { attempt: 1, output: { status: 'merged', receipt } }],
        ['effect.started', 'c', started('branch.publish')],
        ['effect.finished', 'c', { attempt: 1, output: { ref: 'refs/heads/forge/r', after: other } }],
        ['run.ended', '', { status: 'done' }],
      ]),
    );
    expect({ integration: state.integration, receipts: state.receipts, refs: state.refs }).toEqual({
      integration: other,
      receipts: [receipt],
      refs: [{ ref: 'refs/heads/forge/r', after: other }],
    });
    expect(isRunOver(state)).toBe(true);
  });
});
