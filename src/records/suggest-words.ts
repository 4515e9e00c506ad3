/**
 * What somebody probably meant by a word that fits nothing: the same word with hyphens, a word people use for it
 * elsewhere, else what is at most two slips away. At most three guesses, the nearest first. Pure.
 */
import { editDistance } from '../plan/task-id.ts';

const mostGuesses = 3;
const mostSlips = 2;
/** A longer list of candidates is not worth looking through. */
const mostCandidates = 200;

/** Words of other tools, and what they are called here. */
const otherNames: ReadonlyMap<string, readonly string[]> = new Map([
  ['task', ['taskId']],
  ['completed', ['committed']],
  ['in-progress', ['implementing']],
  ['implemented', ['implementing']],
  ['timestamp', ['startTimestamp', 'endTimestamp']],
  ['start', ['startTimestamp']],
  ['task-completed', ['task-committed']],
  ['set', ['set-summary']],
  ['create', ['write']],
]);

export function suggestWords(word: string, candidates: readonly string[]): readonly string[] {
  if (word === '' || candidates.length > mostCandidates || candidates.includes(word)) return [];
  const hyphened = word.replaceAll('_', '-');
  if (candidates.includes(hyphened)) return [hyphened];
  const known = (otherNames.get(hyphened) ?? []).filter((name) => candidates.includes(name));
  if (known.length > 0) return known.slice(0, mostGuesses);
  return candidates
    .map((candidate) => ({ candidate, slips: editDistance(hyphened, candidate, mostSlips + 1) }))
    .filter(({ slips }) => slips <= mostSlips)
    .sort((a, b) => a.slips - b.slips || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, mostGuesses)
    .map(({ candidate }) => candidate);
}

/** As a sentence, or nothing. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const guesses = suggestWords(word, candidates).map((guess) => JSON.stringify(guess));
  if (guesses.length === 0) return '';
  const last = guesses.pop() ?? '';
  return `Did you mean ${guesses.length === 0 ? last : `${guesses.join(', ')} or ${last}`}?`;
}

/** The same for ids, which people shorten: `S01` may mean `ACME-S01`. */
export function didYouMeanId(id: string, known: readonly string[]): string {
  const guess = didYouMean(id, known);
  if (guess !== '') return guess;
  const whole = known.find((one) => one.toLowerCase().endsWith(`-${id.toLowerCase()}`));
  return whole === undefined ? '' : `Did you mean ${JSON.stringify(whole)}?`;
}
