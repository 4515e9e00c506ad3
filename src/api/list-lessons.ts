/** The lessons that planners are given, with the files in which a person can read and change them. */
import { join } from 'node:path';
import { z } from 'zod';
import { leastConfidence, type Lesson } from '../memory/lesson.ts';
import { readMemory } from '../memory/memory-directory.ts';
import type { Operation } from './operation.ts';
import { memoryMode, memoryPlaces } from './recall-lessons.ts';

const input = z.strictObject({});

export interface Lessons {
  readonly lessons: readonly (Lesson & {
    /** Sure enough to be given to agents. */
    readonly isTrusted: boolean;
    /** Learnt on this machine, or agreed to by a person. */
    readonly isAgreed: boolean;
  })[];
  readonly files: readonly string[];
  /** Where files may be put, whether or not there are any. */
  readonly directories: { readonly project: string; readonly user: string };
  readonly problems: readonly string[];
  /** What the settings say: `on`, `project` or `off`. */
  readonly mode: string;
}

export const listLessons: Operation<typeof input, Lessons> = {
  name: 'list-lessons',
  summary: 'what earlier runs learnt',
  input,
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
