/** Lessons and files of them, as fast-check makes them. */
import fc from 'fast-check';
import { type Lesson, lessonId, type NewLesson, tidyLesson } from '../../src/memory/lesson.ts';

const words = fc.string({
  unit: fc.constantFrom(
    'a',
    'B',
    'é',
    '字',
    '😀',
    ' ',
    '`',
    '(',
    ')',
    ',',
    '[',
    ']',
    '-',
    '#',
    '.',
    '\n',
    '\r',
    '\u2028',
  ),
  maxLength: 12,
});

export const newLesson: fc.Arbitrary<NewLesson> = fc.record({
  category: fc.oneof(fc.constantFrom('Testing', 'testing ', 'Build'), words),
  keywords: fc.array(fc.oneof(fc.constantFrom('vitest', 'Timers'), words), { maxLength: 4 }),
  text: fc.oneof(fc.constantFrom('Fake timers first', 'fake `timers` first.', 'Pin versions'), words),
});

export const date = fc
  .integer({ min: 0, max: 3000 })
  .map((day) => new Date(Date.UTC(2020, 0, 1 + day)).toISOString().slice(0, 10));

export const lesson: fc.Arbitrary<Lesson> = fc
  .tuple(newLesson, date, fc.nat(50), fc.constantFrom('project' as const, 'user' as const), fc.nat(100))
  .map(([given, day, applied, scope, percent]) => {
    const tidy = tidyLesson(given) ?? { category: 'General', keywords: [], text: 'nothing' };
    return { ...tidy, id: lessonId(tidy.category, tidy.text), scope, date: day, applied, confidence: percent / 100 };
  });

/** A file as people leave them: lessons, headings and anything else. */
export const file = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '## Testing (vitest)',
        '## Testing',
        '## Build (npm, tsc)',
        '## Broken (',
        '# Title',
        '- [2026-01-02,3] Fake timers first',
        '* [2026-01-02, 0]  Pin versions',
        '- no date',
        '- [2026-13-40,1] impossible',
        'Prose.',
        '',
      ),
      words.map((text) => text.replaceAll('\n', '')),
    ),
  )
  .chain((lines) => fc.constantFrom('\n', '\r\n').map((end) => lines.join(end)));
