/** What someone probably meant, as a hint. */
import { nearestWord } from '../plan/task-id.ts';

export function suggestWord(word: string, known: readonly string[], otherwise: string): string {
  const meant = nearestWord(word, known);
  return meant === undefined ? otherwise : `Did you mean ${meant}?`;
}
