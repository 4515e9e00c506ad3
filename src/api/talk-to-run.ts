/**
 * How a skin talks to runs while it watches them: where a run's files are, and an answer posted at once. Posting is
 * synchronous on purpose: a process that leaves when only questions are left looks into the inbox before it goes.
 */
import type { Answer } from '../engine/facts.ts';
import type { ApiContext } from './operation.ts';

export interface RunTalk {
  directory(run: string): string;
  answer(
    run: string,
    question: string,
    answer: Pick<Answer, 'option' | 'text'> & { readonly by?: string },
  ): Promise<void>;
}

export async function talkToRuns(context: ApiContext): Promise<RunTalk> {
  const { engine } = await context.reader();
  return {
    directory: (run) => engine.directoryOf(run),
    answer: async (run, key, answer) => {
      await engine.signal(run, { type: 'answer', key, answer });
    },
  };
}
