/**
 * How a skin talks to runs while it watches them: where a run is kept, what its agents do, and an answer posted at once.
 * Posting is synchronous on purpose: a process that leaves when only questions are left looks into the inbox before it goes.
 */
import type { Answer } from '../engine/facts.ts';
import type { RunState } from '../engine/run-state.ts';
import { agentActivity } from './agent-activity.ts';
import type { ApiContext } from './context.ts';

export interface RunTalk {
  /** For a person to look at. */
  place(run: string): string;
  /** What agents at work said last, by the key of their work. */
  activity(state: Readonly<RunState>): Promise<ReadonlyMap<string, string>>;
  answer(
    run: string,
    question: string,
    answer: Pick<Answer, 'option' | 'text'> & { readonly by?: string },
  ): Promise<void>;
}

export async function talkToRuns(context: ApiContext): Promise<RunTalk> {
  const { engine } = await context.reader();
  return {
    place: (run) => engine.describePlace(run),
    activity: (state) => agentActivity(engine.artifacts(state.created?.run ?? ''), state),
    answer: async (run, key, answer) => {
      await engine.signal(run, { type: 'answer', key, answer });
    },
  };
}
