import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderSections } from '../../src/policy/sections.ts';

describe('sections', () => {
  it('come in order, with their titles', () => {
    expect(
      renderSections([
        { title: 'Requirement', text: 'Count words.\n', budget: 100 },
        { title: 'Lessons', text: '', budget: 100 },
      ]),
    ).toBe('## Requirement\n\nCount words.\n\n## Lessons\n\n(none)\n');
  });

  it('say when they were cut, and keep head and tail', () => {
    const text = `${'a'.repeat(20_000)}${'z'.repeat(20_000)}`;
    expect(renderSections([{ title: 'Log', text, budget: 12_345 }])).toBe(
      `## Log\n\n${'a'.repeat(8230)}\n[cut: 12,345 of 40,000 characters shown]\n${'z'.repeat(4115)}\n`,
    );
  });

  it('are cut between lines where a line ends nearby', () => {
    const text = Array.from({ length: 100 }, (_, at) => `line ${String(at).padStart(3, '0')}`).join('\n');
    expect(renderSections([{ title: 'Log', text, budget: 40 }])).toBe(
      '## Log\n\nline 000\nline 001\nline 002\n[cut: 34 of 899 characters shown]\nline 099\n',
    );
  });

  it('without a budget show only that they were cut', () => {
    expect(renderSections([{ title: 'Log', text: 'abc', budget: 0 }])).toBe(
      '## Log\n\n[cut: 0 of 3 characters shown]\n',
    );
  });

  it('never show more than the budget, nor half a character, and are the same every time', () => {
    const anyText = fc.string({ unit: fc.constantFrom('a', 'é', '😀', '\n', ' ') });
    fc.assert(
      fc.property(anyText, fc.nat(30), (text, budget) => {
        const shown = renderSections([{ title: 'T', text, budget }]);
        expect(shown).toBe(renderSections([{ title: 'T', text, budget }]));
        expect(/\p{Cs}/u.test(shown)).toBe(false);
        const whole = text.trim();
        if (whole.length <= budget) {
          expect(shown).toBe(`## T\n\n${whole || '(none)'}\n`);
          return;
        }
        const match = /^## T\n\n([^]*?)\n?\[cut: (\d+) of (\d+) characters shown\]\n([^]*)$/.exec(shown);
        expect(Number(match?.[3])).toBe(whole.length);
        expect(Number(match?.[2])).toBeLessThanOrEqual(budget);
        expect(whole.startsWith(match?.[1] ?? '?')).toBe(true);
        expect(whole.endsWith((match?.[4] ?? '?').replace(/\n$/, ''))).toBe(true);
      }),
    );
  });
});
