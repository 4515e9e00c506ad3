/** Lessons that have to do with a query, best first: of the project, of the user, or of both. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { ForgeError } from '../errors.ts';
import { leastConfidence } from '../memory/lesson.ts';
import { openLessonConsent } from '../memory/lesson-consent.ts';
import { openMemory, userMemory } from '../memory/memory-files.ts';
import { lessonSchema } from '../policy/lesson.ts';
import type { Settings } from '../policy/settings.ts';
import { consentDirectory } from '../trust/consent.ts';
import type { ApiContext } from './context.ts';
import type { Operation } from './operation.ts';
import { projectHere } from './project-settings.ts';

/** `global` is the user's own memory, for all projects. */
export const lessonScopes = ['project', 'global'] as const;

const input = z.strictObject({
  query: z.string().min(1).max(4000),
  scope: z.enum([...lessonScopes, 'all']).default('all'),
  limit: z.number().int().min(1).max(100).default(15),
});

const output = z.strictObject({
  lessons: z.array(lessonSchema),
  /** Nothing shares a word with the query: these were used most. */
  isFallback: z.boolean(),
  problems: z.array(z.string()),
});

const fallbackCount = 5;

export const recallLessons: Operation<typeof input, typeof output> = {
  name: 'recall-lessons',
  kind: 'query',
  description:
    'Finds lessons of earlier work that match a query, best first: of this project, of all your projects (global), or both.',
  input,
  output,
  tool: { name: 'memory_recall', title: 'Recall lessons' },
  async run(context, { query, scope, limit }) {
    const mode = await memoryMode(context);
    if (mode === 'off') return { lessons: [], isFallback: false, problems: [memoryIsOff] };
    const { user, ...own } = await memoryPlaces(context);
    const memory = openMemory({ ...own, user: mode === 'project' ? undefined : user });
    const of = scope === 'all' ? undefined : scope === 'global' ? 'user' : 'project';
    const { lessons, problems: found } = await memory.recall(query, limit, { scope: of });
    const problems = found.map(({ source, line, problem }) => `${source}, line ${line}: ${problem}`);
    if (lessons.length > 0) return { lessons, isFallback: false, problems };
    const known = (await memory.usable()).lessons.filter(
      (lesson) => (of === undefined || lesson.scope === of) && lesson.confidence >= leastConfidence,
    );
    const used = known.toSorted((a, b) => b.applied - a.applied || (a.date < b.date ? 1 : -1));
    return { lessons: used.slice(0, Math.min(limit, fallbackCount)), isFallback: true, problems };
  },
};

export const memoryIsOff = 'Memory is off in .forge/config.yaml (memory: off).';

/** What the project says; settings that cannot be read say nothing. */
export async function memoryMode({ cwd }: ApiContext): Promise<Settings['memory']> {
  try {
    return (await projectHere({ cwd }))?.settings.memory ?? 'on';
  } catch (error) {
    if (error instanceof ForgeError) return 'on';
    throw error;
  }
}

/** Lessons of the project that no agent is given, because nobody on this machine agreed to them. */
export async function lessonNotices(context: ApiContext): Promise<readonly string[]> {
  const places = await memoryPlaces(context);
  const { problems } = await openMemory({ ...places, user: undefined }).usable();
  return problems.filter(({ source, line }) => source === places.project && line === 0).map(({ problem }) => problem);
}

export async function memoryPlaces(context: ApiContext) {
  const { repo } = await context.reader();
  return {
    project: join(repo.root, '.forge', 'memory'),
    user: userMemory(context.env, homedir()),
    consent: openLessonConsent(consentDirectory(context.env), repo.id),
  };
}
