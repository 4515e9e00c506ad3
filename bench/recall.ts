/** Recall over ten thousand lessons, against reading them from their file: what a planner waits for. */
import { parseLessons, reviseLessons } from '../src/memory/lesson-file.ts';
import { lessonId } from '../src/memory/lesson.ts';
import { recallLessons } from '../src/memory/recall.ts';
import { type Figure, seeded, sideBySide } from './ratio.ts';

const words =
  `queue clock parser index commit branch module schema retry budget journal effect test timeout socket proxy
 cache layout token prompt report review merge conflict worker planner lesson memory fold replay`.split(/\s+/);

/** Written one by one: revising a file of ten thousand lessons is no part of the figure. */
function lessonFile(count: number): string {
  return lessons(count)
    .map((lesson) => reviseLessons('', [lesson]))
    .join('\n');
}

export async function recallFigures(quick: boolean): Promise<Figure[]> {
  const many = lessonFile(10_000);
  const few = lessonFile(1000);
  const known = parseLessons(many, 'many.md').lessons;
  const fewKnown = parseLessons(few, 'few.md').lessons;
  const recall = (from: typeof known) => () => {
    if (recallLessons(from, 'retry the merge of a conflict in the journal', { limit: 12, chars: 4000 }).length === 0)
      throw new Error('the benchmark must recall something');
  };
  const rounds = quick ? 5 : 15;
  const reading = await sideBySide(rounds, recall(known), () => void parseLessons(many, 'many.md'));
  const growth = await sideBySide(rounds, recall(known), recall(fewKnown));
  return [
    {
      name: 'recall over 10,000 lessons / reading them',
      value: reading.ratio,
      detail: `${reading.subjectMs.toFixed(0)} ms against ${reading.referenceMs.toFixed(0)} ms`,
    },
    {
      name: 'recall over 10,000 lessons / over 1,000, per lesson',
      value: growth.ratio / 10,
      aim: 1.5,
      detail: `${growth.referenceMs.toFixed(1)} ms for 1,000`,
    },
  ];
}

function lessons(count: number) {
  const random = seeded(5);
  const word = () => words[Math.floor(random() * words.length)] ?? '';
  return Array.from({ length: count }, (_, index) => {
    const category = `Category ${index % 12}`;
    const text = `${index} ${Array.from({ length: 14 }, word).join(' ')}`;
    const date = `2026-0${1 + (index % 9)}-11`;
    return {
      id: lessonId(category, text),
      category,
      keywords: [word()],
      text,
      date,
      scope: 'project',
      applied: index % 5,
      confidence: 0.5,
    } as const;
  }).sort((a, b) => (a.category < b.category ? -1 : 1));
}
