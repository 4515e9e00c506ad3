/** The commands that show tasks to work. Pure. */
import type { Task } from './plan.ts';

/** Every command of these tasks, once. */
export function verifyOf(tasks: readonly Pick<Task, 'verify'>[]): Task['verify'] {
  const entries = tasks.flatMap((task) => task.verify);
  return [...new Map(entries.map((entry) => [JSON.stringify(entry), entry])).values()];
}
