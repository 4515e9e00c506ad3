import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lessonId } from '../../src/memory/lesson.ts';
import { parseLessons, reviseLessons } from '../../src/memory/lesson-file.ts';
import { applyLessons, mergeLessons } from '../../src/memory/lessons.ts';
import { date, file, lesson, newLesson } from './arbitraries.ts';

const example = `# What we learned

## Testing (vitest, timers)
Mostly about clocks.
- [2026-03-01,2] Fake timers before the import
- remember the milk
## Build
- [2026-02-30,0] no such day
`;

describe('a file of lessons', () => {
  it('is read, and what does not fit is reported with its line', () => {
    const category = 'Testing';
    const text = 'Fake timers before the import';
    expect(parseLessons(example, 'testing.md', 'user')).toEqual({
      lessons: [
        {
          id: lessonId(category, text),
          category,
          keywords: ['vitest', 'timers'],
          text,
          scope: 'user',
          date: '2026-03-01',
          applied: 2,
          confidence: 0.5,
        },
      ],
      problems: [
        { source: 'testing.md', line: 6, problem: '"- remember the milk" is not a lesson "- [YYYY-MM-DD,0] text".' },
        {
          source: 'testing.md',
          line: 8,
          problem: '"- [2026-02-30,0] no such day" is not a lesson "- [YYYY-MM-DD,0] text".',
        },
      ],
    });
  });

  it('names a confidence only where it is not the usual one', () => {
    const text = '## A\n- [2026-03-01,2,0.8] one\n- [2026-03-01,0] two\n';
    const { lessons, problems } = parseLessons(text, 'a.md');
    expect([lessons.map(({ confidence }) => confidence), problems]).toEqual([[0.8, 0.5], []]);
    expect(reviseLessons('', lessons).trim()).toBe(text.trim());
    const lower = lessons.map((one) => ({ ...one, confidence: 0.25 }));
    expect(reviseLessons(text, lower)).toBe('## A\n- [2026-03-01,2,0.25] one\n- [2026-03-01,0,0.25] two\n');
  });

  it('keeps every other line when it is revised', () => {
    const { lessons } = parseLessons(example, 'testing.md');
    const used = applyLessons(
      lessons,
      lessons.map(({ id }) => id),
    );
    const added = [
      { category: 'testing', keywords: ['Vitest', 'flaky'], text: 'Wait for\nconditions' },
      { category: 'Build', keywords: ['npm'], text: 'Pin versions' },
      { category: 'Review', keywords: [], text: 'Read it twice' },
    ];
    expect(reviseLessons(example, mergeLessons(used, added, { date: '2026-04-01' }).lessons)).toBe(`# What we learned

## Testing (vitest, timers, flaky)
Mostly about clocks.
- [2026-03-01,3] Fake timers before the import
- [2026-04-01,0] Wait for conditions
- remember the milk
## Build (npm)
- [2026-04-01,0] Pin versions
- [2026-02-30,0] no such day

## Review
- [2026-04-01,0] Read it twice
`);
  });

  it('keeps its line endings and gets the one that was missing', () => {
    const before = '## Build\r\n- [2026-01-01,0] Pin versions';
    const { lessons } = mergeLessons(
      parseLessons(before, 'b.md').lessons,
      [{ category: 'Build', keywords: [], text: 'Build twice' }],
      { date: '2026-01-02' },
    );
    expect(reviseLessons(before, lessons)).toBe(`${before}\r\n- [2026-01-02,0] Build twice\r\n`);
  });

  it('reports a lesson without a heading and a heading without an end', () => {
    expect(parseLessons('- [2026-01-01,0] x\n## Build (npm\n- [2026-01-01,0] y', 'b.md')).toEqual({
      lessons: [],
      problems: [1, 2, 3].map((line) => ({ source: 'b.md', line, problem: expect.any(String) })),
    });
  });

  it('with an endless line is read in no time', () => {
    const hostile = `## ${' '.repeat(200_000)}(\n- [2026-01-01,0] ${'.'.repeat(200_000)}x\n`;
    expect(parseLessons(hostile, 'h.md')).toMatchObject({ lessons: [], problems: [{ line: 1 }, { line: 2 }] });
  });

  it('reads back what was written', () => {
    fc.assert(
      fc.property(fc.array(lesson), (lessons) => {
        const own = lessons.map((each) => ({ ...each, scope: 'project' as const }));
        const text = own.map((each) => reviseLessons('', [each])).join('\n');
        expect(parseLessons(text, 'x.md')).toEqual({ lessons: own, problems: [] });
      }),
    );
  });

  it('is not changed where nothing changed', () => {
    fc.assert(
      fc.property(file, (text) => {
        expect(reviseLessons(text, parseLessons(text, 'x').lessons)).toBe(text);
      }),
    );
  });

  it('loses no line, and holds what was merged, once', () => {
    fc.assert(
      fc.property(file, fc.array(newLesson), date, (before, added, day) => {
        const parsed = parseLessons(before, 'x');
        const merged = mergeLessons(parsed.lessons, added, { date: day });
        const after = reviseLessons(before, merged.lessons);
        const again = parseLessons(after, 'x');
        expect(again.problems.map(({ problem }) => problem)).toEqual(parsed.problems.map(({ problem }) => problem));
        expect(again.lessons.map(({ id }) => id).toSorted()).toEqual(merged.lessons.map(({ id }) => id).toSorted());
        expect(remaining(before, after)).toEqual([]);
        const twice = reviseLessons(after, mergeLessons(again.lessons, added, { date: day }).lessons);
        expect(twice).toBe(after);
      }),
      { numRuns: 200 },
    );
  });
});

/** Lines of the first that are not in the second in the same order; dates and keywords may have moved. */
function remaining(before: string, after: string): string[] {
  const plain = (text: string) =>
    text.split('\n').map((line) =>
      line
        .replace(/\r$/, '')
        .replace(/^([-*]\s+\[)[^\]]*\]/, '$1]')
        .replace(/^(## [^()]*[^() ])(?: \([^()]*\))?$/, '$1'),
    );
  const lines = plain(after);
  return plain(before).filter((line) => {
    const at = lines.indexOf(line);
    if (at !== -1) lines.splice(0, at + 1);
    return at === -1 && line !== '';
  });
}
