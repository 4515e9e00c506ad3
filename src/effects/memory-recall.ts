/** `memory.recall`: lessons of earlier runs. What cannot be read is reported, never a reason to stop. */
import type { Performer } from '../engine/performer.ts';
import type { EffectDeps } from './deps.ts';

export function memoryRecall({ memory }: EffectDeps): Performer<'memory.recall'> {
  return {
    async perform({ query, limit, categories }) {
      const { lessons, problems } = await memory.recall(query, limit, { categories });
      return {
        lessons: lessons.map((lesson) => ({ ...lesson, keywords: [...lesson.keywords] })),
        problems: problems.map(({ source, line, problem }) => `${source}, line ${line}: ${problem}`),
      };
    },
  };
}
