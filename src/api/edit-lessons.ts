/** Changes lessons for a person: shows one, gives it another text, removes it, promotes it, or edits a file of them. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { ForgeError, messageOf } from '../errors.ts';
import { changeLesson, findLessons, type KeptLesson, promoteLesson, replaceFile } from '../memory/change-memory.ts';
import { parseLessons } from '../memory/lesson-file.ts';
import { lessonSchema } from '../policy/lesson.ts';
import type { ApiContext } from './context.ts';
import { editText } from './edit-text.ts';
import type { JsonOf, Operation } from './operation.ts';
import { memoryPlaces } from './recall-lessons.ts';

const input = z.strictObject({
  action: z.enum(['show', 'edit', 'remove', 'promote']),
  /** The id of a lesson, or the beginning of one; `edit` without it opens the file of lessons. */
  lesson: z.string().min(1).optional(),
  /** Of `edit`: the new text; without it the person's editor opens. */
  text: z.string().min(1).max(1000).optional(),
  /** Only the user's own memory. */
  user: z.boolean().default(false),
});
type Request = z.output<typeof input>;

const output = z.strictObject({
  action: input.shape.action,
  lesson: lessonSchema.extend({ file: z.string() }).optional(),
  file: z.string(),
  /** False when everything was as wanted already. */
  changed: z.boolean(),
  /** Lines of the edited file that are not lessons. */
  problems: z.array(z.string()),
});
export type LessonChange = JsonOf<typeof output>;

export const editLessons: Operation<typeof input, typeof output> = {
  name: 'edit-lessons',
  kind: 'command',
  description: 'Shows, edits, removes or promotes a lesson. Promoting makes it count for all your projects.',
  input,
  output,
  async run(context, request) {
    const places = await memoryPlaces(context);
    const all = await findLessons(places);
    const known = all.filter(({ scope }) => !request.user || scope === 'user');
    const { action } = request;
    if (action === 'edit' && request.text === undefined) return editFile(context, { request, known, places });
    const lesson = chooseLesson(known, request);
    const done = { action, lesson, file: lesson.file, problems: [] };
    if (action === 'show') return { ...done, changed: false };
    try {
      if (action === 'promote') {
        if (lesson.scope === 'user') return { ...done, changed: false };
        const { added } = await promoteLesson(places.user, lesson);
        return { ...done, file: places.user, changed: added > 0 };
      }
      await changeLesson(places, lesson, action === 'remove' ? undefined : request.text);
      if (action === 'edit' && request.text !== undefined)
        await places.consent.agree([{ category: lesson.category, text: request.text }]);
      return { ...done, changed: true };
    } catch (error) {
      throw failed(error);
    }
  },
};

async function editFile(
  { cwd, env }: ApiContext,
  at: {
    readonly request: Request;
    readonly known: readonly KeptLesson[];
    readonly places: Awaited<ReturnType<typeof memoryPlaces>>;
  },
): Promise<LessonChange> {
  const { request, known, places } = at;
  const lesson = request.lesson === undefined ? undefined : chooseLesson(known, request);
  const file = lesson?.file ?? onlyFile(known);
  const before = await readFile(file, 'utf8');
  const after = await editText({ text: before, name: 'lessons.md', cwd, env });
  const common = { action: request.action, lesson, file };
  if (after === undefined) return { ...common, changed: false, problems: [] };
  try {
    const problems = await replaceFile(places, file, { before, after });
    // What the person wrote there is theirs; what stood there before is not, because they opened the file.
    const old = new Set(parseLessons(before, file).lessons.map(({ id }) => id));
    await places.consent.agree(parseLessons(after, file).lessons.filter(({ id }) => !old.has(id)));
    return {
      ...common,
      changed: true,
      problems: problems.map(({ line, problem }) => `${file}, line ${line}: ${problem}`),
    };
  } catch (error) {
    throw failed(error);
  }
}

function onlyFile(known: readonly KeptLesson[]): string {
  const files = [...new Set(known.map(({ file }) => file))];
  const own = [...new Set(known.filter(({ scope }) => scope === 'project').map(({ file }) => file))];
  const [only, ...more] = own.length > 0 ? own : files;
  if (only === undefined) throw new ForgeError('bad-input', 'There are no lessons to edit yet');
  if (more.length === 0) return only;
  throw new ForgeError('bad-input', `Lessons are in ${more.length + 1} files`, {
    hint: `Name a lesson by its id (forge memory lists them): forge memory edit <id>`,
  });
}

function chooseLesson(known: readonly KeptLesson[], { action, lesson: wanted }: Request): KeptLesson {
  if (wanted === undefined) {
    throw new ForgeError('bad-input', `forge memory ${action} needs the id of a lesson`, {
      hint: 'forge memory lists the lessons with their ids.',
    });
  }
  const fitting = known.filter(({ id }) => id.startsWith(wanted.toLowerCase()));
  const ids = [...new Set(fitting.map(({ id }) => id))];
  // Of one that a project has and the user too, the project's own is meant; --user names the other.
  const [first] = fitting;
  if (first !== undefined && ids.length === 1) return first;
  throw new ForgeError(
    'bad-input',
    ids.length === 0
      ? `There is no lesson ${JSON.stringify(wanted)}`
      : `${JSON.stringify(wanted)} could be any of ${ids.length} lessons`,
    {
      hint: ids.length === 0 ? 'forge memory lists the lessons with their ids.' : `Type more of it: ${ids.join(', ')}.`,
    },
  );
}

function failed(error: unknown): unknown {
  return error instanceof ForgeError
    ? error
    : new ForgeError('bad-input', messageOf(error), { hint: 'Nothing was changed.', cause: error });
}
