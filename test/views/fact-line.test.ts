import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Fact } from '../../src/engine/facts.ts';
import { readJournal } from '../../src/engine/read-journal.ts';
import { advanceChronicle, emptyChronicle } from '../../src/views/chronicle.ts';
import { factLine } from '../../src/views/fact-line.ts';
import { check, effect, factsFrom, type Step, started, commitOf } from './steps.ts';
import { approved, complete, midway, opening, unverified } from './story.ts';

function linesOf(facts: readonly Fact[]): string[] {
  const chronicle = emptyChronicle();
  return facts.flatMap((fact) => factLine(fact, advanceChronicle(chronicle, fact)) ?? []);
}
/** Only what the steps after the first ones say. */
function told(before: readonly Step[], steps: readonly Step[]): string {
  return linesOf(factsFrom([...before, ...steps]))
    .slice(linesOf(factsFrom(before)).length)
    .join('\n');
}

describe('factLine', () => {
  it('tells a whole run', () => {
    expect(linesOf(factsFrom(complete)).join('\n')).toMatchInlineSnapshot(`
      "Run search-notes-x1y2: Search the notes by words.
      Planning
      Waiting for an answer: Where is the history kept? (forge answer search-notes-x1y2 clarify/1)
      Answered: Where is the history kept? In a file
      Planning again (round 2)
      Plan ready: 4 tasks in 2 waves, .forge/search-notes-plan.md
        Tech stack: Node 20, no dependencies
        Architecture: A parser, a ranker and a renderer, joined in src/cli.js
        Business logic: A search finds notes by words, best match first
        Key decision: Ranking counts words, no stemming
        Key decision: History is a JSON file
        Confirmed: Where is the history kept? In a file
        Lessons applied: 1
      Wave plan: 2 waves
        Wave 1: T1, T3
        Wave 2: T2, T4
      Warning: The complexity adds up to 12; up to 15 fits one wave.
      Waiting for an answer: Go ahead with this plan? (forge answer search-notes-x1y2 approve)
      Answered: Go ahead with this plan? Yes, start
      Plan approved: 4 tasks
      Checks on the base passed, 4 tests
      Wave 1/2: developing [T1, T3]
      Wave 1/2: developed (unit tests: 2 files), .forge/search-notes-dev-W1.md
      Wave 1/2: testing [T1, T3]
      Wave 1/2: tester: unusable reply, retrying in recovery mode 2/3 (The reply does not fit the role's result: bugs: a failed test must name its bugs, and a skipped test is none.)
      Wave 1/2: test failed, 1 bug found (unit 7/8, integration 2/2)
        - major: Search is case sensitive (src/query.js)
      Wave 1/2: checks passed, 11 tests
      Wave 1/2: fixing 1 bug (round 1/3)
      Wave 1/2: 1 bug fixed
      Wave 1/2: testing again (round 1/3)
      Wave 1/2: test passed (unit 8/8, integration 2/2, 1 skipped)
        skipped: search over the network: no network here
      Wave 1/2: checks passed, 12 tests
      Wave 1/2: merged 3333333, 3 files
        flag: undeclared src/index.js: not declared by W1
      Wave 2/2: developing [T2, T4]
      Wave 2/2: developed, .forge/search-notes-dev-W2.md
      Wave 2/2: testing [T2, T4]
      Wave 2/2: test passed (unit 4/4)
      Wave 2/2: checks passed, 14 tests
      Wave 2/2: merged 5555555, 1 file
      Integration test
      Integration test failed, 1 bug found (unit 12/12, integration 3/4)
        - minor: History forgets the ranking (src/history.js)
      Integration: checks passed, 14 tests
      Integration: wave 2 fixes bugs (round 1/3)
      Integration: 1 bug fixed
      Integration test again (round 1/3)
      Integration test passed (unit 12/12, integration 4/4, 1 skipped)
        skipped: search over the network: no network here
      Integration: checks passed, 15 tests
      Integration: merged 7777777, 1 file
      Learning
      1 lesson learned
        - Queries are compared in lower case.
      Branch forge/search-notes-x1y2
      Done (1 min 38 s, $0.78, 156k tokens in, 10k out)"
    `);
  });

  it('tells a run that was not accepted', () => {
    expect(told(approved, unverified.slice(approved.length))).toMatchInlineSnapshot(`
      "Wave 1/2: developing [T1, T3]
      Wave 1/2: developed in part, .forge/search-notes-dev-W1.md
      Wave 1/2: testing [T1, T3]
      Wave 1/2: tester: unusable reply, retrying in recovery mode 2/3 (The reply is free text, not the result asked for.)
      Wave 1/2: tester: truncated reply, retrying in recovery mode 3/3 (The agent ended without a reply.)
      Wave 1/2: tester: no usable reply in 3 attempts, unverified (The reply does not fit the role's result: bugs: a failed test must name its bugs, and a skipped test is none.)
      Wave 1/2: failed: unverified: the tester: no usable reply (forge logs search-notes-x1y2 W1)
      Wave 2/2: skipped: depends on W1, which is failed
      Learning
      0 lessons learned
      Failed: W1: unverified: the tester: no usable reply (30 s, $0.42, 84k tokens in, 5.6k out)"
    `);
  });

  it('tells of red checks, conflicts and findings', () => {
    expect(
      told(approved, [
        ...check('W1/verify#1/check', 'failed', { passed: 3, failing: ['a', 'b'] }),
        ...effect(
          'evidence.measure',
          'W1/verify#1/evidence',
          {},
          { redGreen: [], findings: [{ path: 'test/a.js', line: 3, kind: 'skipped', claim: 'A test is skipped.' }] },
        ),
        ...effect(
          'merge.prepare',
          'W1/integrate#1/prepare',
          {},
          { status: 'conflict', before: commitOf('0'), files: ['src/a.js', 'src/b.js'] },
        ),
        ...effect('merge.land', 'W1/integrate#2/land', {}, { status: 'stale', head: commitOf('1') }),
      ]),
    ).toMatchInlineSnapshot(`
      "Wave 1/2: checks failed: npm test: exit 1, 2 of 5 tests fail
      Wave 1/2: 1 finding about the tests
        - test/a.js:3 A test is skipped.
      Wave 1/2: conflict in src/a.js, src/b.js
      Wave 1/2: the head moved, merging again"
    `);
  });

  it('tells how it stopped, and how to go on', () => {
    expect(
      told(midway, [
        ['signal.received', '', { id: 'i1', signal: { type: 'pause', reason: 'lunch' } }],
        ['run.suspended', '', { reason: 'paused', detail: 'interrupted by the terminal' }],
        [
          'run.opened',
          '',
          {
            holder: { pid: 1, startTime: '1', bootId: 'b', host: 'h' },
            epoch: 2,
            forge: '0.1.0',
            workflowVersion: 1,
            jail: 'none',
          },
        ],
        ['effect.interrupted', 'W1/test#2', { attempt: 1, reason: 'crash' }],
        [
          'signal.received',
          '',
          {
            id: 'i2',
            signal: { type: 'answer', key: 'approve', answer: { option: 'maybe' } },
            refused: 'there is no option "maybe"',
          },
        ],
        ['run.suspended', '', { reason: 'error', code: 'git-failed', detail: 'git update-ref failed' }],
        ['run.suspended', '', { reason: 'limit', detail: 'spent $5.00 of $5.00' }],
        ['run.suspended', '', { reason: 'waiting', detail: '1 question' }],
        ['run.ended', '', { status: 'failed', reason: 'W1: 1 bug(s) remain' }],
      ]),
    ).toMatchInlineSnapshot(`
      "Asked to pause: lunch
      Paused: interrupted by the terminal (go on with forge resume search-notes-x1y2)
      Resuming: wave 1/2, testing again (round 1/3) (left at 2026-04-28 10:00 UTC)
      No jail: agents can write wherever you can.
      W1/test#2: cut off by a crash, and done again
      Refused: the answer to approve: there is no option "maybe"
      Stopped: git update-ref failed [git-failed] (nothing is lost; when it is mended, go on with forge resume search-notes-x1y2)
      Stopped by a limit: spent $5.00 of $5.00 (go on with forge resume search-notes-x1y2)
      Waiting for a person: 1 question (forge answer search-notes-x1y2)
      Failed: W1: 1 bug(s) remain (36 s, $0.36, 72k tokens in, 4.8k out)"
    `);
  });

  it('tells any other workflow by its keys', () => {
    const file = resolve(import.meta.dirname, '../golden/everything-format-1.jsonl');
    expect(
      linesOf(readJournal(readFileSync(file), { file }).facts)
        .slice(0, 14)
        .join('\n'),
    ).toMatchInlineSnapshot(`
      "Run proof: Proof
      baseline: passed
      Waiting for an answer: Go ahead with this plan? (forge answer proof approve)
      Answered: Go ahead with this plan? Yes
      Plan approved: 6 tasks
      T1: started
      T2: started
      T5: started
      T3: started
      T1/develop#1: started
      T2/develop#1: started
      T5/develop#1: started
      T3/develop#1: started
      T5: developer: truncated reply, retrying in recovery mode 2/3 (The agent crashed (exit 1).)"
    `);
  });

  it('tells with the plan what it will take and where it stops', () => {
    const forecast = { text: 'about $2', limits: '$10, 8 h', soft: ['actor'] };
    const proposed: Step[] = [['note.recorded', 'proposal', { text: '', data: { waves: [['T1']], tasks: [] } }]];
    const made = effect('forecast.make', 'forecast', {}, forecast);
    expect(
      told([...opening, ...made], proposed)
        .split('\n')
        .slice(-2),
    ).toEqual(['Expected: about $2', 'Limits: $10, 8 h (of actor known only afterwards)']);
  });

  it('prints nothing an agent could do harm with', () => {
    const steps: Step[] = [
      ...opening,
      ['question.asked', 'q\u001b[2J', { title: 'Really?\u001b]0;owned\u0007\n\u202eon' }],
      started('agent.run', 'plan#1'),
      [
        'note.recorded',
        'proposal',
        { text: '', data: { waves: [['T1\u001b[31m\nT2']], tasks: [{ id: 'T1', title: 'x' }] } },
      ],
    ];
    for (const line of linesOf(factsFrom(steps))) expect(line).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
    expect(linesOf(factsFrom(steps)).at(-1)).toBe(
      'Plan ready: 1 task in 1 wave, .forge/search-notes-plan.md\nWave plan: 1 wave\n  Wave 1: T1 T2',
    );
  });
});
