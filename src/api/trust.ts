/** What a repository's own files would have Forge do, shown to a person; with `agree`, it is agreed to. */
import { z } from 'zod';
import { findLessons, type KeptLesson } from '../memory/change-memory.ts';
import { isTrusted, questionOf, remember } from '../trust/consent.ts';
import type { ApiContext, Operation } from './operation.ts';
import { memoryPlaces } from './recall-lessons.ts';

const input = z.strictObject({ agree: z.boolean().default(false) });

export interface TrustState {
  /** Everything is agreed to. */
  readonly trusted: boolean;
  /** What a run needs is agreed to; lessons that are not are only left out. */
  readonly isRunnable: boolean;
  readonly points: readonly string[];
}

export const trustProject: Operation<typeof input, TrustState> = {
  name: 'trust-project',
  summary: "trust this repository's Forge settings",
  input,
  async run(context, { agree }) {
    const forge = await context.forge();
    const question = questionOf(forge);
    const { unknown, agreeToLessons } = await readLessons(context);
    if (agree && question !== undefined) remember(context.env, forge.repo.id, question);
    if (agree) await agreeToLessons();
    const isRunnable = question === undefined || isTrusted(context.env, forge.repo.id, question);
    return {
      trusted: isRunnable && (agree || unknown.length === 0),
      isRunnable,
      points: [...(question?.points ?? []), ...unknown.map(lessonPoint)],
    };
  },
};

/** Every lesson is shown in full: its words are what agents would be told. */
function lessonPoint({ category, text }: KeptLesson): string {
  return `.forge/memory tells agents (${category}): ${text}`;
}

async function readLessons(context: ApiContext) {
  const places = await memoryPlaces(context);
  const lessons = (await findLessons(places)).filter(({ scope }) => scope === 'project');
  const isKnown = places.consent.known();
  const unknown = lessons.filter((lesson) => !isKnown(lesson));
  return { unknown, agreeToLessons: () => places.consent.agree(unknown) };
}
