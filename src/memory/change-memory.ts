/**
 * What a person does with lessons: change one, remove one, edit a file of them, or promote one to their own memory. Only
 * the lines of that lesson are touched. Lessons cross from a project to all projects here and nowhere else.
 */
import { join } from 'node:path';
import { whileLocked } from '../files/directory-lock.ts';
import { type Lesson, type LessonScope, oneLine } from './lesson.ts';
import { type LessonProblem, parseLessons, replaceLesson } from './lesson-file.ts';
import { readMemory, writeMemory } from './memory-directory.ts';
import { type MemoryPlaces, refuseLinkedMemory, saveInto } from './memory-files.ts';

/** One lesson, and the file that holds it. */
export interface KeptLesson extends Lesson {
  readonly file: string;
}

export async function findLessons(places: MemoryPlaces): Promise<readonly KeptLesson[]> {
  const found = await Promise.all(
    placesOf(places).map(async ({ directory, scope }) => {
      if ((await refuseLinkedMemory({ directory, scope })) !== undefined) return [];
      const { files } = await readMemory(directory, scope);
      return files.flatMap(({ name, lessons }) =>
        lessons.map((lesson) => ({ ...lesson, file: join(directory, name) })),
      );
    }),
  );
  return found.flat();
}

/** With a new text, or gone. */
export async function changeLesson(places: MemoryPlaces, lesson: KeptLesson, text: string | undefined): Promise<void> {
  await rewriteFile(places, lesson.file, (before) => {
    const after = replaceLesson(before, lesson.id, text === undefined ? undefined : oneLine(text));
    if (after === before) throw new Error(`${lesson.file} has no such lesson any more`);
    return after;
  });
}

/** A whole file as a person left it in their editor; refused when somebody else wrote there in between. */
export async function replaceFile(
  places: MemoryPlaces,
  file: string,
  { before, after }: { readonly before: string; readonly after: string },
): Promise<readonly LessonProblem[]> {
  await rewriteFile(places, file, (now) => {
    if (now !== before) throw new Error(`${file} was changed by a run in the meantime`);
    return after;
  });
  return parseLessons(after, file).problems;
}

/** A copy in the user's own memory, for all projects. */
export async function promoteLesson(user: string, lesson: Lesson): Promise<{ readonly added: number }> {
  const { category, keywords, text, confidence, date } = lesson;
  const lessons = [{ category, keywords, text, confidence }];
  const { added, problems } = await saveInto({ directory: user, scope: 'user' }, { lessons, applied: [], date });
  const [problem] = problems;
  if (added === 0 && problem !== undefined) throw new Error(`${problem.source}: ${problem.problem}`);
  return { added };
}

async function rewriteFile(places: MemoryPlaces, path: string, change: (before: string) => string): Promise<void> {
  const place = placesOf(places).find(({ directory }) => path.startsWith(`${directory}/`));
  if (place === undefined || (await refuseLinkedMemory(place)) !== undefined)
    throw new Error(`${path} is no file of lessons`);
  await whileLocked(place.directory, async () => {
    const { files } = await readMemory(place.directory, place.scope);
    const file = files.find(({ name }) => join(place.directory, name) === path);
    if (file === undefined) throw new Error(`${path} cannot be read any more`);
    await writeMemory(path, change(file.text), file.mode);
  });
}

function placesOf({ project, user }: MemoryPlaces): readonly { directory: string; scope: LessonScope }[] {
  return [
    { directory: project, scope: 'project' },
    ...(user === undefined ? [] : [{ directory: user, scope: 'user' as const }]),
  ];
}
