/**
 * Places in a document that only whoever writes it can fill in: a workflow has no clock. Control characters cannot come
 * from anybody else, because texts of others are cleaned before they get into a document. Pure.
 */
export const minuteMark = '\u0001minute\u0001';
export const dayMark = '\u0001day\u0001';

/** `2026-05-04 10:30`, in UTC. */
export function fillMarks(text: string, now: Date): string {
  const [day = '', time = ''] = now.toISOString().split('T', 2);
  return text.replaceAll(minuteMark, `${day} ${time.slice(0, 5)}`).replaceAll(dayMark, day);
}
