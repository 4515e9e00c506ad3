/**
 * Which lessons matter for a piece of work: those that share words with it, ranked as a search engine does (BM25: rare
 * words count more, long lessons less), higher when they were used before, learned lately or proved right. Pure: age
 * is counted from the newest lesson, not from a clock. What shares no word, or is not trusted, is not recalled.
 */
import MiniSearch from 'minisearch';
import { leastConfidence, type Lesson, sameText } from './lesson.ts';

export interface RecallLimits {
  readonly limit: number;
  /** Of all recalled texts together. */
  readonly chars: number;
}

/** A word of the heading says more than one in the sentence. */
const headingWeight = 2;
const halfLifeDays = 180;

export function recallLessons(lessons: readonly Lesson[], query: string, limits: RecallLimits): Lesson[] {
  const recalled: Lesson[] = [];
  let room = limits.chars;
  for (const lesson of rankLessons(lessons, query)) {
    if (recalled.length >= limits.limit) break;
    if (lesson.text.length > room) continue;
    recalled.push(lesson);
    room -= lesson.text.length;
  }
  return recalled;
}

function rankLessons(lessons: readonly Lesson[], query: string): Lesson[] {
  const known = unique(lessons.filter((lesson) => lesson.confidence >= leastConfidence));
  const newest = Math.max(0, ...known.map(dayOf));
  const index = new MiniSearch<{ id: number; text: string; heading: string }>({
    fields: ['text', 'heading'],
    tokenize: termsOf,
    processTerm: (term) => term,
    searchOptions: {
      boost: { heading: headingWeight },
      boostDocument: (id) => {
        const lesson = known[id as number];
        return lesson === undefined ? 0 : weightOf(lesson, newest);
      },
    },
  });
  index.addAll(
    known.map(({ text, category, keywords }, id) => ({ id, text, heading: [category, ...keywords].join(' ') })),
  );
  return index
    .search(query)
    .map(({ id, score }) => ({ lesson: known[id as number] as Lesson, score }))
    .sort((a, b) => b.score - a.score || compare(b.lesson.date, a.lesson.date) || compare(a.lesson.id, b.lesson.id))
    .map(({ lesson }) => lesson);
}

function weightOf(lesson: Lesson, newest: number): number {
  return (1 + Math.log1p(lesson.applied) / 4) * recency(newest - dayOf(lesson)) * (0.5 + lesson.confidence);
}

/** The same lesson may be known to the project and to the user; the project's own is the one. */
function unique(lessons: readonly Lesson[]): Lesson[] {
  const byText = new Map<string, Lesson>();
  for (const lesson of lessons) {
    const key = sameText(lesson.text);
    const other = byText.get(key);
    if (other === undefined || (other.scope === 'user' && lesson.scope === 'project')) byText.set(key, lesson);
  }
  return [...byText.values()];
}

/** Words in lower case without plural, `camelCase` in its parts, scripts without spaces in pairs of characters. */
function termsOf(text: string): string[] {
  const words = text
    .normalize('NFKC')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(unspacedRun, ' $& ')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return (words ?? []).flatMap((word) => (unspaced.test(word) ? pairs(word) : plainWord(word)));
}

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const unspacedRun = new RegExp(`${unspaced.source}+`, 'gu');

function pairs(word: string): string[] {
  const characters = Array.from(word);
  return characters.length < 2
    ? characters
    : characters.slice(1).map((character, at) => `${characters[at] ?? ''}${character}`);
}

function plainWord(word: string): string[] {
  if (word.length < 2 || emptyWords.has(word)) return [];
  return [word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word];
}

/** Words that every requirement and every lesson has. */
const emptyWords: ReadonlySet<string> = new Set(
  `a add all an and any are as at be been but by can do does each for from get has have how if in into is it its make may must
  new no not of on or our should so some than that the their them then there these they this to up use used using was we were
  what when where which while will with without you your`.split(/\s+/),
);

function recency(days: number): number {
  return 0.5 + 0.5 * 0.5 ** (days / halfLifeDays);
}

function dayOf(lesson: Lesson): number {
  const ms = Date.parse(`${lesson.date}T00:00:00Z`);
  return Number.isNaN(ms) ? 0 : ms / 86_400_000;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
