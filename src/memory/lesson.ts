/**
 * One remembered line, and what makes two of them the same. Everything that comes in (from a model, a person's edit)
 * is brought into a form that fits one line of a Markdown file and reads back as it was.
 */
import { createHash } from 'node:crypto';

export type LessonScope = 'project' | 'user';

export interface Lesson {
  /** Short hash of category and normalised text: the same wherever the lesson is kept. */
  readonly id: string;
  readonly category: string;
  /** They belong to the heading, so lessons under one heading share them. */
  readonly keywords: readonly string[];
  readonly text: string;
  readonly scope: LessonScope;
  /** YYYY-MM-DD on which it was learned last. */
  readonly date: string;
  /** How many plans made use of it. */
  readonly applied: number;
  /** 0 to 1: rises when a run that used it went well, falls when one showed it to be wrong. */
  readonly confidence: number;
}

/** A lesson as a learner gives it. */
export interface NewLesson {
  readonly category: string;
  readonly keywords: readonly string[];
  readonly text: string;
  /** How sure whoever gives it is; the usual confidence when left out. */
  readonly confidence?: number;
}

/** Of a lesson that nothing was learnt about since. */
export const usualConfidence = 0.5;
/** A lesson that is trusted less is kept for people and not given to agents. */
export const leastConfidence = 0.2;

const maxKeywords = 16;
const maxText = 1000;

export function lessonId(category: string, text: string): string {
  return createHash('sha256')
    .update(`${sameCategory(category)}\n${sameText(text)}`)
    .digest('hex')
    .slice(0, 10);
}

/** Case, spacing, quotes and the final stop do not make another lesson. */
export function sameText(text: string): string {
  const plain = oneLine(text.normalize('NFKC').toLowerCase()).replace(/[`"'“”‘’]/g, '');
  return oneLine(plain).replace(/[\s.,;:!…]+$/, '') || oneLine(text);
}

export function sameCategory(category: string): string {
  return tidyCategory(category).normalize('NFKC').toLowerCase();
}

/** Undefined when nothing is left to remember. */
export function tidyLesson(lesson: NewLesson): NewLesson | undefined {
  const text = oneLine(oneLine(lesson.text).slice(0, maxText));
  if (text === '') return undefined;
  const { category, keywords, confidence } = lesson;
  const sure = confidence === undefined ? {} : { confidence: Math.min(1, Math.max(0, confidence)) };
  return { category: tidyCategory(category), keywords: joinKeywords([], keywords), text, ...sure };
}

/** Parentheses and hashes mean something in a heading, so a category has none. */
export function tidyCategory(category: string): string {
  return oneLine(oneLine(category.replace(/[()#]/g, ' ')).slice(0, 60)) || 'General';
}

/** Those at hand first; new ones while there is room. What a person wrote is never dropped. */
export function joinKeywords(existing: readonly string[], added: readonly string[]): string[] {
  const joined = [...existing];
  for (const each of added) {
    const keyword = oneLine(oneLine(each.replace(/[(),]/g, ' ')).slice(0, 40));
    const isKnown = joined.some((known) => known.toLowerCase() === keyword.toLowerCase());
    if (keyword !== '' && !isKnown && joined.length < maxKeywords) joined.push(keyword);
  }
  return joined;
}

/** Everything that could end a line or reverse its text, and halves of characters, become a space. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\u2028\u2029\u202A-\u202E\u2066-\u2069\uFEFF\s]+/gu, ' ').trim();
}
