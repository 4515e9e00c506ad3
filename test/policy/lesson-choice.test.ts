/** Who is given which lessons. */
import { expect, it } from 'vitest';
import type { Lesson } from '../../src/policy/lesson.ts';
import { lessonsFor } from '../../src/policy/lesson-choice.ts';

const lesson = (category: string, text = category): Lesson => ({
  id: text,
  category,
  keywords: [],
  text,
  scope: 'project',
  date: '2026-01-01',
  applied: 0,
  confidence: 0.5,
});

it('gives a role what it can act on, and no more than there is room for', () => {
  const lessons = [lesson('convention'), lesson('Failure pattern'), lesson('success_pattern')];
  const given = (role: string) => lessonsFor(role, lessons).map(({ category }) => category);
  expect(given('architect')).toEqual(['convention', 'Failure pattern', 'success_pattern']);
  expect(given('worker')).toEqual(['convention']);
  expect(given('debugger')).toEqual(['convention', 'Failure pattern']);
  const long = [lesson('a', 'x'.repeat(2000)), lesson('b', 'y'.repeat(2000)), lesson('c', 'short')];
  expect(lessonsFor('architect', long).map(({ category }) => category)).toEqual(['a', 'c']);
});
