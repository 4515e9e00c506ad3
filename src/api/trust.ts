/** What a repository's own files would have Forge do, shown to a person; with `agree`, it is agreed to. */
import { z } from 'zod';
import { findLessons, type KeptLesson } from '../memory/change-memory.ts';
import { isTrusted, questionOf, rememberConsent } from '../trust/consent.ts';
import type { ApiContext } from './context.ts';
import type { Operation } from './operation.ts';
import { memoryPlaces } from './recall-lessons.ts';

const input = z.strictObject({ agree: z.boolean().default(false) });

const output = z.strictObject({
  /** Everything is agreed to. */
  trusted: z.boolean(),
  /** What a run needs is agreed to; lessons that are not are only left out. */
  isRunnable: z.boolean(),
  /** What the repository's own files would have Forge do. */
  points: z.array(z.string()),
});

export const trustProject: Operation<typeof input, typeof output> = {
  name: 'trust-project',
  kind: 'command',
  description: "Shows what this repository's own files would have Forge do and, with agree, trusts them.",
  input,
  output,
  async run(context, { agree }) {
    const forge = await context.forge();
    const question = questionOf(forge);
    const { unknown, agreeToLessons } = await readLessons(context);
    if (agree && question !== undefined) rememberConsent(context.env, forge.repo.id, question);
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
