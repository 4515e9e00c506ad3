/** The lessons that planners are given, with the files in which a person can read and change them. */
import { join } from 'node:path';
import { z } from 'zod';
import { leastConfidence } from '../memory/lesson.ts';
import { readMemory } from '../memory/memory-directory.ts';
import { lessonSchema } from '../policy/lesson.ts';
import type { JsonOf, Operation } from './operation.ts';
import { memoryMode, memoryPlaces } from './recall-lessons.ts';

const input = z.strictObject({});

const output = z.strictObject({
  lessons: z.array(
    lessonSchema.extend({
      /** Sure enough to be given to agents. */
      isTrusted: z.boolean(),
      /** Learnt on this machine, or agreed to by a person. */
      isAgreed: z.boolean(),
    }),
  ),
  files: z.array(z.string()),
  /** Where files may be put, whether or not there are any. */
  directories: z.strictObject({ project: z.string(), user: z.string() }),
  problems: z.array(z.string()),
  /** What the settings say: `on`, `project` or `off`. */
  mode: z.string(),
});
export type Lessons = JsonOf<typeof output>;

export const listLessons: Operation<typeof input, typeof output> = {
  name: 'list-lessons',
  kind: 'query',
  description: 'Lists the lessons of earlier runs, with the files in which you can read and change them.',
  input,
  output,
  async run(context) {
    const { consent, ...directories } = await memoryPlaces(context);
    const isKnown = consent.known();
    const project = await readMemory(directories.project, 'project');
    const user = await readMemory(directories.user, 'user');
    return {
      lessons: [...project.files, ...user.files]
        .flatMap((file) => file.lessons)
        .map((lesson) => ({
          ...lesson,
          isTrusted: lesson.confidence >= leastConfidence,
          isAgreed: lesson.scope === 'user' || isKnown(lesson),
        })),
      files: [
        ...project.files.map((file) => join(directories.project, file.name)),
        ...user.files.map((file) => join(directories.user, file.name)),
      ],
      directories,
      mode: await memoryMode(context),
      problems: [...project.problems, ...user.problems].map(
        ({ source, line, problem }) => `${source}${line === 0 ? '' : `, line ${line}`}: ${problem}`,
      ),
    };
  },
};
