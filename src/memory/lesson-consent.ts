/**
 * Which lessons of a project may reach agents: those that this machine learnt and those that a person agreed to. A
 * repository can bring any text in `.forge/memory`, and every lesson there becomes part of a prompt. Kept in the person's
 * own configuration, per repository and by the words of each lesson, so that an edited lesson is asked about again.
 */
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { z } from 'zod';
import { whileLocked } from '../files/directory-lock.ts';
import { readConfinedText, writeConfined } from '../files/confined.ts';
import { type NewLesson, sameCategory, sameText } from './lesson.ts';

type Words = Pick<NewLesson, 'category' | 'text'>;

export interface LessonConsent {
  /** Reads what was agreed to so far. */
  known(): (lesson: Words) => boolean;
  agree(lessons: readonly Words[]): Promise<void>;
}

const storeFile = 'lessons.json';
const storeSchema = z.object({ projects: z.record(z.string(), z.array(z.string())).default({}) });

/** More than the files of a project can hold. */
const mostLessons = 20_000;
const mostBytes = 64 * 1024 * 1024;

/** `directory` is the person's configuration of Forge, `project` the id of the repository. */
export function openLessonConsent(directory: string, project: string): LessonConsent {
  return {
    known() {
      const digests = new Set(readStore(directory).projects[project]);
      return (lesson) => digests.has(digestOf(lesson));
    },
    async agree(lessons) {
      if (lessons.length === 0) return;
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      await whileLocked(directory, () => {
        const { projects } = readStore(directory);
        const all = [...new Set([...(projects[project] ?? []), ...lessons.map(digestOf)])].slice(-mostLessons);
        writeConfined(directory, storeFile, `${JSON.stringify({ projects: { ...projects, [project]: all } })}\n`, {
          mode: 0o600,
        });
      });
    },
  };
}

function digestOf({ category, text }: Words): string {
  return createHash('sha256')
    .update(`${sameCategory(category)}\n${sameText(text)}`)
    .digest('hex');
}

/** A store that cannot be read agrees to nothing: a person is asked again. */
function readStore(directory: string): z.infer<typeof storeSchema> {
  try {
    return storeSchema.parse(JSON.parse(readConfinedText(directory, storeFile, mostBytes) ?? '{}'));
  } catch {
    return { projects: {} };
  }
}
