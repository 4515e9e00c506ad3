/** What goes into a prompt, and what is said about the rest. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { governContext, type Section } from '../../src/policy/context-governor.ts';
import { renderSections } from '../../src/policy/sections.ts';

const anySection: fc.Arbitrary<Section> = fc.record(
  {
    title: fc.string(),
    text: fc.oneof(
      fc.string(),
      fc.object().map((value) => JSON.stringify(value)),
      fc.constantFrom('x'.repeat(500), '😀'.repeat(99)),
    ),
    budget: fc.oneof(fc.nat(2000), fc.constantFrom(0, -1, Number.NaN, Number.POSITIVE_INFINITY)),
    keep: fc.constantFrom('both' as const, 'head' as const),
    fields: fc.array(fc.string(), { maxLength: 3 }),
    summary: fc.record({ name: fc.string(), text: fc.string() }),
  },
  { requiredKeys: ['title', 'text', 'budget'] },
);

describe('the context governor', () => {
  it('never throws, keeps every section in place, and is the same every time', () => {
    fc.assert(
      fc.property(fc.array(anySection, { maxLength: 8 }), fc.nat(400), (sections, window) => {
        const once = governContext(sections, { window });
        expect(once.sections).toHaveLength(sections.length);
        expect(once).toEqual(governContext(sections, { window }));
      }),
    );
    // Also for what a workflow without types hands over.
    const wrong = { title: undefined, text: undefined, budget: 'x' } as unknown as Section;
    expect(governContext([wrong]).sections).toHaveLength(1);
  });

  it('stays within the window, and leaves the last section whole', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(5000), { minLength: 1, maxLength: 6 }), (lengths) => {
        const sections = lengths.map((length, at) => ({
          title: `S${at}`,
          text: `${at}`.repeat(length),
          budget: 10_000,
        }));
        const { sections: shown } = governContext(sections, { window: 2000 });
        expect(shown.at(-1)?.text).toBe(sections.at(-1)?.text || '(none)');
        const before = shown.slice(0, -1).reduce((sum, { text }) => sum + text.length, 0);
        const last = shown.at(-1)?.text.length ?? 0;
        // The marker of a cut is all that may come on top.
        expect(before).toBeLessThanOrEqual(Math.max(0, 7200 - last) + 60 * lengths.length);
      }),
    );
  });

  it('says what it left out, how full the context is, and once what to do about it', () => {
    const long = 'A sentence that is there twice, because two parts of the program wanted it. '.repeat(12);
    const text = renderSections(
      [
        { title: 'Requirement', text: long, budget: 5000 },
        { title: 'Copy', text: long, budget: 5000 },
        {
          title: 'Old plan',
          text: long.toUpperCase(),
          budget: 5000,
          summary: { name: 'PLAN-SUMMARY.json', text: 'Two steps.' },
        },
        { title: 'Now', text: 'Go on.', budget: 100 },
      ],
      { window: 300, checkpoint: 'IMPLEMENTATION-SUMMARY.json' },
    );
    expect(text).toContain('## Copy\n\n[the same as "Requirement" above]\n');
    expect(text).toContain('## Old plan\n\n[left out: PLAN-SUMMARY.json says what matters of it]\nTwo steps.\n');
    expect(text.split('\n').slice(-5, -1)).toEqual([
      'Left out: Copy: the same as Requirement.',
      'Left out: Old plan: its summary PLAN-SUMMARY.json is shown instead.',
      'ctx: 0k / 0k (87 %)',
      'Your context is nearly full. Write what you found to IMPLEMENTATION-SUMMARY.json before you read on. You are told this once.',
    ]);
  });
});
