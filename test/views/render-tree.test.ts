import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJournal } from '../../src/engine/read-journal.ts';
import { chronicleOf } from '../../src/views/chronicle.ts';
import { renderTree } from '../../src/views/render-tree.ts';
import { type RunView, runView } from '../../src/views/run-view.ts';
import { displayWidth } from '../../src/views/terminal-text.ts';
import type { NodeStatus, ViewNode } from '../../src/views/view-node.ts';
import { after, factsFrom, type Step } from './steps.ts';
import { complete, midway, planning, unverified } from './story.ts';

const activity = new Map([['W1/test#2', 'running npm test -- test/query.test.js']]);

function draw(
  steps: readonly Step[],
  columns: number,
  more: { rows?: number; ascii?: boolean; color?: boolean } = {},
): string {
  const facts = factsFrom(steps);
  const view = runView(chronicleOf(facts), { now: after(facts, 12), activity });
  return renderTree(view, { columns, rows: 24, color: false, frame: 3, ...more }).join('\n');
}

describe('renderTree', () => {
  it('shows a wave at work', () => {
    expect(draw(midway, 80)).toMatchInlineSnapshot(`
      "⠸ Search the notes by words.                                      $0.36    0:43
      ├─ ✓ Plan  4 tasks in 2 waves                                     $0.12    0:02
      ├─ ✓ Checks on the base  passed, 4 tests                                   0:01
      ├─ ⠸ Wave 1/2 [T1, T3]  testing again                             $0.24    0:18
      │  ├─ • T1 Parse queries  L
      │  ├─ • T3 Rank results  M
      │  ├─ ✗ Round 1  1 bug found                                      $0.18    0:05
      │  └─ ⠸ Fix round 1/3  testing again                              $0.06    0:13
      │     ├─ ✓ developer  Folded case.                                $0.06    0:01
      │     └─ ⠸ tester  running npm test -- test/query.test.js                  0:12
      ├─ ○ Wave 2/2 [T2, T4]
      │  ├─ ○ T2 Show results with the matching words marked  M
      │  └─ ○ T4 Remember the last ten searches  L
      ├─ ○ Integration test
      └─ ○ Learn"
    `);
    expect(draw(midway, 40)).toMatchInlineSnapshot(`
      "⠸ Search the notes by words. 0:43 $0.36
        ✓ Plan  4 tasks in 2 waves       0:02
        ✓ Checks on the base  passed, 4… 0:01
        ⠸ Wave 1/2 [T1, T3]  testing ag… 0:18
          • T1 Parse queries  L
          • T3 Rank results  M
          ✗ Round 1  1 bug found         0:05
          ⠸ Fix round 1/3  testing again 0:13
            ✓ developer  Folded case.    0:01
            ⠸ tester  running npm test…  0:12
        ○ Wave 2/2 [T2, T4]
          ○ T2 Show results with the matchin…
          ○ T4 Remember the last ten searches
        ○ Integration test
        ○ Learn"
    `);
  });

  it('says how to look into what failed while the rest goes on, if that fits', () => {
    const failed: Step = ['task.ended', 'W1', { task: 'W1', status: 'failed', reason: 'bugs are left' }];
    expect(
      draw([...midway, failed], 80)
        .split('\n')
        .at(-1),
    ).toBe('  forge logs search-notes-x1y2 W1');
    expect(draw([...midway, failed], 30)).not.toContain('forge logs');
  });

  it('asks while it waits for approval', () => {
    expect(draw(planning, 80)).toMatchInlineSnapshot(`
      "⠸ Search the notes by words.                                      $0.12    0:22
      ? Go ahead with this plan?
      ├─ ○ Plan  4 tasks in 2 waves                                     $0.12    0:02
      │  ├─ ✓ planner  4 tasks in 2 waves                               $0.06    0:01
      │  └─ ✓ planner, round 2  4 tasks in 2 waves                      $0.06    0:01
      ├─ ○ Wave 1/2 [T1, T3]
      │  ├─ ○ T1 Parse queries  L
      │  └─ ○ T3 Rank results  M
      ├─ ○ Wave 2/2 [T2, T4]
      │  ├─ ○ T2 Show results with the matching words marked  M
      │  └─ ○ T4 Remember the last ten searches  L
      ├─ ○ Integration test
      └─ ○ Learn"
    `);
  });

  it('shows a complete run, and what was not verified', () => {
    expect(draw(complete, 80)).toMatchInlineSnapshot(`
      "✓ Search the notes by words.  done                                $0.78    1:38
      ├─ ✓ Plan  4 tasks in 2 waves                                     $0.12    0:02
      ├─ ✓ Checks on the base  passed, 4 tests                                   0:01
      ├─ ✓ Wave 1/2 [T1, T3]  merged 3333333                            $0.30    0:12
      │  ├─ ✓ T1 Parse queries  L
      │  ├─ ✓ T3 Rank results  M
      │  ├─ ✗ Round 1  1 bug found                                      $0.18    0:05
      │  ├─ ✓ Fix round 1/3  passed, unit 8/8, integration 2/2, 1 skip… $0.12    0:04
      │  └─ ✓ merge  3333333, 3 files, 1 flag                                    0:03
      ├─ ✓ Wave 2/2 [T2, T4]  merged 5555555                            $0.12    0:07
      │  ├─ ✓ T2 Show results with the matching words marked  M
      │  ├─ ✓ T4 Remember the last ten searches  L
      │  ├─ ✓ Round 1  passed, unit 4/4                                 $0.12    0:04
      │  └─ ✓ merge  5555555, 1 file                                             0:03
      ├─ ✓ Integration test  passed, unit 12/12, integration 4/4, 1 sk… $0.18    0:10
      │  ├─ ✗ Round 1  1 bug found                                      $0.06    0:03
      │  └─ ✓ Fix round 1/3  passed, unit 12/12, integration 4/4, 1 sk… $0.12    0:07
      └─ ✓ Learn  1 lesson                                              $0.06    0:02"
    `);
    expect(draw(unverified, 80)).toMatchInlineSnapshot(`
      "✗ Search the notes by words.  failed: W1: unverified: the tester… $0.42    0:30
      ├─ ✓ Plan  4 tasks in 2 waves                                     $0.12    0:02
      ├─ ✓ Checks on the base  passed, 4 tests                                   0:01
      ├─ ? Wave 1/2 [T1, T3]  unverified: the tester: no usable reply   $0.24    0:04
      │  ├─ ? T1 Parse queries  L
      │  ├─ ? T3 Rank results  M
      │  └─ ? Round 1  unusable reply: The reply does not fit the role… $0.24    0:04
      ├─ – Wave 2/2 [T2, T4]  depends on W1, which is failed
      │  ├─ – T2 Show results with the matching words marked  M
      │  └─ – T4 Remember the last ten searches  L
      ├─ – Integration test
      └─ ✓ Learn  0 lessons                                             $0.06    0:01"
    `);
  });

  it('folds what is older and finished when rows are few, and never what is at work', () => {
    expect(draw(midway, 60, { rows: 8, ascii: true })).toMatchInlineSnapshot(`
      "\\ Search the notes by words.                  $0.36    0:43
      |- ... 2 done
      |- \\ Wave 1/2 [T1, T3]  testing again         $0.24    0:18
      |  |- x Round 1  1 bug found                  $0.18    0:05
      |  \`- \\ Fix round 1/3  testing again          $0.06    0:13
      |     |- + developer  Folded case.            $0.06    0:01
      |     \`- \\ tester  running npm test -- test/query.t... 0:12
      \`- ... 3 waiting"
    `);
    expect(draw(complete, 60, { rows: 10 })).toMatchInlineSnapshot(`
      "✓ Search the notes by words.  done            $0.78    1:38
      ├─ ✓ Plan  4 tasks in 2 waves                 $0.12    0:02
      ├─ ✓ Checks on the base  passed, 4 tests               0:01
      ├─ ✓ Wave 1/2 [T1, T3]  merged 3333333        $0.30    0:12
      ├─ ✓ Wave 2/2 [T2, T4]  merged 5555555        $0.12    0:07
      ├─ ✓ Integration test  passed, unit 12/12, i… $0.18    0:10
      │  ├─ ✗ Round 1  1 bug found                  $0.06    0:03
      │  └─ ✓ Fix round 1/3  passed, unit 12/12, i… $0.12    0:07
      └─ ✓ Learn  1 lesson                          $0.06    0:02"
    `);
    expect(draw(midway, 30, { rows: 4 })).toMatchInlineSnapshot(`
      "⠸ Search the note… 0:43 $0.36
          ⠸ Fix round 1/3      0:13
            ⠸ tester  running… 0:12
      … 5 more lines"
    `);
  });

  it('colours only on request, and colour changes no width', () => {
    const plain = draw(midway, 80).split('\n');
    const coloured = draw(midway, 80, { color: true }).split('\n');
    // oxlint-disable-next-line no-control-regex
    expect(coloured.map((line) => line.replaceAll(/\u001b\[\d+m/g, '').trimEnd())).toEqual(plain);
    expect(coloured[1]).toBe(
      '\u001b[2m├─ \u001b[0m\u001b[32m✓ \u001b[0mPlan  \u001b[2m4 tasks in 2 waves\u001b[0m\u001b[2m                                     $0.12    0:02\u001b[0m',
    );
  });

  it('draws any other workflow by its keys', () => {
    const file = resolve(import.meta.dirname, '../golden/everything-format-1.jsonl');
    const { facts } = readJournal(readFileSync(file), { file });
    const view = runView(chronicleOf(facts), { now: after(facts, 0) });
    expect(renderTree(view, { columns: 80, rows: 60, color: false, frame: 0 }).join('\n')).toMatchInlineSnapshot(`
      "✓ Proof  done                                                     $0.07    0:05
      ├─ ✓ baseline  passed                                                      0:00
      ├─ ✓ T1 Make T1  commit 4a2b900                                   $0.02    0:03
      │  ├─ ✓ develop#1  done                                           $0.01    0:00
      │  ├─ ✗ verify#1 check  failed: node check.js: exit 1                      0:01
      │  ├─ ✓ develop#2  done                                           $0.01    0:00
      │  ├─ ✓ verify#2 check  passed                                             0:00
      │  ├─ ✓ verify#2 evidence                                                  0:00
      │  └─ ✓ integrate#1  4a2b900, 1 file                                       0:00
      ├─ ✓ T2 Make T2  commit 38142aa                                   $0.03    0:03
      │  ├─ ✓ develop#1  done                                           $0.02    0:01
      │  ├─ ✓ verify#1 check  passed                                             0:00
      │  ├─ ✓ verify#1 evidence                                                  0:00
      │  ├─ ✗ integrate#1  conflict in src/shared.js                             0:00
      │  ├─ ✓ develop#1 (again, 2)  done                                $0.01    0:00
      │  ├─ ✓ verify#1 check (again, 2)  passed                                  0:00
      │  ├─ ✓ verify#1 evidence (again, 2)                                       0:00
      │  └─ ✓ integrate#1 (again, 2)  38142aa, 2 files, 1 flag                   0:00
      ├─ ✓ T3 Make T3  commit 18d267d                                   $0.01    0:02
      │  ├─ ✓ develop#1  done                                           $0.01    0:00
      │  ├─ ✓ verify#1 check  passed                                             0:01
      │  ├─ ✓ verify#1 evidence                                                  0:00
      │  └─ ✓ integrate#1  18d267d, 2 files, 1 flag                              0:00
      ├─ ✓ T4 Make T4  commit a73904f                                   $0.01    0:00
      │  ├─ ✓ develop#1  done                                           $0.01    0:00
      │  ├─ ✓ verify#1 check  passed                                             0:00
      │  ├─ ✓ verify#1 evidence                                                  0:00
      │  └─ ✓ integrate#1  a73904f, 1 file                                       0:00
      ├─ ✗ T5 Make T5  The agent crashed (exit 1).                               0:02
      │  └─ ✗ develop#1  truncated reply: The agent crashed (exit 1).            0:02
      ├─ – T6 Make T6  depends on T5, which is failed
      └─ ✓ publish                                                               0:00"
    `);
    const early = facts.slice(0, 30);
    const live = runView(chronicleOf(early), { now: after(early, 1) });
    expect(renderTree(live, { columns: 40, rows: 12, color: false, frame: 0 }).join('\n')).toMatchInlineSnapshot(`
      "⠋ Proof                            0:02
        ✓ baseline  passed               0:00
        ⠋ T1 Make T1  develop#1          0:01
          ⠋ develop#1                    0:01
        ⠋ T2 Make T2  develop#1          0:01
          ⠋ develop#1                    0:01
        ⠋ T3 Make T3  develop#1          0:01
          ⠋ develop#1                    0:01
        ○ T4 Make T4
        ⠋ T5 Make T5  develop#1          0:00
          ✗ develop#1  truncated reply:… 0:00
        ○ T6 Make T6"
    `);
  });

  it('fits any terminal whatever agents and plans say, and prints nothing but text', () => {
    fc.assert(
      fc.property(
        anyView,
        fc.integer({ min: 30, max: 120 }),
        fc.integer({ min: 1, max: 20 }),
        fc.boolean(),
        (view, columns, rows, ascii) => {
          const lines = renderTree(view, { columns, rows, color: false, frame: 7, ascii });
          expect(lines.length).toBeLessThanOrEqual(rows);
          for (const line of lines) {
            expect(displayWidth(line)).toBeLessThan(columns);
            expect(line).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
            if (ascii) expect(line).toMatch(/^[ -~]*$/);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('keeps the deepest work in sight at three rows and more', () => {
    const last = draw(midway, 80, { rows: 3 }).split('\n');
    expect(last).toHaveLength(3);
    expect(last[1]).toContain('running npm test');
  });
});

const nasty = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.constantFrom(
    '\u001b[31mred\u001b[0m',
    '\u001b]0;title\u0007',
    'a\nb\rc\td',
    '\u202egnp.exe',
    '漢字かな混じり文の長い題名',
    '👩‍👩‍👧 ⚠️ 🇩🇪',
    '\u009b31m',
  ),
);
const statuses: NodeStatus[] = ['waiting', 'running', 'done', 'failed', 'skipped', 'unverified', 'interrupted'];

const anyNode = fc.letrec<{ node: ViewNode }>((tie) => ({
  node: fc.record({
    id: fc.string(),
    label: nasty,
    kind: fc.constantFrom('wave', 'task', 'round', 'agent', 'merge'),
    status: fc.constantFrom(...statuses),
    detail: nasty,
    elapsedMs: fc.nat(10_000_000),
    usage: fc.constant({ inputTokens: 1, outputTokens: 1, costUsd: 12.5, turns: 1 }),
    children: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constant([]),
      fc.array(tie('node'), { maxLength: 5 }),
    ),
  }),
})).node;

const anyView: fc.Arbitrary<RunView> = fc.record({
  root: anyNode.map((node): ViewNode => ({ ...node, kind: 'run' })),
  questions: fc.array(fc.record({ key: fc.string(), title: nasty }), { maxLength: 4 }),
  hints: fc.array(nasty, { maxLength: 4 }),
});
