/**
 * What becomes of a list of lessons: new ones join it once, used ones are counted. Pure. Nothing is ever taken
 * away; joining the same lessons again changes nothing.
 */
import {
  joinKeywords,
  type Lesson,
  type LessonScope,
  lessonId,
  type NewLesson,
  sameCategory,
  sameText,
  tidyLesson,
  usualConfidence,
} from './lesson.ts';

export interface MergedLessons {
  readonly lessons: readonly Lesson[];
  readonly added: readonly Lesson[];
  /** Those that were known: only their date moved. */
  readonly merged: readonly Lesson[];
}

/** A lesson is known when any has the same normalised text, whatever its category. */
export function mergeLessons(
  existing: readonly Lesson[],
  given: readonly NewLesson[],
  at: { readonly date: string; readonly scope?: LessonScope },
): MergedLessons {
  let lessons = [...existing];
  const added = new Set<string>();
  const merged = new Set<string>();
  for (const each of given) {
    const tidy = tidyLesson(each);
    if (tidy === undefined) continue;
    const same = sameText(tidy.text);
    const place = lessons.findIndex((lesson) => sameText(lesson.text) === same);
    const known = lessons[place];
    if (known === undefined) {
      const id = lessonId(tidy.category, tidy.text);
      lessons = insert(lessons, {
        ...tidy,
        id,
        scope: at.scope ?? 'project',
        date: at.date,
        applied: 0,
        confidence: tidy.confidence ?? usualConfidence,
      });
      added.add(id);
    } else {
      lessons[place] = { ...known, date: at.date > known.date ? at.date : known.date };
      if (!added.has(known.id)) merged.add(known.id);
    }
  }
  const pick = (ids: ReadonlySet<string>) => [...ids].flatMap((id) => lessons.find((lesson) => lesson.id === id) ?? []);
  return { lessons, added: pick(added), merged: pick(merged) };
}

/** One more use for each of these, however often an id is named. */
export function applyLessons(lessons: readonly Lesson[], ids: readonly string[]): Lesson[] {
  const used = new Set(ids);
  return lessons.map((lesson) =>
    used.has(lesson.id) ? { ...lesson, applied: Math.min(lesson.applied + 1, mostApplied) } : lesson,
  );
}

/** What a run showed about lessons: a fifth of the way to certain for what helped, half of it lost for what was wrong. */
export function weighLessons(
  lessons: readonly Lesson[],
  shown: { readonly helped: readonly string[]; readonly contradicted: readonly string[] },
): Lesson[] {
  const helped = new Set(shown.helped);
  const contradicted = new Set(shown.contradicted);
  return lessons.map((lesson) => {
    if (contradicted.has(lesson.id)) return { ...lesson, confidence: hundredths(lesson.confidence * 0.5) };
    if (!helped.has(lesson.id)) return lesson;
    // Whatever a person is certain of stays so.
    const more = hundredths(lesson.confidence + (1 - lesson.confidence) * 0.2);
    return { ...lesson, confidence: Math.max(lesson.confidence, more) };
  });
}

function hundredths(value: number): number {
  return Math.min(0.99, Math.max(0, Math.round(value * 100) / 100));
}

/** As many digits as a line may have. */
const mostApplied = 999_999_999;

/** After the last lesson of its category, whose heading it comes under and whose keywords it shares. */
function insert(lessons: readonly Lesson[], lesson: Lesson): Lesson[] {
  const key = sameCategory(lesson.category);
  const at = lessons.findLastIndex((other) => sameCategory(other.category) === key);
  const last = lessons[at];
  if (last === undefined) return [...lessons, lesson];
  const keywords = joinKeywords(last.keywords, lesson.keywords);
  const heading = headingOf(last);
  const shared = lessons.map((other) => (headingOf(other) === heading ? { ...other, keywords } : other));
  return shared.toSpliced(at + 1, 0, { ...lesson, category: last.category, keywords });
}

function headingOf({ category, keywords }: Lesson): string {
  return JSON.stringify([category, keywords]);
}
