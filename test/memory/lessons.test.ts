import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lessonId, sameText } from '../../src/memory/lesson.ts';
import { applyLessons, mergeLessons, weighLessons } from '../../src/memory/lessons.ts';
import { date, lesson, newLesson } from './arbitraries.ts';

describe('lessons', () => {
  it('are the same whatever their case, spacing, quotes and final stop', () => {
    const id = lessonId('Testing', 'Fake timers first');
    expect(lessonId(' testing', 'fake  `timers` first.')).toBe(id);
    expect(lessonId('Build', 'Fake timers first')).not.toBe(id);
    expect(lessonId('Testing', 'Fake timers last')).not.toBe(id);
    expect(id).toMatch(/^[0-9a-f]{10}$/);
  });

  it('join the known ones once, and a known one moves its date', () => {
    const first = mergeLessons([], [{ category: 'Testing', keywords: ['vitest'], text: 'Fake timers first' }], {
      date: '2026-01-01',
    });
    const second = mergeLessons(
      applyLessons(
        first.lessons,
        [...first.lessons, ...first.lessons].map(({ id }) => id),
      ),
      [
        { category: 'Clocks', keywords: [], text: '"Fake timers first."' },
        { category: 'TESTING', keywords: ['vitest', 'clock'], text: ' Wait for\nconditions ' },
        { category: 'Testing', keywords: [], text: 'wait for conditions' },
        { category: 'Testing', keywords: [], text: ' \n' },
      ],
      { date: '2026-02-02', scope: 'user' },
    );
    const shared = { category: 'Testing', keywords: ['vitest', 'clock'], date: '2026-02-02', confidence: 0.5 };
    const known = {
      ...shared,
      id: lessonId('Testing', 'Fake timers first'),
      text: 'Fake timers first',
      scope: 'project',
      applied: 1,
    };
    const added = {
      ...shared,
      id: lessonId('Testing', 'Wait for conditions'),
      text: 'Wait for conditions',
      scope: 'user',
      applied: 0,
    };
    expect(second).toEqual({ lessons: [known, added], added: [added], merged: [known] });
  });

  it('are never lost by a merge, never doubled by it, and joining them again changes nothing', () => {
    fc.assert(
      fc.property(fc.array(lesson), fc.array(newLesson), date, (existing, added, day) => {
        const once = mergeLessons(existing, added, { date: day });
        const ids = once.lessons.map(({ id }) => id);
        expect(existing.filter(({ id }) => !ids.includes(id))).toEqual([]);
        expect(once.lessons.length).toBe(existing.length + once.added.length);
        expect(new Set(once.added.map(({ text }) => sameText(text))).size).toBe(once.added.length);
        expect(once.lessons.every(({ text }) => !/[\n\r\u2028]/.test(text) && text.trim() !== '')).toBe(true);
        const twice = mergeLessons(once.lessons, added, { date: day });
        expect(twice).toMatchObject({ lessons: once.lessons, added: [] });
      }),
    );
  });

  it('count each use once', () => {
    fc.assert(
      fc.property(fc.array(lesson), fc.array(fc.nat(5)), (lessons, picks) => {
        const ids = picks.flatMap((at) => lessons[at]?.id ?? []);
        expect(applyLessons(lessons, ids)).toEqual(
          lessons.map((each) => ({ ...each, applied: each.applied + (ids.includes(each.id) ? 1 : 0) })),
        );
      }),
    );
  });

  it('are trusted more when they helped, less when they were wrong, and never beyond the bounds', () => {
    const lessons = mergeLessons(
      [],
      [
        { category: 'A', keywords: [], text: 'one' },
        { category: 'A', keywords: [], text: 'two' },
      ],
      {
        date: '2026-01-01',
      },
    ).lessons;
    const [one, two] = lessons.map(({ id }) => id);
    const weighed = weighLessons(lessons, { helped: [one ?? ''], contradicted: [two ?? ''] });
    expect(weighed.map(({ confidence }) => confidence)).toEqual([0.6, 0.25]);
    const certain = lessons.map((each) => ({ ...each, confidence: 1 }));
    expect(weighLessons(certain, { helped: [one ?? ''], contradicted: [] })).toEqual(certain);
    fc.assert(
      fc.property(fc.array(lesson), fc.array(fc.boolean()), (known, rounds) => {
        const ids = known.map(({ id }) => id);
        const end = rounds.reduce<readonly (typeof known)[number][]>(
          (now, good) =>
            weighLessons(now, good ? { helped: ids, contradicted: [] } : { helped: [], contradicted: ids }),
          known,
        );
        expect(end.every(({ confidence }) => confidence >= 0 && confidence <= 1)).toBe(true);
      }),
    );
  });
});
