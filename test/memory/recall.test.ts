import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Lesson, lessonId } from '../../src/memory/lesson.ts';
import { recallLessons } from '../../src/memory/recall.ts';
import { lesson } from './arbitraries.ts';

function remembered(text: string, more: Partial<Lesson> = {}): Lesson {
  const category = more.category ?? 'General';
  const id = lessonId(category, text);
  return {
    id,
    category,
    keywords: [],
    text,
    scope: 'project',
    date: '2026-01-01',
    applied: 0,
    confidence: 0.5,
    ...more,
  };
}

function recalled(lessons: readonly Lesson[], query: string, limits = { limit: 10, chars: 1000 }): string[] {
  return recallLessons(lessons, query, limits).map(({ text }) => text);
}

describe('recall', () => {
  it('prefers what proved right and leaves out what proved wrong', () => {
    const lessons = [
      remembered('The queue needs a clock', { confidence: 0.3 }),
      remembered('The clock needs a queue', { confidence: 0.9 }),
      remembered('No queue has a clock', { confidence: 0.1 }),
    ];
    expect(recalled(lessons, 'queue clock')).toEqual(['The clock needs a queue', 'The queue needs a clock']);
  });

  it('finds what shares words with the work, the rarer the better', () => {
    const lessons = [
      remembered('The parser keeps comments'),
      remembered('Tests of the queue need a fake clock'),
      remembered('The queue is drained before shutdown'),
      remembered('Pin the compiler'),
    ];
    expect(recalled(lessons, 'Add a clock to the queues')).toEqual([
      'Tests of the queue need a fake clock',
      'The queue is drained before shutdown',
    ]);
  });

  it('looks at headings, at parts of names and at scripts without spaces', () => {
    const lessons = [
      remembered('Set it first', { category: 'Build', keywords: ['tsconfig'] }),
      remembered('retryPolicy must be pure'),
      remembered('先に時計を止める'),
    ];
    expect(recalled(lessons, 'change tsconfig')).toEqual(['Set it first']);
    expect(recalled(lessons, 'a retry')).toEqual(['retryPolicy must be pure']);
    expect(recalled(lessons, '時計の表示')).toEqual(['先に時計を止める']);
  });

  it('prefers what was used before, then what was learned lately', () => {
    const old = { date: '2024-01-01' };
    const lessons = [
      remembered('queue one', old),
      remembered('queue two', { ...old, applied: 9 }),
      remembered('queue six'),
    ];
    expect(recalled(lessons, 'queue')).toEqual(['queue six', 'queue two', 'queue one']);
    expect(recalled(lessons.slice(0, 2), 'queue')).toEqual(['queue two', 'queue one']);
  });

  it("names a lesson once, as the project's", () => {
    const lessons = [remembered('Queue it.', { scope: 'user' }), remembered('queue it', { scope: 'project' })];
    expect(recallLessons(lessons, 'queue', { limit: 9, chars: 99 }).map(({ scope }) => scope)).toEqual(['project']);
  });

  it('passes over what does not fit and takes what does', () => {
    const lessons = [remembered(`queue ${'queue '.repeat(20)}`.trim(), { applied: 9 }), remembered('queue it')];
    expect(recalled(lessons, 'queue', { limit: 5, chars: 20 })).toEqual(['queue it']);
    expect(recalled(lessons, 'nothing of that')).toEqual([]);
    expect(recalled(lessons, '')).toEqual([]);
  });

  it('stays within its limits, and the order of files does not matter', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(lesson, { selector: ({ text }) => text.toLowerCase() }),
        fc.string(),
        fc.nat(5),
        fc.nat(60),
        (lessons, more, limit, chars) => {
          const query = `${lessons[0]?.text ?? ''} ${more}`;
          const found = recallLessons(lessons, query, { limit, chars });
          expect(found.length).toBeLessThanOrEqual(limit);
          expect(found.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(chars);
          expect(found.every((each) => lessons.includes(each))).toBe(true);
          expect(recallLessons(lessons, query, { limit, chars })).toEqual(found);
        },
      ),
    );
  });
});
