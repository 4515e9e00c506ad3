/** What a word of the store's own language probably means, as a hint; skins know nothing of records. */
import { didYouMean } from '../records/suggest-words.ts';

export function suggestVerb(word: string, verbs: readonly string[]): string {
  return didYouMean(word, verbs) || `It knows: ${verbs.join(', ')}.`;
}
