import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chronicleOf } from '../../src/views/chronicle.ts';
import { renderTree } from '../../src/views/render-tree.ts';
import { type RunView, runView } from '../../src/views/run-view.ts';
import { displayWidth } from '../../src/views/terminal-text.ts';
import type { NodeStatus, ViewNode } from '../../src/views/view-node.ts';
import { factsUntil } from './recorded-run.ts';
import { after } from './steps.ts';

describe('renderTree', () => {
  it('says how to look into what failed while the rest goes on, if that fits', () => {
    const facts = factsUntil('waves', ({ type }) => type === 'task.ended').map((fact) =>
      fact.type === 'task.ended' ? { ...fact, data: { ...fact.data, status: 'failed' as const } } : fact,
    );
    const draw = (columns: number): string[] => {
      const view = runView(chronicleOf(facts), { now: after(facts, 12) });
      return renderTree(view, { columns, rows: 24, color: false, frame: 3 });
    };
    expect(draw(80).at(-1)).toBe('  forge logs proof W1');
    expect(draw(20).join('\n')).not.toContain('forge logs');
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
    type: fc.constantFrom('step', 'task', 'effect'),
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
  standing: fc.option(fc.record({ text: nasty, isBad: fc.boolean() }), { nil: undefined }),
  hints: fc.array(nasty, { maxLength: 4 }),
});
