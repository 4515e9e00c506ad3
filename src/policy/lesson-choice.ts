/**
 * Which of the recalled lessons a role is given: those it can act on, within a number of characters. A planner sees all;
 * who builds needs conventions and commands, who fixes needs what went wrong before. Pure.
 */
import type { Lesson } from './lesson.ts';

const most = 3000;

/** Categories a role has no use for. */
const unneeded: Readonly<Record<string, readonly string[]>> = {
  worker: ['success_pattern', 'failure_pattern'],
  reviewer: ['success_pattern', 'test_command'],
  debugger: ['success_pattern'],
  overseer: ['success_pattern', 'convention', 'architecture'],
  auditor: ['success_pattern', 'test_command'],
};

export function lessonsFor(role: string, lessons: readonly Lesson[]): readonly Lesson[] {
  const left = unneeded[role] ?? [];
  let room = most;
  return lessons.filter(({ category, text }) => {
    if (left.includes(plainCategory(category)) || text.length > room) return false;
    room -= text.length;
    return true;
  });
}

/** `Failure pattern` and `failure-pattern` are one. */
export function plainCategory(category: string): string {
  return category.toLowerCase().replaceAll(/[\s-]+/g, '_');
}
